//! Objects: their addresses, the cells they are cut into, and the variables that hold these.
//!
//! Addresses begin at 0x1000; objects are aligned to 16 bytes and at least 16 bytes apart, so one past the end of an
//! object is no other object's address. Functions have addresses above all objects. Variables are made when code first
//! mentions them.

use super::Lower;
use super::cells::{Cell, Shape};
use super::types::{self, Hop, LeafKind};
use crate::hir::{
    Expression, ExpressionKind, FunctionId, ObjectId, Opaque, Place, PlaceKind, Program, Step, Storage,
    Store, TypeId, TypeKind,
};
use crate::syntax::BinaryOperator;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use throng_base::{Diagnostic, Span};
use throng_cfa::flow::{self, ExpressionId, NondetId, Scope, ValueType, Variable, VariableId};

/// Objects that C has no name for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PseudoObject {
    /// What a function returns.
    Result(FunctionId),
    /// A value of record type between its computation and its use, by where it stands.
    Temporary(FunctionId, u32, u32),
}

/// Which variable of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Facet {
    /// The scalar itself.
    Value,
    /// How often the thread holds this lock.
    Holds,
}

/// An object.
pub(super) struct Info {
    pub(super) name: String,
    pub(super) ty: TypeId,
    pub(super) storage: Storage,
    pub(super) address: u64,
    pub(super) size: u64,
    pub(super) is_external: bool,
    pub(super) is_ghost: bool,
    shape: Option<Rc<Shape>>,
    /// What static objects hold at the start where it is not zero, by cell and number.
    image: Option<Rc<FxHashMap<(usize, u64), u128>>>,
}

/// All objects with their addresses.
pub(super) struct Memory {
    pub(super) objects: Vec<Info>,
    pub(super) functions: Vec<u64>,
    next: u64,
    variables: FxHashMap<(ObjectId, usize, Facet, Scope), VariableId>,
    /// For each variable that is a cell of an object, which.
    pub(super) origins: FxHashMap<VariableId, (ObjectId, usize)>,
}

impl Memory {
    /// Places everything.
    pub(super) fn new(program: &Program) -> Self {
        let mut this = Self {
            objects: Vec::new(),
            functions: Vec::new(),
            next: 0x1000,
            variables: FxHashMap::default(),
            origins: FxHashMap::default(),
        };
        for object in &program.objects {
            let size = types::size_of(program, object.ty);
            this.next = this.next.next_multiple_of(object.alignment.unwrap_or(1).max(1));
            this.add(object.name.clone(), object.ty, object.storage, size, false);
            if let Some(info) = this.objects.last_mut() {
                info.is_external = object.is_external;
                if object.is_external && object.is_weak {
                    info.address = 0;
                }
            }
        }
        let first = (this.next + 0xfff) & !0xfff;
        this.functions = (0..program.functions.len() as u64).map(|index| first + 16 * index).collect();
        // A weak function that nobody defines has no address, as the linker has it.
        for (address, function) in this.functions.iter_mut().zip(&program.functions) {
            if function.is_weak && function.body.is_none() && crate::world::function(&function.name).is_none()
            {
                *address = 0;
            }
        }
        this.next = first + 16 * program.functions.len() as u64 + 16;
        this
    }

    fn add(&mut self, name: String, ty: TypeId, storage: Storage, size: u64, is_ghost: bool) -> ObjectId {
        let address = self.next;
        self.next = (address.saturating_add(size).saturating_add(31)) & !15;
        self.objects.push(Info {
            name,
            ty,
            storage,
            address,
            size,
            is_external: false,
            is_ghost,
            shape: None,
            image: None,
        });
        ObjectId::new(self.objects.len() - 1)
    }

    /// The table of addresses, for messages.
    pub(super) fn layout(&self, program: &Program) -> flow::Layout {
        let objects = self.objects.iter().filter(|info| !info.is_ghost);
        let functions = program.functions.iter().zip(&self.functions);
        flow::Layout {
            objects: objects.map(|info| (info.name.clone(), info.address, info.size)).collect(),
            functions: functions.map(|(function, &at)| (function.name.clone(), at)).collect(),
        }
    }
}

impl Lower<'_> {
    /// The leaves and cells of an object.
    pub(super) fn shape_of(&mut self, object: ObjectId) -> Rc<Shape> {
        let program = self.program;
        let has_bool_bytes = self.puns.has_bool_bytes;
        let info = &mut self.memory.objects[object.index()];
        let ty = info.ty;
        Rc::clone(info.shape.get_or_insert_with(|| Rc::new(Shape::new(program, ty, has_bool_bytes))))
    }

    /// An object that C has no name for.
    pub(super) fn pseudo_object(
        &mut self,
        key: PseudoObject,
        name: &str,
        ty: TypeId,
        function: FunctionId,
    ) -> ObjectId {
        if let Some(&object) = self.pseudo_objects.get(&key) {
            return object;
        }
        let size = types::size_of(self.program, ty);
        let object = self.memory.add(name.to_owned(), ty, Storage::Automatic(function), size, true);
        self.pseudo_objects.insert(key, object);
        object
    }

    /// Who has an object's variables in the code that is being made.
    pub(super) fn scope(&self, object: ObjectId) -> Scope {
        match self.memory.objects[object.index()].storage {
            Storage::Static => Scope::Shared,
            Storage::Automatic(_) | Storage::Parameter(_) if self.shared_locals.contains(&object) => {
                Scope::Shared
            }
            _ => Scope::Local(self.template),
        }
    }

    /// Whether code of the template that is being made can reach an object by its address.
    pub(super) fn is_accessible(&self, object: ObjectId) -> bool {
        match self.memory.objects[object.index()].storage {
            Storage::Static | Storage::Thread => true,
            Storage::Automatic(f) | Storage::Parameter(f) => {
                self.shared_locals.contains(&object)
                    || self.templates[self.template.index()].functions.contains(&f)
            }
        }
    }

    /// Refuses locals of threads whose addresses get around: there is only one variable for all of them.
    fn check_escape(&mut self, object: ObjectId) {
        if self.points.started.is_empty() && self.options.threads_run.is_empty() {
            // There are no other threads.
            return;
        }
        let function = match self.memory.objects[object.index()].storage {
            Storage::Thread => None,
            Storage::Automatic(f) | Storage::Parameter(f) => Some(f),
            Storage::Static => return,
        };
        let is_own = function.is_none_or(|f| self.templates[self.template.index()].functions.contains(&f));
        if is_own && !self.shared_locals.contains(&object) && self.points.escaped.contains(&object) {
            let (name, span) = (self.memory.objects[object.index()].name.clone(), self.object_span(object));
            let message = format!(
                "the address of `{name}`, which does not live as long as the program, may come to other threads"
            );
            self.refuse("E0712", message, span, "make it a global variable, or an element of a global array");
        }
    }

    fn object_span(&self, object: ObjectId) -> Span {
        self.program.objects.get(object.index()).map_or_else(Span::default, |object| object.span)
    }

    /// Whether accesses to an object are seen by other threads.
    pub(super) fn is_shared(&self, object: ObjectId) -> bool {
        self.scope(object) == Scope::Shared && !self.is_constant(object)
    }

    /// Whether a static object keeps its initial value.
    pub(super) fn is_constant(&self, object: ObjectId) -> bool {
        self.memory.objects[object.index()].storage == Storage::Static
            && object.index() < self.program.objects.len()
            && !self.points.written.contains(&object)
    }

    /// The variable of an object that is one scalar.
    pub(super) fn scalar_variable(&mut self, object: ObjectId) -> Option<VariableId> {
        let shape = self.shape_of(object);
        let is_scalar = matches!(&shape.leaves[..], [leaf] if leaf.path.is_empty());
        is_scalar.then(|| self.cell_variable(object, 0, Facet::Value))
    }

    /// The variable of a cell.
    pub(super) fn cell_variable(&mut self, object: ObjectId, cell: usize, facet: Facet) -> VariableId {
        let scope = match facet {
            Facet::Value => self.scope(object),
            Facet::Holds => Scope::Local(self.template),
        };
        let key = (object, cell, facet, scope);
        if let Some(&variable) = self.memory.variables.get(&key) {
            return variable;
        }
        self.check_escape(object);
        let variable = self.make_variable(object, cell, facet, scope);
        let id = self.add_variable(variable);
        self.memory.variables.insert(key, id);
        if facet == Facet::Value {
            self.memory.origins.insert(id, (object, cell));
        }
        id
    }

    /// A new variable, among those of its template if it is local.
    pub(super) fn add_variable(&mut self, variable: Variable) -> VariableId {
        let id = VariableId::new(self.variables.len());
        if let Scope::Local(template) = variable.scope {
            self.templates[template.index()].locals.push(id);
        }
        self.variables.push(variable);
        id
    }

    fn make_variable(&mut self, object: ObjectId, cell: usize, facet: Facet, scope: Scope) -> Variable {
        let all = self.shape_of(object);
        let shape = &all.cells[cell];
        let info = &self.memory.objects[object.index()];
        let (name, is_ghost) = match facet {
            Facet::Value => (format!("{}{}", info.name, shape.suffix), info.is_ghost),
            Facet::Holds => (format!("holds {}{}", info.name, shape.suffix), true),
        };
        let function = match info.storage {
            Storage::Automatic(f) | Storage::Parameter(f) => {
                Some(self.program.functions[f.index()].name.clone())
            }
            _ => None,
        };
        let address = (facet == Facet::Value && !info.is_ghost)
            .then(|| uniform(shape).map(|stride| (info.address + shape.offset, stride)))
            .flatten();
        let length = shape.length().min(u64::from(u32::MAX)) as u32;
        let bits = if facet == Facet::Holds { 8 } else { shape.bits };
        let ty = if facet == Facet::Holds {
            ValueType::Integer { is_signed: false }
        } else {
            shape.ty.map_or(ValueType::Integer { is_signed: false }, |ty| self.value_type(ty))
        };
        let initial =
            if facet == Facet::Holds { Some(zeros(length.into())) } else { self.initial(object, cell) };
        Variable { name, function, scope, bits, ty, length, initial, address, is_ghost }
    }

    /// What values of a type are, for people.
    pub(super) fn value_type(&self, ty: TypeId) -> ValueType {
        let ty = types::get(self.program, ty);
        match (&ty.kind, ty.opaque) {
            (_, Some(Opaque::Thread)) => ValueType::Thread,
            (_, Some(Opaque::Mutex)) | (TypeKind::Bool, _) => ValueType::Bool,
            (TypeKind::Integer { is_signed, .. }, _) => ValueType::Integer { is_signed: *is_signed },
            (TypeKind::Pointer(_), _) => ValueType::Pointer,
            _ => ValueType::Integer { is_signed: false },
        }
    }

    /// What a cell holds at the start.
    fn initial(&mut self, object: ObjectId, cell: usize) -> Option<Vec<u128>> {
        let shape = self.shape_of(object);
        if self.memory.objects[object.index()].is_external || self.holds_initially(object) {
            return None;
        }
        let length = shape.cells[cell].length();
        let mut values = zeros(length);
        if matches!(shape.cells[cell].kind, LeafKind::Value) && object.index() < self.program.objects.len() {
            let image = self.image(object);
            if image.contains_key(&(cell, u64::MAX)) {
                return None;
            }
            let written = image.keys().filter(|&&(other, number)| other == cell && number < length);
            let count = written.map(|&(_, number)| number as usize + 1).max().unwrap_or(0);
            if count > values.len() {
                values.resize(count, 0);
            }
            for (number, value) in values.iter_mut().enumerate().take(count) {
                *value = image.get(&(cell, number as u64)).copied().unwrap_or(0);
            }
        }
        Some(values)
    }

    /// What a static object holds at the start, where it is not zero: all stores of its initialiser in their order.
    fn image(&mut self, object: ObjectId) -> Rc<FxHashMap<(usize, u64), u128>> {
        if let Some(image) = &self.memory.objects[object.index()].image {
            return Rc::clone(image);
        }
        let shape = self.shape_of(object);
        let mut image: FxHashMap<(usize, u64), u128> = FxHashMap::default();
        let program = self.program;
        for store in &program.objects[object.index()].initial {
            let hops: Vec<Hop> = store.path.iter().map(hop).collect();
            let Some(leaf) = shape.leaf(&hops).map(|leaf| &shape.leaves[leaf]) else { continue };
            let mut offset = leaf.offset;
            let elements = store.path.iter().filter_map(|step| match step {
                Step::Element(index) => Some(*index),
                Step::Field(_) => None,
            });
            offset += elements.zip(&leaf.dimensions).map(|(index, &(size, _))| index * size).sum::<u64>();
            let known = self.constant_value(&store.value);
            let mut value = known.unwrap_or(0);
            for part in shape.bits(offset, leaf.bit, leaf.bits).into_iter().flatten() {
                if let Some(cell) = part.cell.filter(|_| part.low < 128) {
                    if known.is_none() {
                        // A floating-point number, which is not computed: the whole cell is arbitrary.
                        image.insert((cell, u64::MAX), 1);
                    }
                    let bits = flow::mask(part.count) << part.low;
                    let held = image.entry((cell, part.number)).or_default();
                    *held = (*held & !bits) | ((value & flow::mask(part.count)) << part.low);
                }
                value = value.checked_shr(part.count).unwrap_or(0);
            }
        }
        let image = Rc::new(image);
        self.memory.objects[object.index()].image = Some(Rc::clone(&image));
        image
    }

    /// The value of an expression that C calls a constant.
    pub(super) fn constant_value(&mut self, e: &Expression) -> Option<u128> {
        let bits = types::bits_of(self.program, e.ty);
        let value = match &e.kind {
            ExpressionKind::Constant(value) => Some(*value),
            ExpressionKind::FunctionAddress(function) => {
                Some(u128::from(self.memory.functions[function.index()]))
            }
            ExpressionKind::AddressOf(place) => self.constant_address(place),
            ExpressionKind::Convert(a) => {
                let from = types::bits_of(self.program, a.ty);
                let value = self.constant_value(a)?;
                if types::is_unmodelled(self.program, a.ty) || types::is_unmodelled(self.program, e.ty) {
                    return None;
                }
                match types::get(self.program, e.ty).kind {
                    TypeKind::Bool => Some(u128::from(value != 0)),
                    _ if types::is_signed(self.program, a.ty) => Some(flow::signed(value, from) as u128),
                    _ => Some(value),
                }
            }
            ExpressionKind::Offset { pointer, index, size, is_negative } => {
                let pointer = self.constant_value(pointer)?;
                let distance = self.constant_value(index)?.wrapping_mul(u128::from(*size));
                let sum = if *is_negative {
                    pointer.wrapping_sub(distance)
                } else {
                    pointer.wrapping_add(distance)
                };
                Some(sum)
            }
            ExpressionKind::Binary(operator @ (BinaryOperator::Add | BinaryOperator::Subtract), a, b) => {
                let (a, b) = (self.constant_value(a)?, self.constant_value(b)?);
                let is_sum = *operator == BinaryOperator::Add;
                Some(if is_sum { a.wrapping_add(b) } else { a.wrapping_sub(b) })
            }
            _ => None,
        };
        value.map(|value| value & flow::mask(bits))
    }

    fn constant_address(&mut self, place: &Place) -> Option<u128> {
        match &place.kind {
            PlaceKind::Object(object) => Some(u128::from(self.memory.objects[object.index()].address)),
            PlaceKind::Member(inner, field) => {
                let offset = self.field_offset(inner.ty, *field);
                Some(self.constant_address(inner)?.wrapping_add(u128::from(offset)))
            }
            PlaceKind::Element(inner, index) => {
                let size = types::size_of(self.program, place.ty);
                let distance = self.constant_value(index)?.wrapping_mul(u128::from(size));
                Some(self.constant_address(inner)?.wrapping_add(distance))
            }
            PlaceKind::Dereference(pointer) => self.constant_value(pointer),
            PlaceKind::Value(_) => None,
        }
    }

    /// The offset of a member.
    pub(super) fn field_offset(&self, ty: TypeId, field: u32) -> u64 {
        let TypeKind::Record(record) = types::get(self.program, ty).kind else { return 0 };
        let fields = self.program.records[record.index()].fields.as_ref();
        fields.and_then(|fields| fields.get(field as usize)).map_or(0, |field| field.offset)
    }

    /// An arbitrary value.
    pub(super) fn nondet(&mut self, name: &str, bits: u32, ty: ValueType) -> ExpressionId {
        let id = NondetId::new(self.nondets.len());
        self.nondets.push(flow::Nondet { bits, name: name.to_owned(), ty });
        self.nondet_spans.push(std::mem::take(&mut self.nondet_span));
        self.e.nondet(id, bits)
    }

    /// An arbitrary value of a type.
    pub(super) fn nondet_of(&mut self, name: &str, ty: TypeId) -> ExpressionId {
        let (bits, ty) = (types::bits_of(self.program, ty), self.value_type(ty));
        self.nondet(name, bits, ty)
    }

    /// An arbitrary value in place of one that has no model: the program is refused if it matters.
    pub(super) fn unmodelled(&mut self, bits: u32, diagnostic: Diagnostic) -> ExpressionId {
        let value = self.nondet("not modelled", bits, ValueType::Integer { is_signed: false });
        if let flow::Expression::Nondet(nondet) = self.e.get(value) {
            self.unmodelled.insert(nondet, diagnostic);
        }
        value
    }

    /// The same, with the parts of the message.
    pub(super) fn unmodelled_at(
        &mut self,
        bits: u32,
        code: &'static str,
        message: &str,
        span: Span,
    ) -> ExpressionId {
        let diagnostic = self.program.text.error(code, message, span);
        let diagnostic = diagnostic.note("it can influence whether an error is reached");
        self.unmodelled(bits, diagnostic)
    }

    /// Refuses the program.
    pub(super) fn refuse(&mut self, code: &'static str, message: impl Into<String>, span: Span, hint: &str) {
        let mut diagnostic = self.program.text.error(code, message, span);
        if !hint.is_empty() {
            diagnostic = diagnostic.hint(hint);
        }
        if !self.errors.contains(&diagnostic) {
            self.errors.push(diagnostic);
        }
    }

    /// Notes something that the verdict rests on.
    pub(super) fn note(&mut self, kind: &'static str, text: &str, span: Span) {
        let position = self.program.text.position(span.start);
        let (_, positions) = self.ledger.entry(kind).or_insert_with(|| (text.to_owned(), Vec::new()));
        if positions.len() < 8 && !positions.contains(&position) {
            positions.push(position);
        }
    }
}

/// The distance between neighbours of a cell, if it is the same for all.
fn uniform(leaf: &Cell) -> Option<u64> {
    let mut inner: Option<(u64, u64)> = None;
    for &(size, length) in leaf.dimensions.iter().rev() {
        inner = match inner {
            None => Some((size, size * length)),
            Some((stride, whole)) if whole == size => Some((stride, size * length)),
            Some(_) if length == 1 => inner,
            Some(_) => return None,
        };
    }
    Some(inner.map_or(leaf.size, |(stride, _)| stride))
}

/// A step of an initialiser, whichever element it is.
fn hop(step: &Step) -> Hop {
    match step {
        Step::Field(field) => Hop::Field(*field),
        Step::Element(_) => Hop::Element,
    }
}

/// The stores of an initialiser as they are written, for objects whose value is known by it.
pub(super) fn stores(program: &Program, object: ObjectId) -> &[Store] {
    program.objects.get(object.index()).map_or(&[], |object| &object.initial)
}

/// Values of an array that is all zeros: of a long one, none are kept.
fn zeros(length: u64) -> Vec<u128> {
    vec![0; if length > flow::LONGEST_FULL { 0 } else { length as usize }]
}
