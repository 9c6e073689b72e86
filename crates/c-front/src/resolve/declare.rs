//! Declarations, in files and in blocks (C11 §6.7): types, variables and prototypes, with initial values.

use super::precedence::Precedence;
use super::records::has_attribute;
use super::scope::Meaning;
use super::{Outcome, Reported, Resolver};
use crate::hir::{ExpressionKind, ObjectId, Statement, StatementKind, Storage, Store, TypeId};
use crate::syntax::{
    self, Declaration, Declarator, Initializer, Name, Specifiers, StaticAssert, TypeSpecifier,
};
use throng_base::Span;

impl Resolver<'_> {
    /// A declaration; automatic variables begin to live in `out`.
    pub(super) fn declaration(&mut self, declaration: &Declaration, out: &mut Vec<Statement>) {
        let specifiers = &declaration.specifiers;
        let is_auto = matches!(specifiers.ty, TypeSpecifier::Auto);
        let base = if is_auto {
            None
        } else {
            match self.base_type(specifiers, declaration.declarators.is_empty()) {
                Ok(base) => Some(base),
                Err(Reported) => {
                    self.declare_broken(declaration);
                    return;
                }
            }
        };
        for declarator in &declaration.declarators {
            // Errors are reported; the next name is looked at all the same.
            let _ = self.declarator(
                specifiers,
                base,
                &declarator.declarator,
                declarator.initializer.as_ref(),
                out,
            );
        }
    }

    /// Names whose type is wrong are ints from here on, so that there is one error and not one for each use.
    fn declare_broken(&mut self, declaration: &Declaration) {
        for declarator in &declaration.declarators {
            if let Some(name) = &declarator.declarator.name {
                self.declare_as_int(name, declaration.specifiers.storage);
            }
        }
    }

    fn declare_as_int(&mut self, name: &Name, storage: Option<syntax::Storage>) {
        if self.scopes.name_here(&name.text).is_some() {
            return;
        }
        let int = self.types.int();
        let meaning = match storage {
            Some(syntax::Storage::Typedef) => Meaning::Typedef(int),
            _ => Meaning::Object(self.new_object(name.text.to_string(), int, Storage::Static, name.span)),
        };
        self.scopes.declare(name.text.clone(), meaning, name.span);
    }

    fn declarator(
        &mut self,
        specifiers: &Specifiers,
        base: Option<TypeId>,
        declarator: &Declarator,
        initializer: Option<&Initializer>,
        out: &mut Vec<Statement>,
    ) -> Outcome<()> {
        let Some(name) = &declarator.name else {
            return Err(self.error("E0616", "a name is missing here", declarator.span));
        };
        if let (Some(base), Some(length)) = (base, self.variable_length(specifiers, declarator)) {
            let declared = length
                .and_then(|length| self.variable_array(name, base, declarator, length, initializer, out));
            if declared.is_err() {
                self.declare_as_int(name, specifiers.storage);
            }
            return declared;
        }
        let ty = match base {
            Some(base) => self.declared_type(base, declarator),
            None => self.deduced_type(name, specifiers, initializer),
        };
        let Ok(ty) = ty else {
            self.declare_as_int(name, specifiers.storage);
            return Err(Reported);
        };
        let storage = specifiers.storage;
        if storage == Some(syntax::Storage::Typedef) {
            let attributes = [&specifiers.attributes[..], &declarator.attributes[..]].concat();
            return self.typedef(name, ty, &attributes, initializer);
        }
        if self.types.is_function(ty) {
            return self.prototype(name, ty, specifiers, declarator, initializer);
        }
        if self.types.is_void(ty) {
            self.declare_as_int(name, storage);
            return Err(self.error("E0630", format!("`{}` cannot be of type `void`", name.text), name.span));
        }
        if self.scopes.is_file() || storage == Some(syntax::Storage::Extern) {
            self.linked_object(name, ty, specifiers, declarator, initializer)
        } else {
            self.local_object(name, ty, specifiers, initializer, out)?;
            let attributes = [&specifiers.attributes[..], &declarator.attributes[..]].concat();
            self.local_attributes(name, &attributes)
        }
    }

    /// The type of `__auto_type x = e`: that of the value.
    fn deduced_type(
        &mut self,
        name: &Name,
        specifiers: &Specifiers,
        initializer: Option<&Initializer>,
    ) -> Outcome<TypeId> {
        let Some(Initializer::Expression(expression)) = initializer else {
            return Err(self.error(
                "E0617",
                "`__auto_type` needs a variable with an initial value",
                name.span,
            ));
        };
        let value = self.rvalue(expression)?;
        let ty = self.types.unqualified(value.ty);
        Ok(self.types.qualify(ty, specifiers.qualifiers))
    }

    fn typedef(
        &mut self,
        name: &Name,
        ty: TypeId,
        attributes: &[syntax::Attribute],
        initializer: Option<&Initializer>,
    ) -> Outcome<()> {
        if initializer.is_some() {
            return Err(self.error("E0616", "a type has no initial value", name.span));
        }
        let ty = match Self::opaque_of(&name.text) {
            Some(opaque) => self.types.named(ty, opaque),
            None => ty,
        };
        let ty = match self.alignment_of(attributes) {
            Some(alignment) => self.types.aligned(ty, alignment),
            None => ty,
        };
        match self.scopes.name_here(&name.text) {
            None => {}
            Some((Meaning::Typedef(known), _)) if self.types.compatible(known, ty, true) => {}
            Some((_, other)) => match self.precedence(other, name.span) {
                Precedence::First => return Ok(()),
                Precedence::Second => {}
                Precedence::Neither => return Err(self.redeclared(name, other)),
            },
        }
        self.scopes.declare(name.text.clone(), Meaning::Typedef(ty), name.span);
        Ok(())
    }

    fn prototype(
        &mut self,
        name: &Name,
        ty: TypeId,
        specifiers: &Specifiers,
        declarator: &Declarator,
        initializer: Option<&Initializer>,
    ) -> Outcome<()> {
        if initializer.is_some() {
            return Err(self.error("E0616", "a function has no initial value", name.span));
        }
        let id = self.declare_function(name, ty, specifiers.storage == Some(syntax::Storage::Static))?;
        if is_noreturn(specifiers, declarator) {
            self.functions[id.index()].is_noreturn = true;
        }
        let attributes = [&specifiers.attributes[..], &declarator.attributes[..]].concat();
        self.function_attributes(id, &attributes);
        Ok(())
    }

    /// A variable outside of functions, or `extern` in one.
    fn linked_object(
        &mut self,
        name: &Name,
        ty: TypeId,
        specifiers: &Specifiers,
        declarator: &Declarator,
        initializer: Option<&Initializer>,
    ) -> Outcome<()> {
        let storage = if specifiers.is_thread_local { Storage::Thread } else { Storage::Static };
        let is_static = specifiers.storage == Some(syntax::Storage::Static);
        let id = self.declare_linked_object(name, ty, storage, is_static)?;
        let attributes = [&specifiers.attributes[..], &declarator.attributes[..]].concat();
        self.object_attributes(id, &attributes);
        let is_weak = self.objects[id.index()].is_weak;
        if let Some(initializer) = initializer {
            if !self.define(name, is_weak)? {
                return Ok(());
            }
            let object = &mut self.objects[id.index()];
            (object.is_external, object.span) = (false, name.span);
            let (complete, stores) = self.initialize(ty, initializer, true)?;
            self.set_initial(id, complete, stores);
        } else if specifiers.storage != Some(syntax::Storage::Extern) && !has_attribute(&attributes, "alias")
        {
            let object = &mut self.objects[id.index()];
            if object.is_external {
                (object.is_external, object.span) = (false, name.span);
            }
        }
        Ok(())
    }

    fn set_initial(&mut self, id: ObjectId, ty: TypeId, stores: Vec<Store>) {
        self.note_known(id, ty, &stores);
        let object = &mut self.objects[id.index()];
        object.ty = ty;
        object.initial = stores;
    }

    /// Remembers the value of a `const` integer.
    fn note_known(&mut self, id: ObjectId, ty: TypeId, stores: &[Store]) {
        let qualifiers = self.types.get(ty).qualifiers;
        if !qualifiers.is_const || qualifiers.is_volatile || !self.types.is_integer(ty) {
            return;
        }
        if let [Store { path, value }] = stores
            && path.is_empty()
            && let Some(value) = self.known_value_of(value)
        {
            self.known_values.insert(id, value);
        }
    }

    /// A variable in a block.
    fn local_object(
        &mut self,
        name: &Name,
        ty: TypeId,
        specifiers: &Specifiers,
        initializer: Option<&Initializer>,
        out: &mut Vec<Statement>,
    ) -> Outcome<()> {
        if let Some((_, other)) = self.scopes.name_here(&name.text) {
            return Err(self.redeclared(name, other));
        }
        let is_static = specifiers.storage == Some(syntax::Storage::Static) || specifiers.is_thread_local;
        let storage = match &self.function {
            _ if specifiers.is_thread_local => Storage::Thread,
            Some(context) if !is_static => Storage::Automatic(context.id),
            _ => Storage::Static,
        };
        let id = self.new_object(name.text.to_string(), ty, storage, name.span);
        self.scopes.declare(name.text.clone(), Meaning::Object(id), name.span);
        let initial = match initializer {
            Some(initializer) => {
                let (ty, stores) = self.initialize(ty, initializer, is_static)?;
                self.objects[id.index()].ty = ty;
                self.note_known(id, ty, &stores);
                Some(stores)
            }
            None => None,
        };
        self.check_complete(id, name.span)?;
        if is_static {
            self.objects[id.index()].initial = initial.unwrap_or_default();
        } else {
            // `x = 1` is what is shown of a declaration.
            let values = initial.iter().flatten().map(|store: &Store| store.value.span);
            let span = values.filter(|value| value.start >= name.span.end).fold(name.span, Span::to);
            out.push(Statement { kind: StatementKind::Declare(id, initial), span });
        }
        Ok(())
    }

    fn check_complete(&mut self, id: ObjectId, span: Span) -> Outcome<()> {
        let ty = self.objects[id.index()].ty;
        if self.size_of(ty).is_some() {
            return Ok(());
        }
        let (name, found) = (self.objects[id.index()].name.clone(), self.describe(ty));
        // A complete type keeps the rest of the program from being blamed for it.
        self.objects[id.index()].ty = self.types.int();
        Err(self.error("E0630", format!("`{name}` is of incomplete type {found}"), span))
    }

    pub(super) fn redeclared(&mut self, name: &Name, other: Span) -> Reported {
        let note = format!("it is declared at {}", self.place_name(other));
        let diagnostic = self.text.error("E0611", format!("`{}` is declared twice", name.text), name.span);
        self.report(diagnostic.note(note))
    }

    /// `_Static_assert(condition, "message")`
    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) {
        let Ok(value) = self.integer_constant(&assertion.condition, "a static assertion") else { return };
        if value == 0 {
            let message = match &assertion.message {
                Some(message) => format!("a static assertion does not hold: {message}"),
                None => "a static assertion does not hold".to_owned(),
            };
            self.error("E0622", message, assertion.span);
        }
    }

    /// `(type) { … }`: an object of its own, declared where it is evaluated.
    pub(super) fn compound_literal(
        &mut self,
        ty: &syntax::TypeName,
        list: &syntax::InitializerList,
        span: Span,
    ) -> Outcome<super::convert::Operand> {
        use crate::hir::{Expression, Place, PlaceKind};
        let ty = self.type_name_of(ty)?;
        let function = self.function.as_ref().map(|context| context.id);
        let initializer = Initializer::List(list.clone());
        let (ty, stores) = self.initialize(ty, &initializer, function.is_none())?;
        let name = format!("({})", self.type_name(ty, String::new()));
        let storage = function.map_or(Storage::Static, Storage::Automatic);
        let object = self.new_object(name, ty, storage, span);
        self.check_complete(object, span)?;
        let place = Place { kind: PlaceKind::Object(object), ty, span };
        if function.is_none() {
            self.objects[object.index()].initial = stores;
            return Ok(super::convert::Operand::Place(place));
        }
        let pointer = self.types.pointer(ty);
        let address = Expression { kind: ExpressionKind::AddressOf(place), ty: pointer, span };
        let declare = Statement { kind: StatementKind::Declare(object, Some(stores)), span };
        let block = ExpressionKind::Block(vec![declare], Some(Box::new(address)));
        let block = Expression { kind: block, ty: pointer, span };
        Ok(super::convert::Operand::Place(Place { kind: PlaceKind::Dereference(Box::new(block)), ty, span }))
    }
}

/// Whether a function is declared not to return.
pub(super) fn is_noreturn(specifiers: &Specifiers, declarator: &Declarator) -> bool {
    specifiers.is_noreturn
        || has_attribute(&specifiers.attributes, "noreturn")
        || has_attribute(&declarator.attributes, "noreturn")
}
