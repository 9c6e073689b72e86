//! Linkage (C11 §6.2.2, §6.9.2): which declarations, in one unit or several, mean the same variable or function; and
//! which structs of several units are the same.

use super::precedence::Precedence;
use super::scope::{Meaning, Scopes};
use super::{Outcome, Resolver};
use crate::hir::{Function, FunctionId, ObjectId, RecordId, Storage, TypeId, TypeKind};
use crate::syntax::{self, Item, Name};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use throng_base::Span;

/// Something with linkage.
#[derive(Clone, Copy, Debug)]
struct Entity {
    meaning: Meaning,
    /// Where it is declared first, or defined.
    span: Span,
    is_defined: bool,
    /// Whether another definition wins.
    is_weak: bool,
}

impl Entity {
    /// Declared, and not defined yet.
    fn new(meaning: Meaning, span: Span) -> Self {
        Self { meaning, span, is_defined: false, is_weak: false }
    }
}

/// What names with linkage mean.
#[derive(Debug, Default)]
pub(super) struct Linkage {
    /// In all units.
    external: FxHashMap<Arc<str>, Entity>,
    /// In this unit.
    internal: FxHashMap<Arc<str>, Entity>,
    /// Names of this unit that the linker knows by another name: `asm("name")` and `alias("name")`.
    names: FxHashMap<Arc<str>, Arc<str>>,
    /// Those by `alias`, which have their own name for other units too.
    aliases: Vec<Name>,
}

/// Structs of units before this one, so that the same one in a header read by two files is one type.
#[derive(Debug, Default)]
pub(super) struct UnitRecords {
    /// By tag, with the text of the definition if there is one so far.
    tagged: FxHashMap<(bool, String), (RecordId, Option<String>)>,
    anonymous: FxHashMap<String, Vec<RecordId>>,
    /// How many structs of a text were met in this unit.
    met: FxHashMap<String, usize>,
    /// Those that this unit has defined, and where.
    completed: FxHashMap<RecordId, Span>,
    /// What this unit is going to define, by tag.
    ahead: FxHashMap<(bool, String), String>,
}

impl UnitRecords {
    /// The struct of this tag of an earlier unit, unless this unit defines it otherwise. Tags that lists of parameters
    /// declare are here too: C calls them different types in each list, which nobody means.
    pub(super) fn tagged(&self, is_union: bool, tag: &str) -> Option<RecordId> {
        let key = (is_union, tag.to_owned());
        let (id, text) = self.tagged.get(&key)?;
        match (text, self.ahead.get(&key)) {
            (Some(text), Some(ahead)) if text != ahead => None,
            _ => Some(*id),
        }
    }

    /// Notes that a struct is defined in this unit; gives where it was defined before.
    pub(super) fn complete(&mut self, id: RecordId, span: Span) -> Option<Span> {
        let known = self.completed.get(&id).copied();
        self.completed.entry(id).or_insert(span);
        known
    }

    /// Notes a struct outside of functions, with its definition or without.
    pub(super) fn note(&mut self, is_union: bool, tag: &str, id: RecordId, definition: Option<&str>) {
        self.tagged.insert((is_union, tag.to_owned()), (id, definition.map(words)));
    }

    /// The struct without a tag that an earlier unit wrote with the same text.
    pub(super) fn next_anonymous(&mut self, text: &str) -> Option<RecordId> {
        let met = self.met.entry(text.to_owned()).or_default();
        let known = self.anonymous.get(text)?.get(*met).copied();
        *met += usize::from(known.is_some());
        known
    }

    pub(super) fn add_anonymous(&mut self, text: String, id: RecordId) {
        *self.met.entry(text.clone()).or_default() += 1;
        self.anonymous.entry(text).or_default().push(id);
    }

    fn start_unit(&mut self, ahead: FxHashMap<(bool, String), String>) {
        self.met.clear();
        self.completed.clear();
        self.ahead = ahead;
    }
}

/// A text without differences in blanks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Resolver<'_> {
    /// Reads one unit.
    pub(super) fn unit(&mut self, unit: &syntax::Unit) {
        self.scopes = Scopes::default();
        self.linkage.internal.clear();
        let mut ahead = FxHashMap::default();
        for item in &unit.items {
            match item {
                Item::Declaration(declaration) => self.look_ahead(&declaration.specifiers, &mut ahead),
                Item::Function(function) => self.look_ahead(&function.specifiers, &mut ahead),
                Item::StaticAssert(_) | Item::Asm(_) => {}
            }
        }
        (self.linkage.names, self.linkage.aliases) = super::attributes::link_names(unit);
        self.unit_records.start_unit(ahead);
        for item in &unit.items {
            match item {
                Item::Declaration(declaration) => self.declaration(declaration, &mut Vec::new()),
                Item::Function(function) => self.function_definition(function),
                Item::StaticAssert(assertion) => self.static_assert(assertion),
                Item::Asm(asm) => self.file_assembly(asm),
            }
        }
        self.publish_aliases();
    }

    /// Notes which variables and functions have external linkage.
    pub(super) fn mark_linked(&mut self) {
        #[allow(clippy::iter_over_hash_type, reason = "each by itself")]
        for entity in self.linkage.external.values() {
            match entity.meaning {
                Meaning::Object(object) => self.objects[object.index()].is_linked = true,
                Meaning::Function(function) => self.functions[function.index()].is_linked = true,
                _ => {}
            }
        }
    }

    /// Other units know what an alias means by its own name.
    fn publish_aliases(&mut self) {
        for name in std::mem::take(&mut self.linkage.aliases) {
            let Some(entity) = self.linked(&name.text, false) else { continue };
            let before = self.linkage.external.insert(name.text.clone(), entity);
            if before.is_some_and(|before| before.meaning != entity.meaning) {
                let message = format!("`{}` is an alias here, and was used in a file before", name.text);
                self.error_with_hint("E0667", message, name.span, "give the file with the alias first");
            }
        }
    }

    /// The name that the linker knows something by.
    fn link_name(&self, name: &str) -> Arc<str> {
        self.linkage.names.get(name).cloned().unwrap_or_else(|| name.into())
    }

    /// Notes the structs that specifiers define.
    fn look_ahead(&self, specifiers: &syntax::Specifiers, ahead: &mut FxHashMap<(bool, String), String>) {
        let syntax::TypeSpecifier::Record(record) = &specifiers.ty else { return };
        let Some(members) = &record.members else { return };
        if let Some(tag) = &record.tag {
            ahead.insert((record.is_union, tag.text.to_string()), words(self.text.slice(record.span)));
        }
        for member in members {
            if let syntax::Member::Field { specifiers, .. } = member {
                self.look_ahead(specifiers, ahead);
            }
        }
    }

    /// Whether the symbol of a name has another name too.
    fn is_renamed(&self, name: &str) -> bool {
        let name = self.link_name(name);
        self.linkage.names.values().any(|target| *target == name)
    }

    /// What a name with linkage is in this unit.
    fn linked(&self, name: &str, is_internal: bool) -> Option<Entity> {
        let name = &self.link_name(name);
        let internal = self.linkage.internal.get(name);
        // An alias may stand before the definition that it is of, and be visible where that is not.
        let is_aliased = self.is_renamed(name);
        if is_internal && !is_aliased {
            internal.copied()
        } else {
            internal.or_else(|| self.linkage.external.get(name)).copied()
        }
    }

    fn link(&mut self, name: &Arc<str>, entity: Entity, is_internal: bool) {
        let name = self.link_name(name);
        let is_internal = is_internal || self.linkage.internal.contains_key(&name);
        let map = if is_internal { &mut self.linkage.internal } else { &mut self.linkage.external };
        map.insert(name, entity);
    }

    /// Declares a function: the one that other declarations of the name mean.
    pub(super) fn declare_function(
        &mut self,
        name: &Name,
        ty: TypeId,
        is_static: bool,
    ) -> Outcome<FunctionId> {
        self.check_scope(name, |meaning| matches!(meaning, Meaning::Function(_)))?;
        let id = match self.linked(&name.text, is_static) {
            // Headers give one symbol several names, each with a type of its own.
            Some(Entity { meaning: Meaning::Function(id), is_defined: false, .. })
                if self.is_renamed(&name.text)
                    && !self.types.compatible(self.functions[id.index()].ty, ty, true) =>
            {
                let id = self.new_function(self.link_name(&name.text).to_string(), ty, name.span);
                self.link(&name.text, Entity::new(Meaning::Function(id), name.span), is_static);
                id
            }
            Some(Entity { meaning: Meaning::Function(id), span, is_defined, .. }) => {
                let known = self.functions[id.index()].ty;
                if self.types.compatible(known, ty, true) {
                    self.functions[id.index()].ty = self.types.composite(known, ty);
                    id
                } else {
                    match self.precedence(span, name.span) {
                        Precedence::First => id,
                        // The program has a function of its own with the name of one that a header declares.
                        Precedence::Second if !is_defined => {
                            let id = self.new_function(self.link_name(&name.text).to_string(), ty, name.span);
                            self.link(&name.text, Entity::new(Meaning::Function(id), name.span), is_static);
                            id
                        }
                        _ => {
                            self.check_same(name, known, ty, span)?;
                            id
                        }
                    }
                }
            }
            Some(other) => return Err(self.another_kind(name, other.meaning, other.span)),
            None => {
                let id = self.new_function(self.link_name(&name.text).to_string(), ty, name.span);
                let entity = Entity::new(Meaning::Function(id), name.span);
                self.link(&name.text, entity, is_static);
                id
            }
        };
        self.scopes.declare(name.text.clone(), Meaning::Function(id), name.span);
        Ok(id)
    }

    /// Declares a function at its first use.
    pub(super) fn declare_by_use(&mut self, name: &str, ty: TypeId, span: Span) -> Option<FunctionId> {
        let text: Arc<str> = name.into();
        let id = match self.linked(name, false) {
            Some(Entity { meaning: Meaning::Function(id), .. }) => id,
            Some(_) => return None,
            None => {
                let id = self.new_function(name.to_owned(), ty, span);
                self.link(&text, Entity::new(Meaning::Function(id), span), false);
                id
            }
        };
        self.scopes.declare_in_file(text, Meaning::Function(id), span);
        Some(id)
    }

    fn new_function(&mut self, name: String, ty: TypeId, span: Span) -> FunctionId {
        let id = FunctionId::new(self.functions.len());
        let (parameters, labels) = (Vec::new(), Vec::new());
        self.functions.push(Function {
            name,
            ty,
            parameters,
            body: None,
            labels,
            is_noreturn: false,
            is_weak: false,
            is_linked: false,
            constructor: None,
            destructor: None,
            span,
        });
        id
    }

    /// Declares a variable with linkage; until it is defined, it is external.
    pub(super) fn declare_linked_object(
        &mut self,
        name: &Name,
        ty: TypeId,
        storage: Storage,
        is_static: bool,
    ) -> Outcome<ObjectId> {
        self.check_scope(name, |meaning| matches!(meaning, Meaning::Object(_)))?;
        let id = match self.linked(&name.text, is_static) {
            Some(Entity { meaning: Meaning::Object(id), span, .. }) => {
                let known = self.objects[id.index()].ty;
                if self.precedence(span, name.span) == Precedence::First
                    && !self.types.compatible(known, ty, true)
                {
                    return Ok(id);
                }
                self.check_same(name, known, ty, span)?;
                self.objects[id.index()].ty = self.types.composite(known, ty);
                id
            }
            Some(other) => return Err(self.another_kind(name, other.meaning, other.span)),
            None => {
                let id = self.new_object(name.text.to_string(), ty, storage, name.span);
                self.objects[id.index()].is_external = true;
                let entity = Entity::new(Meaning::Object(id), name.span);
                self.link(&name.text, entity, is_static);
                id
            }
        };
        self.scopes.declare(name.text.clone(), Meaning::Object(id), name.span);
        Ok(id)
    }

    /// Notes that a name with linkage is defined; twice is an error, unless one of them is weak. Tells whether this
    /// definition is the one that counts.
    pub(super) fn define(&mut self, name: &Name, is_weak: bool) -> Outcome<bool> {
        let key = self.link_name(&name.text);
        let is_internal = self.linkage.internal.contains_key(&key);
        let map = if is_internal { &mut self.linkage.internal } else { &mut self.linkage.external };
        let Some(entity) = map.get_mut(&key) else { return Ok(true) };
        if !entity.is_defined || (entity.is_weak && !is_weak) {
            (entity.is_defined, entity.is_weak, entity.span) = (true, is_weak, name.span);
            return Ok(true);
        }
        if is_weak {
            return Ok(false);
        }
        let other = entity.span;
        let note = format!("the other definition is at {}", self.place_name(other));
        let diagnostic = self.text.error("E0614", format!("`{}` is defined twice", name.text), name.span);
        Err(self.report(diagnostic.note(note)))
    }

    /// Whether a unit of the library has a function that the program uses and does not define.
    pub(super) fn wants(&self, unit: &syntax::Unit) -> bool {
        unit.items.iter().any(|item| match item {
            Item::Function(function) => {
                function.declarator.name.as_ref().is_some_and(|name| self.is_wanted(&name.text))
            }
            _ => false,
        })
    }

    /// Whether the program uses a function of other files and no file defines it.
    pub(super) fn is_wanted(&self, name: &str) -> bool {
        match self.linkage.external.get(name) {
            Some(Entity { meaning: Meaning::Function(id), is_defined: false, .. }) => {
                self.used_functions.contains(id)
            }
            _ => false,
        }
    }

    /// Whether a function of the library has the type that the program declares it with.
    pub(super) fn agrees(&self, name: &str, ty: TypeId) -> bool {
        match self.linkage.external.get(name) {
            Some(Entity { meaning: Meaning::Function(id), .. }) => {
                self.types.compatible(self.functions[id.index()].ty, ty, true)
            }
            _ => true,
        }
    }

    /// Whether a name with linkage is defined so far.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.linked(name, false).is_some_and(|entity| entity.is_defined)
    }

    /// In one scope, a name means one thing.
    fn check_scope(&mut self, name: &Name, is_allowed: impl Fn(Meaning) -> bool) -> Outcome<()> {
        match self.scopes.name_here(&name.text) {
            Some((meaning, span)) if !is_allowed(meaning) => Err(self.another_kind(name, meaning, span)),
            _ => Ok(()),
        }
    }

    fn another_kind(&mut self, name: &Name, meaning: Meaning, span: Span) -> super::Reported {
        let note = format!("it is declared at {}", self.place_name(span));
        let message = format!("`{}` is already {}", name.text, meaning.word());
        let diagnostic = self.text.error("E0611", message, name.span).note(note);
        self.report(diagnostic)
    }

    /// Reports types of one name that do not agree.
    fn check_same(&mut self, name: &Name, known: TypeId, ty: TypeId, span: Span) -> Outcome<()> {
        if self.types.compatible(known, ty, true) {
            return Ok(());
        }
        let (known, found) = (self.describe(known), self.describe(ty));
        let note = format!("it is declared as {known} at {}", self.place_name(span));
        let message = format!("`{}` is declared as {found}, and otherwise elsewhere", name.text);
        let diagnostic = self.text.error("E0612", message, name.span).note(note);
        Err(self.report(diagnostic))
    }

    /// What is left when all units are read: arrays of unknown length have one element (C11 §6.9.2 p5).
    pub(super) fn finish_program(&mut self) {
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            if object.is_external || self.size_of(object.ty).is_some() {
                continue;
            }
            let (ty, span, name) = (object.ty, object.span, object.name.clone());
            if let TypeKind::Array { element, length: None } = *self.types.kind(ty) {
                self.objects[index].ty = self.types.array(element, Some(1));
            } else {
                let found = self.describe(ty);
                self.error("E0630", format!("`{name}` is of incomplete type {found}"), span);
            }
        }
    }
}
