//! Which variables of the model the compiled program has, and how they are read.

use rustc_hash::{FxHashMap, FxHashSet};
use throng_c_front::hir::{self, ObjectId, Opaque, Storage, TypeId, TypeKind};
use throng_cfa::flow::{Program, Scope, ValueType, Variable, VariableId};

/// How a variable is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// A number, by what it is called; `[]` stands for the index.
    Shared(String),
    /// An address.
    Pointer(String),
    /// Whether a mutex is taken.
    Mutex(String),
    /// What a thread has told the address of.
    Slot { slot: usize, is_pointer: bool },
}

/// What is known about variables.
pub(super) struct Known<'a> {
    typed: &'a hir::Program,
    program: &'a Program,
    /// Variables whose assignments proofs leave out: what they hold there means nothing.
    sliced: FxHashSet<VariableId>,
    slots: FxHashMap<VariableId, usize>,
    /// Objects that are declared within functions.
    inner: FxHashSet<ObjectId>,
    /// The objects that threads tell the addresses of: their scalars, with slots.
    pub(super) watched: FxHashMap<ObjectId, Vec<(String, usize)>>,
}

impl<'a> Known<'a> {
    pub(super) fn new(typed: &'a hir::Program, program: &'a Program, prepared: &Program) -> Self {
        let assigned = |program: &Program| -> FxHashSet<VariableId> {
            let own = program.edges.iter().flat_map(|edge| edge.assignments.iter().map(|a| a.target));
            own.collect()
        };
        let kept = assigned(prepared);
        let sliced = assigned(program).into_iter().filter(|variable| !kept.contains(variable)).collect();
        let (slots, watched) = (FxHashMap::default(), FxHashMap::default());
        Self { typed, program, sliced, slots, inner: inner(typed), watched }
    }

    pub(super) fn program(&self) -> &'a Program {
        self.program
    }

    pub(super) fn n_slots(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn length(&self, variable: VariableId) -> u32 {
        self.program.variable(variable).length
    }

    /// How a variable without an index is read.
    pub(super) fn read(&mut self, id: VariableId) -> Result<Read, &'static str> {
        let variable = self.program.variable(id);
        self.check(id, variable)?;
        if variable.name.contains("[]") {
            return Err("it is about a whole array");
        }
        match (variable.scope, &variable.function) {
            (Scope::Shared, None) => self.global(variable),
            (Scope::Local(_), Some(function)) => self.local(id, variable, function),
            (Scope::Shared, Some(_)) => Err("it is about a variable inside of a function that others see"),
            (Scope::Local(_), None) => Err("it is about a variable of a thread without a function"),
        }
    }

    /// How an element of a row is read.
    pub(super) fn row(&mut self, id: VariableId) -> Result<Read, &'static str> {
        let variable = self.program.variable(id);
        self.check(id, variable)?;
        if variable.scope != Scope::Shared || variable.function.is_some() {
            return Err("it is about an array inside of a function");
        }
        if variable.name.matches("[]").count() != 1 {
            return Err("it is about an array of arrays");
        }
        self.global(variable)
    }

    fn check(&self, id: VariableId, variable: &Variable) -> Result<(), &'static str> {
        if variable.is_ghost {
            return Err(
                "it is about a value between two steps, which the compiled program keeps in a register",
            );
        }
        if self.sliced.contains(&id) {
            return Err("it is about a variable that the proof leaves out");
        }
        let is_ours = variable.name.replace("__throng_flag", "").contains("__throng_");
        if variable.ty == ValueType::Thread || is_ours || variable.name.contains(['(', ' ', '\'']) {
            return Err("it is about something that the compiled program keeps in another way");
        }
        Ok(())
    }

    fn global(&self, variable: &Variable) -> Result<Read, &'static str> {
        let name = variable.name.clone();
        let unknown = "it is about a variable that is not found in the text";
        let root = root(&name);
        let is_it = |object: &hir::Object| object.storage == Storage::Static && object.name == root;
        let found: Vec<usize> =
            (0..self.typed.objects.len()).filter(|&o| is_it(&self.typed.objects[o])).collect();
        let &[object] = &found[..] else { return Err(unknown) };
        if self.inner.contains(&ObjectId::new(object)) {
            return Err("it is about a static variable inside of a function");
        }
        let object = &self.typed.objects[object];
        let ty = self.part(object.ty, &name[root.len()..]).ok_or(unknown)?;
        match self.typed.types[ty.index()].opaque {
            Some(Opaque::Mutex) => Ok(Read::Mutex(name)),
            Some(_) => Err("it is about a lock that is not a mutex"),
            None if variable.ty == ValueType::Pointer => Ok(Read::Pointer(name)),
            None => Ok(Read::Shared(name)),
        }
    }

    /// The type of a part of an object: `.mutex`, `[].next`.
    fn part(&self, mut ty: TypeId, path: &str) -> Option<TypeId> {
        let words = path.replace("[]", ".[]");
        for word in words.split('.').filter(|word| !word.is_empty()) {
            ty = match (&self.typed.types[ty.index()].kind, word) {
                (TypeKind::Array { element, .. }, "[]") => *element,
                (TypeKind::Record(record), name) => {
                    let fields = self.typed.records[record.index()].fields.as_ref()?;
                    fields.iter().find(|field| field.name.as_deref() == Some(name))?.ty
                }
                _ => return None,
            };
        }
        Some(ty)
    }

    fn local(&mut self, id: VariableId, variable: &Variable, function: &str) -> Result<Read, &'static str> {
        let is_pointer = variable.ty == ValueType::Pointer;
        if let Some(&slot) = self.slots.get(&id) {
            return Ok(Read::Slot { slot, is_pointer });
        }
        let name = root(&variable.name);
        let is_it = |object: &hir::Object| {
            let owner = match object.storage {
                Storage::Automatic(f) | Storage::Parameter(f) => &self.typed.functions[f.index()].name,
                _ => return false,
            };
            owner == function && object.name == name
        };
        let found: Vec<usize> =
            (0..self.typed.objects.len()).filter(|&o| is_it(&self.typed.objects[o])).collect();
        let &[object] = &found[..] else { return Err("it is about one of several variables of that name") };
        let ty = self.part(self.typed.objects[object].ty, &variable.name[name.len()..]);
        let has_bytes = variable.bits.is_multiple_of(8) || variable.ty == ValueType::Bool;
        if !has_bytes || ty.is_none_or(|ty| self.typed.types[ty.index()].opaque.is_some()) {
            return Err("it is about a part of an object that has no address");
        }
        let slot = self.slots.len();
        self.slots.insert(id, slot);
        self.watched.entry(ObjectId::new(object)).or_default().push((variable.name.clone(), slot));
        Ok(Read::Slot { slot, is_pointer })
    }
}

fn root(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

/// The objects that are declared within braces, static ones included.
pub(super) fn inner(typed: &hir::Program) -> FxHashSet<ObjectId> {
    let mut places: Vec<(usize, ObjectId)> = Vec::new();
    for (index, object) in typed.objects.iter().enumerate() {
        places.push((object.span.start as usize, ObjectId::new(index)));
    }
    places.sort_unstable();
    let mut found = FxHashSet::default();
    let (mut depth, mut quote, mut next) = (0_i64, None, 0);
    let mut bytes = typed.text.source().text().bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        while next < places.len() && places[next].0 <= at {
            if depth > 0 {
                found.insert(places[next].1);
            }
            next += 1;
        }
        match (quote, byte) {
            (Some(_), b'\\') => {
                bytes.next();
            }
            (Some(open), byte) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'{') => depth += 1,
            (None, b'}') => depth -= 1,
            _ => {}
        }
    }
    found
}
