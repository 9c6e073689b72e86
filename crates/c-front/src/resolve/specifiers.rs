//! Types as they are written: specifiers, declarators, names of types, parameters (C11 §6.7).

use super::scope::{Meaning, Tag};
use super::{Outcome, Resolver};
use crate::hir::{DataModel, TypeId, TypeKind};
use crate::syntax::{
    ArraySize, Attribute, Declarator, Derived, ExpressionKind, IntegerWord, Parameter, Parameters,
    Specifiers, TypeName, TypeSpecifier,
};
use throng_base::Span;

impl Resolver<'_> {
    /// The type that specifiers say, qualifiers included. `is_alone`: no declarator follows, so that `struct s;` is a
    /// new struct.
    pub(super) fn base_type(&mut self, specifiers: &Specifiers, is_alone: bool) -> Outcome<TypeId> {
        let span = specifiers.span;
        let ty = match &specifiers.ty {
            TypeSpecifier::Void => self.types.void(),
            TypeSpecifier::Bool => self.types.bool(),
            TypeSpecifier::Integer { word: IntegerWord::Char, sign: Some(true) } => {
                self.types.integer(IntegerWord::SignedChar, true)
            }
            TypeSpecifier::Integer { word, sign } => self.types.integer(*word, sign.unwrap_or(true)),
            TypeSpecifier::Floating(words) => {
                let bytes = self.floating_bytes(words);
                // `_Float16`, `_Decimal64`, `_Complex` and so on are other numbers.
                let is_real = matches!(&**words, "float" | "double" | "long double" | "double long");
                self.types.of(TypeKind::Floating { bytes, is_real })
            }
            TypeSpecifier::Record(record) => self.record(record, is_alone)?,
            TypeSpecifier::Enum(specifier) => self.enumeration(specifier)?,
            TypeSpecifier::Typedef(name) => match self.scopes.name(&name.text) {
                Some((Meaning::Typedef(ty), _)) => ty,
                _ => return Err(self.unknown_type(&name.text, name.span)),
            },
            TypeSpecifier::TypeofExpression(expression) => self.unevaluated_type(expression)?,
            TypeSpecifier::TypeofType(name) => self.type_name_of(name)?,
            TypeSpecifier::Atomic(name) => {
                let ty = self.type_name_of(name)?;
                let atomic = crate::syntax::Qualifiers { is_atomic: true, ..Default::default() };
                self.types.qualify(ty, atomic)
            }
            TypeSpecifier::Auto => {
                return Err(self.error(
                    "E0617",
                    "`__auto_type` needs a variable with an initial value",
                    span,
                ));
            }
            TypeSpecifier::VaList => self.types.of(TypeKind::VaList),
        };
        let ty = self.with_attributes(ty, &specifiers.attributes);
        Ok(self.types.qualify(ty, specifiers.qualifiers))
    }

    fn unknown_type(&mut self, name: &str, span: Span) -> super::Reported {
        let mut diagnostic = self.text.error("E0605", format!("`{name}` is not a type"), span);
        if let Some(near) = self.scopes.closest(name) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        if matches!(self.scopes.tag(name), Some((Tag::Record(_), _))) {
            diagnostic = diagnostic.hint(format!("write `struct {name}`"));
        }
        self.report(diagnostic)
    }

    fn floating_bytes(&self, words: &str) -> u32 {
        let is_complex = words.contains("omplex");
        let bytes = match self.data_model {
            _ if words.contains("float128") || words.contains("Float128") || words.contains("Float64x") => 16,
            DataModel::Ilp32 if words.contains("long") => 12,
            DataModel::Lp64 if words.contains("long") => 16,
            _ if words.contains("double") || words.contains("64") || words.contains("32x") => 8,
            _ if words.contains("16") => 2,
            _ if words.contains("float") || words.contains("Float32") => 4,
            _ => 8,
        };
        if is_complex { 2 * bytes } else { bytes }
    }

    /// The type after the attributes `mode` and `vector_size`; of others, only
    /// `transparent_union` is noted.
    pub(super) fn with_attributes(&mut self, ty: TypeId, attributes: &[Attribute]) -> TypeId {
        let mut ty = ty;
        for attribute in attributes {
            let argument = attribute.arguments.first();
            match (attribute.name.text.as_ref(), argument.map(|argument| &argument.kind)) {
                ("mode", Some(ExpressionKind::Name(mode))) => {
                    if let Some((_, is_signed)) = self.types.integer_shape(ty)
                        && let Some(bytes) = self.mode_bytes(mode.trim_matches('_'))
                        && let Some(integer) = self.integer_of_bytes(bytes, is_signed)
                    {
                        ty = integer;
                    }
                }
                ("vector_size", Some(ExpressionKind::Integer(literal))) => {
                    // Vectors are as little modelled as floating-point numbers.
                    let bytes = u32::try_from(literal.value).unwrap_or(16);
                    ty = self.types.of(TypeKind::Floating { bytes, is_real: false });
                }
                (name, None) if name.trim_matches('_') == "transparent_union" => {
                    if let TypeKind::Record(id) = *self.types.kind(ty) {
                        self.transparent.insert(id);
                    }
                }
                _ => {}
            }
        }
        ty
    }

    fn mode_bytes(&self, mode: &str) -> Option<u64> {
        Some(match mode {
            "QI" | "byte" => 1,
            "HI" => 2,
            "SI" => 4,
            "DI" => 8,
            "TI" => 16,
            "word" | "pointer" | "unwind_word" => self.pointer_bytes(),
            _ => return None,
        })
    }

    /// The type of a declared name: the specifiers' type with what the declarator adds.
    pub(super) fn declared_type(&mut self, base: TypeId, declarator: &Declarator) -> Outcome<TypeId> {
        let ty = self.derived_type(base, &declarator.derived)?;
        Ok(self.with_attributes(ty, &declarator.attributes))
    }

    pub(super) fn derived_type(&mut self, base: TypeId, derived: &[Derived]) -> Outcome<TypeId> {
        let mut ty = base;
        for step in derived {
            ty = match step {
                Derived::Pointer(qualifiers) => {
                    let pointer = self.types.pointer(ty);
                    self.types.qualify(pointer, *qualifiers)
                }
                Derived::Array { size, span } => self.array_type(ty, size, *span)?,
                Derived::Function(parameters) => self.function_type(ty, parameters)?,
            };
        }
        Ok(ty)
    }

    fn array_type(&mut self, element: TypeId, size: &ArraySize, span: Span) -> Outcome<TypeId> {
        if self.types.is_function(element) || self.types.is_void(element) || self.size_of(element).is_none() {
            let found = self.describe(element);
            return Err(self.error("E0618", format!("there are no arrays of {found}"), span));
        }
        let length = match size {
            ArraySize::Unknown | ArraySize::Star => None,
            ArraySize::Expression(expression) => {
                let value = self.rvalue(expression)?;
                Some(self.array_length(&value)?)
            }
        };
        let ty = self.types.array(element, length);
        let most = 1u64 << (self.data_model.pointer_bits() - 1);
        match (length, self.size_of(ty)) {
            (Some(_), None) => Err(self.error("E0619", "this array is larger than the memory", span)),
            (_, Some(size)) if size >= most => {
                Err(self.error("E0619", "this array is larger than the memory", span))
            }
            _ => Ok(ty),
        }
    }

    /// The number of elements: a constant, or `const` variables of known values.
    fn array_length(&mut self, value: &crate::hir::Expression) -> Outcome<u64> {
        let span = value.span;
        let Some((bits, is_signed)) = self.types.integer_shape(value.ty) else {
            let found = self.describe(value.ty);
            return Err(self.error(
                "E0620",
                format!("the length of an array is not an integer but {found}"),
                span,
            ));
        };
        let Some(number) = self.known_value_of(value) else {
            return Err(self.error_with_hint(
                "E0606",
                "the length of this array is not constant",
                span,
                "only the outermost length of an array in a function may vary: give it the largest length it can have",
            ));
        };
        u64::try_from(super::constant::extend(number, bits, is_signed))
            .map_err(|_| self.error("E0619", "the length of this array is negative or too large", span))
    }

    /// A type in an expression.
    pub(super) fn type_name_of(&mut self, name: &TypeName) -> Outcome<TypeId> {
        let base = self.base_type(&name.specifiers, false)?;
        self.declared_type(base, &name.declarator)
    }

    /// The type of a function with this result.
    pub(super) fn function_type(&mut self, result: TypeId, parameters: &Parameters) -> Outcome<TypeId> {
        if self.types.is_function(result) || self.types.element(result).is_some() {
            let span = parameters.list.first().map_or(Span::default(), |first| first.declarator.span);
            let found = self.describe(result);
            return Err(self.error("E0618", format!("there are no functions that return {found}"), span));
        }
        self.scopes.enter();
        let objects = self.objects.len();
        let mut named = 0;
        let mut types = Vec::with_capacity(parameters.list.len());
        let mut outcome = Ok(());
        for parameter in &parameters.list {
            match self.parameter_type(parameter) {
                Ok(ty) => {
                    types.push(self.types.unqualified(ty));
                    named += usize::from(self.declare_prototype_name(parameter, ty));
                }
                Err(reported) => outcome = Err(reported),
            }
        }
        self.scopes.leave();
        if self.objects.len() == objects + named {
            self.objects.truncate(objects);
        }
        outcome?;
        // `(void)` takes nothing.
        if let [only] = types[..]
            && self.types.is_void(only)
        {
            types.clear();
        }
        let is_variadic =
            parameters.is_variadic || parameters.is_unspecified || !parameters.old_names.is_empty();
        let result = self.types.unqualified(result);
        Ok(self.types.function(result, types, is_variadic))
    }

    /// Names of earlier parameters may stand in the types of later ones: `int a[sizeof n]`. Their objects are gone when
    /// the list ends.
    fn declare_prototype_name(&mut self, parameter: &Parameter, ty: TypeId) -> bool {
        let (Some(name), false) = (&parameter.declarator.name, self.types.is_void(ty)) else { return false };
        let object = self.new_object(name.text.to_string(), ty, crate::hir::Storage::Static, name.span);
        self.objects[object.index()].is_external = true;
        self.scopes.declare(name.text.clone(), Meaning::Object(object), name.span);
        true
    }

    /// The type of a parameter: arrays and functions are pointers (C11 §6.7.6.3 p7, p8).
    pub(super) fn parameter_type(&mut self, parameter: &Parameter) -> Outcome<TypeId> {
        let base = self.base_type(&parameter.specifiers, false)?;
        self.adjusted_type(base, &parameter.declarator)
    }

    /// See [`Resolver::parameter_type`].
    pub(super) fn adjusted_type(&mut self, base: TypeId, declarator: &Declarator) -> Outcome<TypeId> {
        // The outermost length means nothing, so it need not be constant.
        if let Some((Derived::Array { .. }, inner)) = declarator.derived.split_last() {
            let element = self.derived_type(base, inner)?;
            return Ok(self.types.pointer(element));
        }
        let ty = self.declared_type(base, declarator)?;
        if let Some(element) = self.types.element(ty) {
            return Ok(self.types.pointer(element));
        }
        Ok(if self.types.is_function(ty) { self.types.pointer(ty) } else { ty })
    }
}
