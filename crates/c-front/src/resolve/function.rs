//! Definitions of functions: parameters, in the new style and the old; labels; what statements need to know about where
//! they stand.

use super::declare::is_noreturn;
use super::scope::Meaning;
use super::{Outcome, Reported, Resolver};
use crate::hir::{FunctionId, Label, LabelId, ObjectId, Storage, TypeId, TypeKind};
use crate::syntax::{self, Derived, FunctionDefinition, Name, Parameters};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use throng_base::Span;

/// A `switch` around a place.
#[derive(Debug)]
pub(super) struct SwitchContext {
    /// The promoted type of its value.
    pub(super) ty: TypeId,
    /// The ranges of values that have a case.
    pub(super) cases: Vec<(i128, i128)>,
    /// Whether there is a `default`.
    pub(super) has_default: bool,
}

/// The function whose body is looked at.
#[derive(Debug)]
pub(super) struct FunctionContext {
    pub(super) id: FunctionId,
    pub(super) name: String,
    /// What it returns.
    pub(super) result: TypeId,
    /// Labels with the place of their first mention; those that are defined have a place of definition.
    labels: Vec<(Arc<str>, Span, Option<Span>)>,
    numbers: FxHashMap<Arc<str>, LabelId>,
    pub(super) switches: Vec<SwitchContext>,
    /// How many loops are around.
    pub(super) loops: usize,
}

impl FunctionContext {
    fn new(id: FunctionId, name: String, result: TypeId) -> Self {
        let (labels, numbers) = (Vec::new(), FxHashMap::default());
        Self { id, name, result, labels, numbers, switches: Vec::new(), loops: 0 }
    }

    /// The number of a label.
    pub(super) fn label(&mut self, name: &Name) -> LabelId {
        *self.numbers.entry(name.text.clone()).or_insert_with(|| {
            self.labels.push((name.text.clone(), name.span, None));
            LabelId::new(self.labels.len() - 1)
        })
    }

    /// Notes where a label is defined; where it was before, if it was.
    pub(super) fn define_label(&mut self, name: &Name) -> Result<LabelId, Span> {
        let id = self.label(name);
        match self.labels[id.index()].2.replace(name.span) {
            None => Ok(id),
            Some(before) => Err(before),
        }
    }
}

impl Resolver<'_> {
    /// A function with its body.
    pub(super) fn function_definition(&mut self, definition: &FunctionDefinition) {
        // What is wrong has been reported, and the next definition is looked at.
        let _ = self.try_function_definition(definition);
    }

    fn try_function_definition(&mut self, definition: &FunctionDefinition) -> Outcome<()> {
        let declarator = &definition.declarator;
        let (Some(name), Some(Derived::Function(parameters))) = (&declarator.name, declarator.derived.last())
        else {
            return Err(self.error("E0616", "this is not the head of a function", definition.span));
        };
        let base = self.base_type(&definition.specifiers, false)?;
        let mut ty = self.declared_type(base, declarator)?;
        let old = self.old_parameters(definition, parameters)?;
        if let (false, &TypeKind::Function { result, .. }) =
            (parameters.old_names.is_empty(), self.types.kind(ty))
        {
            let types = old.iter().map(|&(_, ty)| ty).collect();
            ty = self.types.function(result, types, false);
        }
        let is_static = definition.specifiers.storage == Some(syntax::Storage::Static);
        // Of the library, only what the program uses and does not define.
        if self.is_library && !is_static && !(self.is_wanted(&name.text) && self.agrees(&name.text, ty)) {
            return Ok(());
        }
        let id = self.declare_function(name, ty, is_static)?;
        let attributes = [&definition.specifiers.attributes[..], &declarator.attributes[..]].concat();
        self.function_attributes(id, &attributes);
        if is_noreturn(&definition.specifiers, declarator) {
            self.functions[id.index()].is_noreturn = true;
        }
        let &TypeKind::Function { result, .. } = self.types.kind(ty) else {
            return Err(self.error("E0616", "this is not the head of a function", definition.span));
        };
        // Definitions of an inline function in several units are one.
        if definition.specifiers.is_inline && !is_static && self.is_defined(&name.text) {
            return Ok(());
        }
        if !self.define(name, self.functions[id.index()].is_weak)? {
            return Ok(());
        }
        let function = &mut self.functions[id.index()];
        (function.name, function.span) = (name.text.to_string(), name.span);
        self.body(definition, id, result, parameters, &old);
        Ok(())
    }

    fn body(
        &mut self,
        definition: &FunctionDefinition,
        id: FunctionId,
        result: TypeId,
        parameters: &Parameters,
        old: &[(&Name, TypeId)],
    ) {
        self.scopes.enter();
        let name = self.functions[id.index()].name.clone();
        self.function = Some(FunctionContext::new(id, name, result));
        let objects = if parameters.old_names.is_empty() {
            self.declare_parameters(parameters, id)
        } else {
            old.iter().map(|&(name, ty)| self.declare_parameter(name, ty, id)).collect()
        };
        self.functions[id.index()].parameters = objects;
        let mut statements = Vec::new();
        self.block_items(&definition.body.items, &mut statements);
        self.scopes.leave();
        if let Some(context) = self.function.take() {
            self.functions[id.index()].labels = self.finish_labels(context);
        }
        self.functions[id.index()].body = Some(statements);
    }

    /// The parameters as variables of the function.
    fn declare_parameters(&mut self, parameters: &Parameters, function: FunctionId) -> Vec<ObjectId> {
        let mut objects = Vec::with_capacity(parameters.list.len());
        for parameter in &parameters.list {
            // Errors in the types were reported where the type of the function was read.
            let Ok(ty) = self.parameter_type(parameter) else { continue };
            if self.types.is_void(ty) {
                continue;
            }
            let unnamed = Name { text: "".into(), span: parameter.declarator.span };
            let name = parameter.declarator.name.as_ref().unwrap_or(&unnamed);
            if self.size_of(ty).is_none() {
                let found = self.describe(ty);
                self.error("E0630", format!("a parameter cannot be of incomplete type {found}"), name.span);
            }
            objects.push(self.declare_parameter(name, ty, function));
        }
        objects
    }

    fn declare_parameter(&mut self, name: &Name, ty: TypeId, function: FunctionId) -> ObjectId {
        let object = self.new_object(name.text.to_string(), ty, Storage::Parameter(function), name.span);
        if name.text.is_empty() {
            return object;
        }
        if let Some((_, other)) = self.scopes.name_here(&name.text) {
            self.redeclared(name, other);
        }
        self.scopes.declare(name.text.clone(), Meaning::Object(object), name.span);
        object
    }

    /// The types of parameters in the old style: `int` unless declared.
    fn old_parameters<'n>(
        &mut self,
        definition: &FunctionDefinition,
        parameters: &'n Parameters,
    ) -> Outcome<Vec<(&'n Name, TypeId)>> {
        let int = self.types.int();
        let mut types: Vec<(&Name, TypeId)> = parameters.old_names.iter().map(|name| (name, int)).collect();
        for declaration in &definition.old_parameters {
            let base = self.base_type(&declaration.specifiers, false)?;
            for declarator in &declaration.declarators {
                let Some(name) = &declarator.declarator.name else { continue };
                let ty = self.adjusted_type(base, &declarator.declarator)?;
                match types.iter_mut().find(|(parameter, _)| parameter.text == name.text) {
                    Some(parameter) => parameter.1 = ty,
                    None => {
                        let message = format!("`{}` is not a parameter of this function", name.text);
                        return Err(self.error("E0616", message, name.span));
                    }
                }
            }
        }
        Ok(types)
    }

    /// All labels that are gone to have to be there.
    fn finish_labels(&mut self, context: FunctionContext) -> Vec<Label> {
        let mut labels = Vec::with_capacity(context.labels.len());
        for (name, used, defined) in context.labels {
            if defined.is_none() {
                self.error("E0660", format!("there is no label `{name}` in this function"), used);
            }
            labels.push(Label { name: name.to_string(), span: defined.unwrap_or(used) });
        }
        labels
    }

    /// The function around a place, for what stands in functions only.
    pub(super) fn context(&mut self, span: Span) -> Outcome<&mut FunctionContext> {
        if self.function.is_none() {
            return Err(self.error("E0661", "this may stand in a function only", span));
        }
        self.function.as_mut().ok_or(Reported)
    }
}
