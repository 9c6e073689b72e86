//! Recursion: functions that call themselves, directly or in a circle, are copied a number of times.
//!
//! Functions are put where they are called, so a function within itself needs variables of its own. Each function of a circle gets
//! [`DEPTH`] copies; a call within the circle goes from each copy to the next one. The last copy calls itself, which is
//! refused where a run comes there: how deep a recursion goes is known only where its arguments are constants, so that the
//! branch that would go on is never taken. Static variables are those of the original. A function whose address is taken is
//! the original, and so is one that a new thread runs: that is no call.

use super::{library, walk};
use crate::hir::{
    Callee, Expression, ExpressionKind, FunctionId, ObjectId, Place, PlaceKind, Program, Statement,
    StatementKind, Storage, Store,
};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_base::Span;

/// How many copies there are of each function.
const DEPTH: usize = 16;
/// Beyond so many functions in circles, nothing is copied.
const MAX_FUNCTIONS: usize = 8;

/// The program with copies, if functions call each other in a circle.
pub(super) fn unrolled(program: &Program) -> Option<Program> {
    let groups = circles(program);
    let members: Vec<FunctionId> = groups.iter().flatten().copied().collect();
    if members.is_empty() || members.len() > MAX_FUNCTIONS {
        return None;
    }
    let names: FxHashSet<&str> = program.functions.iter().map(|function| function.name.as_str()).collect();
    let is_taken = |f: &FunctionId| {
        (2..=DEPTH).any(|level| names.contains(copy_name(&program.functions[f.index()].name, level).as_str()))
    };
    if members.iter().any(is_taken) {
        return None;
    }
    let mut program = program.clone();
    for group in groups {
        copy_group(&mut program, &group);
    }
    Some(program)
}

fn copy_name(name: &str, level: usize) -> String {
    format!("{name}__{level}")
}

/// The functions that may come to themselves by calls, put together by who comes to whom.
fn circles(program: &Program) -> Vec<Vec<FunctionId>> {
    let calls = calls(program);
    let mut groups: Vec<Vec<FunctionId>> = Vec::new();
    let reached: Vec<FxHashSet<FunctionId>> =
        (0..program.functions.len()).map(|index| reach(&calls, FunctionId::new(index))).collect();
    for (index, from) in reached.iter().enumerate() {
        let function = FunctionId::new(index);
        if !from.contains(&function) || groups.iter().flatten().any(|&known| known == function) {
            continue;
        }
        let mut group: Vec<FunctionId> =
            from.iter().copied().filter(|f| reached[f.index()].contains(&function)).collect();
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

fn reach(calls: &[Vec<FunctionId>], from: FunctionId) -> FxHashSet<FunctionId> {
    let mut found = FxHashSet::default();
    let mut queue = calls[from.index()].clone();
    while let Some(function) = queue.pop() {
        if found.insert(function) {
            queue.extend(&calls[function.index()]);
        }
    }
    found
}

/// Who calls whom; through a pointer, everybody whose address is taken.
fn calls(program: &Program) -> Vec<Vec<FunctionId>> {
    let mut addressed = Vec::new();
    let mut address = |e: &Expression| {
        if let ExpressionKind::FunctionAddress(function) = e.kind
            && program.functions[function.index()].body.is_some()
        {
            addressed.push(function);
        }
    };
    for function in &program.functions {
        walk::statements(function.body.as_deref().unwrap_or_default(), &mut address);
    }
    for store in program.objects.iter().flat_map(|object| &object.initial) {
        walk::expression(&store.value, &mut address);
    }
    let starts = starts(program);
    let mut all = Vec::new();
    for function in &program.functions {
        let mut callees = Vec::new();
        walk::statements(function.body.as_deref().unwrap_or_default(), &mut |e| match &e.kind {
            ExpressionKind::Call(Callee::Direct(_), _) if starts.contains(&key(e.span)) => {}
            ExpressionKind::Call(Callee::Direct(callee), _) => callees.push(*callee),
            ExpressionKind::Call(Callee::Indirect(_), _) => callees.extend(&addressed),
            _ => {}
        });
        all.push(callees);
    }
    all
}

/// A span as a key.
fn key(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

/// Where calls stand that start threads: `__CPROVER_ASYNC_1: f();`.
fn starts(program: &Program) -> FxHashSet<(u32, u32)> {
    let mut found = FxHashSet::default();
    for function in &program.functions {
        let is_async = |label: usize| {
            function.labels.get(label).is_some_and(|label| library::is_async_label(&label.name))
        };
        started(function.body.as_deref().unwrap_or_default(), &is_async, &mut found);
    }
    found
}

fn started(list: &[Statement], is_async: &impl Fn(usize) -> bool, found: &mut FxHashSet<(u32, u32)>) {
    let mut is_start = false;
    for statement in list {
        match &statement.kind {
            StatementKind::Label(label) => is_start |= is_async(label.index()),
            StatementKind::Expression(e) if is_start => {
                let mut call = e;
                while let ExpressionKind::Convert(inner) = &call.kind {
                    call = inner;
                }
                found.insert(key(call.span));
            }
            StatementKind::Block(body)
            | StatementKind::Loop { body, .. }
            | StatementKind::Switch { body, .. } => started(body, is_async, found),
            StatementKind::If { then, otherwise, .. } => {
                started(then, is_async, found);
                started(otherwise, is_async, found);
            }
            _ => {}
        }
        is_start &= matches!(statement.kind, StatementKind::Label(_));
    }
}

/// Adds the copies of the functions of a circle, and lets each call the next.
fn copy_group(program: &mut Program, group: &[FunctionId]) {
    let mut levels = vec![group.to_vec()];
    for number in 2..=DEPTH {
        let first = program.functions.len();
        let copies: Vec<FunctionId> = (first..first + group.len()).map(FunctionId::new).collect();
        for (&original, &copy) in group.iter().zip(&copies) {
            let function = copy_function(program, original, copy, number);
            program.functions.push(function);
        }
        levels.push(copies);
    }
    for (number, level) in levels.iter().enumerate() {
        // The last copies call themselves, which is refused.
        let next = levels.get(number + 1).unwrap_or(level);
        redirect(program, level, &group.iter().copied().zip(next.iter().copied()).collect());
    }
}

fn redirect(program: &mut Program, level: &[FunctionId], callees: &FxHashMap<FunctionId, FunctionId>) {
    let starts = starts(program);
    let rename = Rename { objects: &FxHashMap::default(), callees, starts: &starts };
    for function in level {
        if let Some(body) = &mut program.functions[function.index()].body {
            rename.statements(body);
        }
    }
}

/// A copy with objects of its own, whose calls are those of the original.
fn copy_function(
    program: &mut Program,
    original: FunctionId,
    copy: FunctionId,
    number: usize,
) -> crate::hir::Function {
    let mut objects = FxHashMap::default();
    for index in 0..program.objects.len() {
        let storage = match program.objects[index].storage {
            Storage::Automatic(f) if f == original => Storage::Automatic(copy),
            Storage::Parameter(f) if f == original => Storage::Parameter(copy),
            _ => continue,
        };
        let object = crate::hir::Object { storage, ..program.objects[index].clone() };
        objects.insert(ObjectId::new(index), ObjectId::new(program.objects.len()));
        program.objects.push(object);
    }
    #[allow(clippy::iter_over_hash_type, reason = "each copy by itself")]
    for copy in objects.values() {
        let length = &mut program.objects[copy.index()].length;
        *length = length.map(|length| objects.get(&length).copied().unwrap_or(length));
    }
    let mut function = program.functions[original.index()].clone();
    function.name = copy_name(&function.name, number);
    (function.constructor, function.destructor) = (None, None);
    let starts = FxHashSet::default();
    let rename = Rename { objects: &objects, callees: &FxHashMap::default(), starts: &starts };
    function.parameters.iter_mut().for_each(|parameter| rename.object(parameter));
    if let Some(body) = &mut function.body {
        rename.statements(body);
    }
    function
}

/// Other objects and other callees.
struct Rename<'r> {
    objects: &'r FxHashMap<ObjectId, ObjectId>,
    callees: &'r FxHashMap<FunctionId, FunctionId>,
    /// Calls that stay as they are.
    starts: &'r FxHashSet<(u32, u32)>,
}

impl Rename<'_> {
    fn object(&self, object: &mut ObjectId) {
        if let Some(&other) = self.objects.get(object) {
            *object = other;
        }
    }

    fn statements(&self, list: &mut [Statement]) {
        for statement in list {
            match &mut statement.kind {
                StatementKind::Expression(e) | StatementKind::Return(Some(e)) => self.expression(e),
                StatementKind::Declare(object, stores) => {
                    self.object(object);
                    stores
                        .iter_mut()
                        .flatten()
                        .for_each(|store: &mut Store| self.expression(&mut store.value));
                }
                StatementKind::Block(body) => self.statements(body),
                StatementKind::If { condition, then, otherwise } => {
                    self.expression(condition);
                    self.statements(then);
                    self.statements(otherwise);
                }
                StatementKind::Loop { condition, step, body, .. } => {
                    condition.iter_mut().chain(step).for_each(|e| self.expression(e));
                    self.statements(body);
                }
                StatementKind::Switch { value, body } => {
                    self.expression(value);
                    self.statements(body);
                }
                StatementKind::Case(..)
                | StatementKind::Default
                | StatementKind::Label(_)
                | StatementKind::Goto(_)
                | StatementKind::Break
                | StatementKind::Continue
                | StatementKind::Return(None)
                | StatementKind::Unmodelled(_) => {}
            }
        }
    }

    fn expression(&self, e: &mut Expression) {
        let is_start = self.starts.contains(&key(e.span));
        match &mut e.kind {
            ExpressionKind::Constant(_) | ExpressionKind::FunctionAddress(_) => {}
            ExpressionKind::Load(place) | ExpressionKind::AddressOf(place) => self.place(place),
            ExpressionKind::Negate(a)
            | ExpressionKind::BitNot(a)
            | ExpressionKind::Not(a)
            | ExpressionKind::Convert(a) => self.expression(a),
            ExpressionKind::Binary(_, a, b)
            | ExpressionKind::Difference(a, b, _)
            | ExpressionKind::And(a, b)
            | ExpressionKind::Or(a, b)
            | ExpressionKind::Elvis(a, b)
            | ExpressionKind::Comma(a, b)
            | ExpressionKind::Offset { pointer: a, index: b, .. } => {
                self.expression(a);
                self.expression(b);
            }
            ExpressionKind::Conditional(a, b, c) => {
                self.expression(a);
                self.expression(b);
                self.expression(c);
            }
            ExpressionKind::Assign(place, value) | ExpressionKind::Update { place, value, .. } => {
                self.place(place);
                self.expression(value);
            }
            ExpressionKind::Call(callee, arguments) => {
                match callee {
                    Callee::Direct(_) if is_start => {}
                    Callee::Direct(function) => {
                        *function = self.callees.get(function).copied().unwrap_or(*function);
                    }
                    Callee::Indirect(pointer) => self.expression(pointer),
                }
                arguments.iter_mut().for_each(|argument| self.expression(argument));
            }
            ExpressionKind::Builtin(_, arguments) | ExpressionKind::Unmodelled(_, arguments) => {
                arguments.iter_mut().for_each(|argument| self.expression(argument));
            }
            ExpressionKind::Block(body, value) => {
                self.statements(body);
                value.iter_mut().for_each(|value| self.expression(value));
            }
        }
    }

    fn place(&self, place: &mut Place) {
        match &mut place.kind {
            PlaceKind::Object(object) => self.object(object),
            PlaceKind::Dereference(e) | PlaceKind::Value(e) => self.expression(e),
            PlaceKind::Member(inner, _) => self.place(inner),
            PlaceKind::Element(inner, index) => {
                self.place(inner);
                self.expression(index);
            }
        }
    }
}
