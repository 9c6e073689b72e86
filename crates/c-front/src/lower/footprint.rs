//! What evaluating an expression reads and writes: objects, by the points-to analysis, calls included.

use super::points::Target;
use super::{Lower, library, walk};
use crate::hir::{
    Builtin, Callee, Expression, ExpressionKind, FunctionId, ObjectId, Place, PlaceKind, Statement, Storage,
};
use crate::world;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Objects that may be read and written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Footprint {
    pub(super) reads: BTreeSet<ObjectId>,
    pub(super) writes: BTreeSet<ObjectId>,
    /// Whether it may start or wait for threads, use locks, or do what is not known.
    pub(super) is_open: bool,
}

impl Footprint {
    fn add(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.is_open |= other.is_open;
    }
}

/// Footprints of functions that were looked at.
#[derive(Default)]
pub(super) struct Footprints {
    functions: FxHashMap<FunctionId, Rc<Footprint>>,
    /// What threads other than `main` may do.
    workers: Option<Rc<Footprint>>,
}

impl<'p> Lower<'p> {
    /// What evaluating an expression may do.
    pub(super) fn footprint(&mut self, e: &'p Expression) -> Footprint {
        let mut out = Footprint::default();
        let mut calls = Vec::new();
        walk::expression(e, &mut |e| self.look_at(e, &mut out, &mut calls));
        for function in calls {
            out.add(&self.function_footprint(function));
        }
        self.forget_callees(&mut out);
        out
    }

    /// What evaluating the operands of a place may do.
    pub(super) fn place_footprint(&mut self, place: &'p Place) -> Footprint {
        let mut out = Footprint::default();
        let mut calls = Vec::new();
        walk::place(place, &mut |e| self.look_at(e, &mut out, &mut calls));
        for function in calls {
            out.add(&self.function_footprint(function));
        }
        self.forget_callees(&mut out);
        out
    }

    /// Locals of functions that are called are there anew for each call.
    fn forget_callees(&self, footprint: &mut Footprint) {
        let is_here = |object: &ObjectId| match self.memory.objects[object.index()].storage {
            Storage::Automatic(f) | Storage::Parameter(f) => {
                self.frames.iter().any(|frame| frame.function == f)
            }
            Storage::Static | Storage::Thread => true,
        };
        footprint.reads.retain(is_here);
        footprint.writes.retain(is_here);
    }

    /// What a call of a function may do, and what it calls.
    fn function_footprint(&mut self, function: FunctionId) -> Rc<Footprint> {
        if let Some(known) = self.footprints.functions.get(&function) {
            return Rc::clone(known);
        }
        let mut out = Footprint::default();
        let mut seen = FxHashSet::from_iter([function]);
        let mut queue = vec![function];
        let program = self.program;
        while let Some(function) = queue.pop() {
            let mut calls = Vec::new();
            let body: &'p [Statement] =
                program.functions[function.index()].body.as_deref().unwrap_or_default();
            walk::statements(body, &mut |e| self.look_at(e, &mut out, &mut calls));
            queue.extend(calls.into_iter().filter(|f| seen.insert(*f)));
        }
        let out = Rc::new(out);
        self.footprints.functions.insert(function, Rc::clone(&out));
        out
    }

    /// What the threads besides `main` may do.
    pub(super) fn workers(&mut self) -> Rc<Footprint> {
        if let Some(known) = &self.footprints.workers {
            return Rc::clone(known);
        }
        let mut out = Footprint::default();
        for function in self.points.started.clone() {
            out.add(&self.function_footprint(function));
        }
        let out = Rc::new(out);
        self.footprints.workers = Some(Rc::clone(&out));
        out
    }

    /// What other threads than the one whose code is made may do.
    pub(super) fn others(&mut self) -> Footprint {
        let mut out = (*self.workers()).clone();
        if self.template.index() != 0
            && let Some(main) = self.templates[0].function
        {
            out.add(&self.function_footprint(main));
        }
        out
    }

    fn look_at(&self, e: &'p Expression, out: &mut Footprint, calls: &mut Vec<FunctionId>) {
        match &e.kind {
            ExpressionKind::Load(place) => self.objects_of(place, &mut out.reads),
            ExpressionKind::Assign(place, _) => self.objects_of(place, &mut out.writes),
            ExpressionKind::Update { place, .. } => {
                self.objects_of(place, &mut out.reads);
                self.objects_of(place, &mut out.writes);
            }
            ExpressionKind::Builtin(builtin, arguments) => {
                if matches!(builtin, Builtin::Expect | Builtin::ConstantP | Builtin::Fence) {
                    return;
                }
                for argument in arguments {
                    self.pointed_by(argument, &mut out.reads);
                    if *builtin != Builtin::AtomicLoad {
                        self.pointed_by(argument, &mut out.writes);
                    }
                }
            }
            ExpressionKind::Call(Callee::Indirect(f), _) => {
                let (targets, is_unmodelled) = self.function_targets(f, usize::MAX);
                out.is_open |= is_unmodelled;
                calls.extend(targets);
            }
            ExpressionKind::Call(Callee::Direct(function), arguments) => {
                let definition = &self.program.functions[function.index()];
                let name = definition.name.as_str();
                if definition.body.is_some() && !library::overrides(name) {
                    calls.push(*function);
                } else if super::bytes::is_known(name) {
                    for argument in arguments {
                        self.pointed_by(argument, &mut out.reads);
                        self.pointed_by(argument, &mut out.writes);
                    }
                } else if !library::is_nondet(name) {
                    let has_effect = !library::has_no_effect(name);
                    out.is_open |= has_effect || name.contains("atomic");
                    for argument in arguments {
                        self.pointed_by(argument, &mut out.reads);
                        if has_effect {
                            self.pointed_by(argument, &mut out.writes);
                        }
                    }
                    if world::function(name).is_none() {
                        let known = self.points.known_outside();
                        out.reads.extend(&known);
                        out.writes.extend(known);
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn objects_of(&self, place: &Place, out: &mut BTreeSet<ObjectId>) {
        match &place.kind {
            PlaceKind::Object(object) => {
                out.insert(*object);
            }
            PlaceKind::Member(inner, _) | PlaceKind::Element(inner, _) => self.objects_of(inner, out),
            PlaceKind::Dereference(pointer) => self.pointed_by(pointer, out),
            PlaceKind::Value(_) => {}
        }
    }

    fn pointed_by(&self, pointer: &Expression, out: &mut BTreeSet<ObjectId>) {
        let targets = self.points.of(self.program, pointer);
        out.extend(targets.into_iter().filter_map(|target| match target {
            Target::Object(object) => Some(object),
            _ => None,
        }));
    }
}
