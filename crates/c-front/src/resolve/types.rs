//! The table of types: equal types have equal numbers. Enumerations are the integers that hold their values; `char` is
//! signed, and the same type as `signed char`; `restrict` means nothing and is left out, so that types that differ in it only are equal.

use crate::hir::{DataModel, Opaque, Type, TypeId, TypeKind};
use crate::syntax::{IntegerWord, Qualifiers};
use rustc_hash::FxHashMap;

/// All types, interned.
#[derive(Debug)]
pub(super) struct TypeTable {
    types: Vec<Type>,
    numbers: FxHashMap<Type, TypeId>,
    data_model: DataModel,
}

impl TypeTable {
    pub(super) fn new(data_model: DataModel) -> Self {
        Self { types: Vec::new(), numbers: FxHashMap::default(), data_model }
    }

    pub(super) fn into_types(self) -> Vec<Type> {
        self.types
    }

    pub(super) fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    pub(super) fn kind(&self, id: TypeId) -> &TypeKind {
        &self.types[id.index()].kind
    }

    /// The number of a type.
    pub(super) fn intern(&mut self, mut ty: Type) -> TypeId {
        ty.qualifiers.is_restrict = false;
        if let Some(&id) = self.numbers.get(&ty) {
            return id;
        }
        let id = TypeId::new(self.types.len());
        self.types.push(ty.clone());
        self.numbers.insert(ty, id);
        id
    }

    /// The unqualified type of a kind.
    pub(super) fn of(&mut self, kind: TypeKind) -> TypeId {
        self.intern(Type { kind, qualifiers: Qualifiers::default(), opaque: None, aligned: None })
    }

    pub(super) fn void(&mut self) -> TypeId {
        self.of(TypeKind::Void)
    }

    pub(super) fn bool(&mut self) -> TypeId {
        self.of(TypeKind::Bool)
    }

    /// The width of an integer type.
    pub(super) fn width(&self, rank: IntegerWord) -> u32 {
        match rank {
            IntegerWord::Char | IntegerWord::SignedChar => 8,
            IntegerWord::Short => 16,
            IntegerWord::Int => 32,
            IntegerWord::Long => self.data_model.pointer_bits(),
            IntegerWord::LongLong => 64,
            IntegerWord::Int128 => 128,
        }
    }

    pub(super) fn integer(&mut self, rank: IntegerWord, is_signed: bool) -> TypeId {
        let bits = self.width(rank);
        self.of(TypeKind::Integer { bits, is_signed, rank })
    }

    pub(super) fn int(&mut self) -> TypeId {
        self.integer(IntegerWord::Int, true)
    }

    pub(super) fn char(&mut self) -> TypeId {
        self.integer(IntegerWord::Char, true)
    }

    /// The rank of the integers that are as wide as pointers: `long` in LP64, `int` in ILP32.
    fn pointer_rank(&self) -> IntegerWord {
        match self.data_model {
            DataModel::Ilp32 => IntegerWord::Int,
            DataModel::Lp64 => IntegerWord::Long,
        }
    }

    pub(super) fn size_t(&mut self) -> TypeId {
        self.integer(self.pointer_rank(), false)
    }

    pub(super) fn ptrdiff_t(&mut self) -> TypeId {
        self.integer(self.pointer_rank(), true)
    }

    pub(super) fn pointer(&mut self, to: TypeId) -> TypeId {
        self.of(TypeKind::Pointer(to))
    }

    pub(super) fn void_pointer(&mut self) -> TypeId {
        let void = self.void();
        self.pointer(void)
    }

    pub(super) fn array(&mut self, element: TypeId, length: Option<u64>) -> TypeId {
        self.of(TypeKind::Array { element, length })
    }

    pub(super) fn function(&mut self, result: TypeId, parameters: Vec<TypeId>, is_variadic: bool) -> TypeId {
        self.of(TypeKind::Function { result, parameters, is_variadic })
    }

    /// The type with these qualifiers added; those of an array go to its elements (C11 §6.7.3 p9).
    pub(super) fn qualify(&mut self, id: TypeId, added: Qualifiers) -> TypeId {
        let mut ty = self.get(id).clone();
        if let TypeKind::Array { element, length } = ty.kind {
            let element = self.qualify(element, added);
            ty.kind = TypeKind::Array { element, length };
            return self.intern(ty);
        }
        if matches!(ty.kind, TypeKind::Function { .. }) {
            return id;
        }
        let old = ty.qualifiers;
        ty.qualifiers = Qualifiers {
            is_const: old.is_const || added.is_const,
            is_volatile: old.is_volatile || added.is_volatile,
            is_restrict: false,
            is_atomic: old.is_atomic || added.is_atomic,
        };
        self.intern(ty)
    }

    /// The type without its outermost qualifiers: that of a value.
    pub(super) fn unqualified(&mut self, id: TypeId) -> TypeId {
        let mut ty = self.get(id).clone();
        if ty.qualifiers == Qualifiers::default() {
            return id;
        }
        ty.qualifiers = Qualifiers::default();
        self.intern(ty)
    }

    /// The type without qualifiers and without the name it has in the library.
    pub(super) fn plain(&mut self, id: TypeId) -> TypeId {
        let kind = self.kind(id).clone();
        self.of(kind)
    }

    /// The type under the name it has in the library.
    pub(super) fn named(&mut self, id: TypeId, opaque: Opaque) -> TypeId {
        let ty = Type { opaque: Some(opaque), ..self.get(id).clone() };
        self.intern(ty)
    }

    /// The type with the alignment that a `typedef` gives it.
    pub(super) fn aligned(&mut self, id: TypeId, alignment: u64) -> TypeId {
        let ty = Type { aligned: Some(alignment), ..self.get(id).clone() };
        self.intern(ty)
    }

    pub(super) fn is_void(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Void)
    }

    pub(super) fn is_bool(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Bool)
    }

    pub(super) fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Integer { .. } | TypeKind::Bool)
    }

    pub(super) fn is_floating(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Floating { .. })
    }

    pub(super) fn is_arithmetic(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_floating(id)
    }

    pub(super) fn is_record(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Record(_))
    }

    pub(super) fn is_function(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Function { .. })
    }

    pub(super) fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.pointee(id).is_some()
    }

    /// Whether objects of the type have elements or members.
    pub(super) fn is_aggregate(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Record(_) | TypeKind::Array { .. })
    }

    /// What a pointer points to.
    pub(super) fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match *self.kind(id) {
            TypeKind::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// The elements of an array.
    pub(super) fn element(&self, id: TypeId) -> Option<TypeId> {
        match *self.kind(id) {
            TypeKind::Array { element, .. } => Some(element),
            _ => None,
        }
    }

    /// Width and sign of an integer type; `_Bool` has eight bits here, of which one is used.
    pub(super) fn integer_shape(&self, id: TypeId) -> Option<(u32, bool)> {
        match *self.kind(id) {
            TypeKind::Integer { bits, is_signed, .. } => Some((bits, is_signed)),
            TypeKind::Bool => Some((8, false)),
            _ => None,
        }
    }

    /// The width and sign in which a scalar that is no floating-point number is held: pointers are unsigned.
    pub(super) fn scalar_shape(&self, id: TypeId) -> Option<(u32, bool)> {
        match self.kind(id) {
            TypeKind::Pointer(_) => Some((self.data_model.pointer_bits(), false)),
            _ => self.integer_shape(id),
        }
    }

    /// Whether two types are compatible (C11 §6.2.7). With `qualified`, the outermost qualifiers have to agree.
    /// Unknown lengths and unknown parameters agree with known ones.
    pub(super) fn compatible(&self, a: TypeId, b: TypeId, qualified: bool) -> bool {
        if a == b {
            return true;
        }
        let (left, right) = (self.get(a), self.get(b));
        if qualified && left.qualifiers != right.qualifiers {
            return false;
        }
        match (&left.kind, &right.kind) {
            (&TypeKind::Pointer(a), &TypeKind::Pointer(b)) => self.compatible(a, b, true),
            (&TypeKind::Array { element: a, length: m }, &TypeKind::Array { element: b, length: n }) => {
                self.compatible(a, b, true) && (m.is_none() || n.is_none() || m == n)
            }
            (
                TypeKind::Function { result: a, parameters: p, is_variadic: v },
                TypeKind::Function { result: b, parameters: q, is_variadic: w },
            ) => {
                let unspecified = (p.is_empty() && *v) || (q.is_empty() && *w);
                self.compatible(*a, *b, true)
                    && (unspecified
                        || (v == w
                            && p.len() == q.len()
                            && p.iter().zip(q).all(|(&a, &b)| self.compatible(a, b, false))))
            }
            (left, right) => without_name(left) == without_name(right),
        }
    }

    /// Whether compatible types have `char` where the other has it, and not `signed char`: C tells them apart where it asks for
    /// types, and compilers take one for the other everywhere else.
    pub(super) fn same_characters(&self, a: TypeId, b: TypeId) -> bool {
        match (self.kind(a), self.kind(b)) {
            (&TypeKind::Pointer(a), &TypeKind::Pointer(b))
            | (&TypeKind::Array { element: a, .. }, &TypeKind::Array { element: b, .. }) => {
                self.same_characters(a, b)
            }
            (
                TypeKind::Function { result: a, parameters: p, .. },
                TypeKind::Function { result: b, parameters: q, .. },
            ) => self.same_characters(*a, *b) && p.iter().zip(q).all(|(&a, &b)| self.same_characters(a, b)),
            (TypeKind::Integer { rank: a, .. }, TypeKind::Integer { rank: b, .. }) => a == b,
            _ => true,
        }
    }

    /// The type that says all that two compatible types say (C11 §6.2.7 p3).
    pub(super) fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let (left, right) = (self.get(a).clone(), self.get(b).clone());
        let kind = match (left.kind.clone(), right.kind) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => TypeKind::Pointer(self.composite(a, b)),
            (TypeKind::Array { element: a, length: m }, TypeKind::Array { element: b, length: n }) => {
                TypeKind::Array { element: self.composite(a, b), length: m.or(n) }
            }
            (
                TypeKind::Function { result: a, parameters: p, is_variadic: v },
                TypeKind::Function { result: b, parameters: q, is_variadic: w },
            ) => {
                let result = self.composite(a, b);
                let (parameters, is_variadic) = match (p.is_empty() && v, p.len() == q.len()) {
                    (true, _) => (q, w),
                    (false, true) => (p.iter().zip(&q).map(|(&a, &b)| self.composite(a, b)).collect(), v),
                    (false, false) => (p, v),
                };
                TypeKind::Function { result, parameters, is_variadic }
            }
            (kind, _) => kind,
        };
        let (opaque, aligned) = (left.opaque.or(right.opaque), left.aligned.or(right.aligned));
        self.intern(Type { kind, qualifiers: left.qualifiers, opaque, aligned })
    }
}

/// A type in which `signed char` is `char`.
fn without_name(kind: &TypeKind) -> TypeKind {
    match *kind {
        TypeKind::Integer { bits, is_signed, rank: IntegerWord::SignedChar } => {
            TypeKind::Integer { bits, is_signed, rank: IntegerWord::Char }
        }
        ref other => other.clone(),
    }
}
