//! Attributes that change what a declaration means: names for the linker, weak symbols, what runs before and after `main`, what runs
//! when a scope is left. Which attributes there are is in [`crate::world`]; those about types are read with the types.

use super::records::has_attribute;
use super::scope::Meaning;
use super::{Outcome, Resolver};
use crate::hir::{FunctionId, ObjectId};
use crate::syntax::{Attribute, ExpressionKind, Item, Name, Unit};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Sections whose pointers the system calls before or after `main`.
const RUN_SECTIONS: &[&str] = &[".init", ".fini", ".ctors", ".dtors", ".preinit"];

/// The priority of constructors that say none: after all that do.
const LAST: u32 = 65536;

/// The names of a unit that the linker knows by another one, and those of them that are aliases.
pub(super) fn link_names(unit: &Unit) -> (FxHashMap<Arc<str>, Arc<str>>, Vec<Name>) {
    let mut names = FxHashMap::default();
    let mut aliases = Vec::new();
    let mut note = |name: &Option<Name>, attributes: &[Attribute]| {
        let (Some(name), Some((target, is_alias))) = (name, link_name(attributes)) else { return };
        if target != name.text {
            names.insert(name.text.clone(), target);
        }
        if is_alias {
            aliases.push(name.clone());
        }
    };
    for item in &unit.items {
        match item {
            Item::Declaration(declaration) => {
                for declarator in &declaration.declarators {
                    note(&declarator.declarator.name, &declaration.specifiers.attributes);
                    note(&declarator.declarator.name, &declarator.declarator.attributes);
                }
            }
            Item::Function(function) => {
                note(&function.declarator.name, &function.specifiers.attributes);
                note(&function.declarator.name, &function.declarator.attributes);
            }
            Item::StaticAssert(_) | Item::Asm(_) => {}
        }
    }
    (names, aliases)
}

/// What `asm("name")` and `alias("name")` say, and whether it is an alias.
fn link_name(attributes: &[Attribute]) -> Option<(Arc<str>, bool)> {
    let attribute = attributes.iter().find(|attribute| matches!(&*attribute.name.text, "asm" | "alias"))?;
    let text = text_argument(attribute)?;
    Some((text.into(), &*attribute.name.text == "alias"))
}

fn text_argument(attribute: &Attribute) -> Option<String> {
    match &attribute.arguments.first()?.kind {
        ExpressionKind::String { bytes, .. } => Some(String::from_utf8_lossy(bytes).into_owned()),
        _ => None,
    }
}

impl Resolver<'_> {
    /// What attributes say about a function.
    pub(super) fn function_attributes(&mut self, id: FunctionId, attributes: &[Attribute]) {
        if has_attribute(attributes, "weak") {
            self.functions[id.index()].is_weak = true;
        }
        for attribute in attributes {
            let name = &*attribute.name.text;
            if !matches!(name, "constructor" | "destructor") {
                continue;
            }
            let Ok(priority) = self.priority(attribute) else { continue };
            let function = &mut self.functions[id.index()];
            match name {
                "constructor" => function.constructor = Some(priority),
                _ => function.destructor = Some(priority),
            }
            self.used_functions.insert(id);
        }
        self.check_block_names(attributes);
    }

    /// When a constructor or destructor runs.
    fn priority(&mut self, attribute: &Attribute) -> Outcome<u32> {
        let Some(argument) = attribute.arguments.first() else { return Ok(LAST) };
        let number = self.integer_constant(argument, "a priority")?;
        u32::try_from(number)
            .ok()
            .filter(|&number| number < LAST)
            .ok_or_else(|| self.error("E0615", "a priority is between 0 and 65535", argument.span))
    }

    /// Names for the linker within functions come too late: everything before would have to be read again.
    fn check_block_names(&mut self, attributes: &[Attribute]) {
        let asm = attributes.iter().find(|attribute| matches!(&*attribute.name.text, "asm" | "alias"));
        if let (Some(asm), true) = (asm, self.function.is_some()) {
            let message = "a name for the linker within a function is not supported";
            let hint = "declare it outside of functions";
            self.error_with_hint("E0836", message, asm.name.span, hint);
        }
    }

    /// What attributes say about a variable outside of functions.
    pub(super) fn object_attributes(&mut self, id: ObjectId, attributes: &[Attribute]) {
        if has_attribute(attributes, "weak") {
            self.objects[id.index()].is_weak = true;
        }
        self.objects[id.index()].alignment = self.alignment_of(attributes);
        self.check_block_names(attributes);
        self.check_section(attributes);
    }

    /// Pointers in some sections are called by the system.
    fn check_section(&mut self, attributes: &[Attribute]) {
        for attribute in attributes.iter().filter(|attribute| &*attribute.name.text == "section") {
            let section = text_argument(attribute).unwrap_or_default();
            if RUN_SECTIONS.iter().any(|prefix| section.starts_with(prefix)) {
                let message = format!("the system calls what is in section `{section}`");
                let hint = "use the attributes `constructor` and `destructor`";
                self.error_with_hint("E0836", message, attribute.name.span, hint);
            }
        }
    }

    /// What attributes say about a variable in a block.
    pub(super) fn local_attributes(&mut self, name: &Name, attributes: &[Attribute]) -> Outcome<()> {
        // A register that is named for the compiler means something in `asm` statements only, which have their own rules.
        self.check_section(attributes);
        if let Some((Meaning::Object(object), _)) = self.scopes.name_here(&name.text) {
            self.objects[object.index()].alignment = self.alignment_of(attributes);
        }
        let Some(attribute) = attributes.iter().find(|attribute| &*attribute.name.text == "cleanup") else {
            return Ok(());
        };
        let function = match attribute.arguments.first().map(|argument| &argument.kind) {
            Some(ExpressionKind::Name(function)) => self.scopes.name(function),
            _ => None,
        };
        let Some((Meaning::Function(function), _)) = function else {
            let message = "`cleanup` needs the name of a function";
            return Err(self.error("E0651", message, attribute.name.span));
        };
        self.used_functions.insert(function);
        if let Some((Meaning::Object(object), _)) = self.scopes.name_here(&name.text) {
            self.objects[object.index()].cleanup = Some(function);
        }
        Ok(())
    }
}
