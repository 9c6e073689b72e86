//! Statements: where expressions stand, labels that must not be reached, threads that labels start, and values of
//! objects that are not initialised.

use super::{Piece, Rewriter, key};
use throng_base::Span;
use throng_c_front::hir::{
    Callee, Expression, ExpressionKind, ObjectId, Statement, StatementKind, Storage, TypeKind,
};

impl<'a> Rewriter<'a> {
    /// Rewrites statements; what is replaced is added to the edits.
    pub(super) fn statements(&mut self, list: &'a [Statement], edits: &mut Vec<(Span, String)>) {
        let mut label = None;
        for statement in list {
            if let (Some(name), StatementKind::Expression(e)) = (label.take(), &statement.kind) {
                self.labelled(name, e, edits);
                continue;
            }
            if let StatementKind::Label(id) = &statement.kind {
                label = self.label(id.index(), edits);
                continue;
            }
            self.statement(statement, edits);
        }
    }

    fn edit(&mut self, e: &'a Expression, edits: &mut Vec<(Span, String)>) {
        let piece = self.expression(e);
        if piece.text.is_some() {
            edits.push((piece.span, self.text_of(&piece)));
        }
    }

    fn statement(&mut self, statement: &'a Statement, edits: &mut Vec<(Span, String)>) {
        match &statement.kind {
            StatementKind::Expression(e) | StatementKind::Return(Some(e)) => self.edit(e, edits),
            StatementKind::Declare(object, stores) => {
                if matches!(self.typed.objects[object.index()].storage, Storage::Static | Storage::Thread) {
                    return;
                }
                for store in stores.iter().flatten() {
                    self.edit(&store.value, edits);
                }
                self.watch(*object, statement, edits);
                if stores.is_none() {
                    self.fill(*object, statement.span, edits);
                }
            }
            StatementKind::Block(body) => self.statements(body, edits),
            StatementKind::If { condition, then, otherwise } => {
                self.edit(condition, edits);
                self.statements(then, edits);
                self.statements(otherwise, edits);
            }
            StatementKind::Loop { condition, step, body, .. } => {
                condition.iter().chain(step).for_each(|e| self.edit(e, edits));
                self.statements(body, edits);
            }
            StatementKind::Switch { value, body } => {
                self.edit(value, edits);
                self.statements(body, edits);
            }
            StatementKind::Unmodelled(_)
            | StatementKind::Label(_)
            | StatementKind::Case(..)
            | StatementKind::Default
            | StatementKind::Goto(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return(None) => {}
        }
    }

    /// A label; its name if it says something about the next statement.
    fn label(&mut self, index: usize, edits: &mut Vec<(Span, String)>) -> Option<&'a str> {
        let function = &self.typed.functions[self.function?.index()];
        let label = function.labels.get(index)?;
        if self.options.properties.labels.contains(&label.name) {
            let rest = &self.typed.text.source().text()[label.span.end as usize..];
            if let Some(colon) = rest.find(':') {
                let at = label.span.end as usize + colon + 1;
                let property = self.label_property(&label.name);
                edits.push((Span::new(at, at), format!(" __throng_fail({property});")));
            }
        }
        let is_special =
            label.name.starts_with("__CPROVER_ASYNC_") || label.name == "__CPROVER_passive_broadcast";
        is_special.then_some(label.name.as_str())
    }

    /// The number of the property that a label is.
    fn label_property(&self, name: &str) -> usize {
        let text = format!("label {name} is reached");
        let is_it = |property: &throng_cfa::flow::Property| property.text == text;
        self.program.properties.iter().position(is_it).unwrap_or(self.program.properties.len())
    }

    /// A statement after a label that gives it another meaning.
    fn labelled(&mut self, name: &str, e: &'a Expression, edits: &mut Vec<(Span, String)>) {
        if name == "__CPROVER_passive_broadcast" {
            self.refused.push((e.span, "a passive broadcast is not C".to_owned()));
            return;
        }
        let call = match &e.kind {
            ExpressionKind::Convert(a) => &a.kind,
            kind => kind,
        };
        let ExpressionKind::Call(Callee::Direct(function), arguments) = call else {
            self.refused.push((e.span, "this is no call that a thread can run".to_owned()));
            return;
        };
        let callee = &self.typed.functions[function.index()];
        let is_pointer = |object: &ObjectId| {
            let ty = self.typed.objects[object.index()].ty;
            matches!(self.typed.types[ty.index()].kind, TypeKind::Pointer(_))
        };
        let given: Vec<String> = callee
            .parameters
            .iter()
            .enumerate()
            .map(|(number, parameter)| {
                let cast = if is_pointer(parameter) { "(void *)(unsigned long)" } else { "" };
                format!("{cast}((unsigned long long *)__throng_a)[{number}]")
            })
            .collect();
        let name = callee.name.clone();
        let mut pieces: Vec<Piece> = arguments.iter().map(|argument| self.expression(argument)).collect();
        for piece in &mut pieces {
            // All are put into variables: the new thread gets their values.
            piece.is_ordered = true;
        }
        let before = self.settle(&mut pieces, false);
        let point = self.point(e.span);
        let (pack, run) = (self.fresh("pack"), self.fresh("run"));
        let values = pieces.iter().enumerate().map(|(number, piece)| {
            format!("{pack}[{number}] = (unsigned long long)({}); ", self.text_of(piece))
        });
        let stores: String = values.collect();
        let size = 8 * pieces.len() + 8;
        self.helpers.push((
            run.clone(),
            format!("{{ (void)__throng_a; (void){name}({}); return (void *)0; }}", given.join(", ")),
        ));
        let text = format!(
            "({{ {before}unsigned long long *{pack} = __throng_memory({size}); {stores}\
             __throng_start({point}, {run}, {pack}, (void *){name}); }})"
        );
        edits.push((e.span, text));
    }

    /// After a declaration, tells the monitor where the object is, until its scope ends.
    fn watch(&mut self, object: ObjectId, statement: &Statement, edits: &mut Vec<(Span, String)>) {
        if !self.watched.contains_key(&object) {
            return;
        }
        let declared = self.typed.objects[object.index()].span;
        let text = self.typed.text.source().text();
        let before = text[..declared.start as usize].rsplit([';', '{', '}']).next().unwrap_or_default();
        let end = statement.span.end.max(declared.end) as usize;
        // Not in the head of a loop, and not where an initialiser has statements in it.
        let rest = &text[end..];
        let semicolon = rest.find(';').filter(|&at| !rest[..at].contains(['{', '}']));
        if let (Some(semicolon), false) = (semicolon, before.contains("for")) {
            let at = end + semicolon + 1;
            edits.push((Span::new(at, at), self.watching(object)));
        }
    }

    /// The statements that tell the monitor where an object is.
    pub(super) fn watching(&self, object: ObjectId) -> String {
        let slots = self.watched.get(&object).into_iter().flatten();
        let calls = slots.map(|(lvalue, slot)| {
            format!(
                " __attribute__((__cleanup__(__throng_forget))) unsigned __throng_slot{slot} = \
                 __throng_watch({slot}, (void *)&({lvalue}), sizeof({lvalue}));"
            )
        });
        calls.collect()
    }

    /// After a declaration without an initialiser, the values that the trace says.
    fn fill(&mut self, object: ObjectId, span: Span, edits: &mut Vec<(Span, String)>) {
        let Some(fills) = self.fills.get(&key(span)) else { return };
        let object = &self.typed.objects[object.index()];
        let text = self.typed.text.source().text();
        let end = span.end.max(object.span.end) as usize;
        let Some(semicolon) = text[end..].find(';') else { return };
        let before = text[..object.span.start as usize].rsplit([';', '{', '}']).next().unwrap_or_default();
        if before.contains("for") {
            self.refused.push((span, "an arbitrary variable that is declared in `for`".to_owned()));
            return;
        }
        let at = end + semicolon + 1;
        let point = self.point(span);
        self.quiet.insert(point);
        let calls = fills.iter().enumerate().map(|(number, fill)| {
            let lvalue = &fill.lvalue;
            format!(" {lvalue} = (__typeof__({lvalue}))__throng_part({point}, {number});")
        });
        edits.push((Span::new(at, at), calls.collect()));
    }
}
