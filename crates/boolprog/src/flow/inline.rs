//! Inlining: one graph of locations from the bodies of functions.
//!
//! A location is an instruction of an instance, inside or outside of an atomic section: whether a section is open
//! depends on the way there, so an instruction may have two locations. Only what a walk over the edges from the entry
//! meets is made. A function has as many instances as there are chains of calls to it, which may be exponentially
//! many in the text: beyond a limit the program is refused.

use super::body::{Arena, Body, Instruction, Operation};
use super::graph::{
    Assignment, ChildLocals, Edge, Effect, ExpressionId, FunctionId, Instance, InstanceId, Location,
    LocationId,
};
use crate::messages::Messages;
use crate::syntax::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use throng_base::{Diagnostic, Source, Span};

/// How many locations, and how many edges, a program may have in any case; a large text may have more.
const MIN_LIMIT: usize = 1 << 20;

/// How many ids there are to number them with, with room for the edges of one location.
const MAX_LIMIT: usize = u32::MAX as usize / 2;

/// How much larger than the text the graph may be.
const GROWTH: usize = 4;

/// Locations and edges.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) instances: Vec<Instance>,
    pub(super) locations: Vec<Location>,
    /// Edges from the same location stand together.
    pub(super) edges: Vec<Edge>,
    /// Where the edges of a location are.
    pub(super) outgoing: Vec<(u32, u32)>,
    pub(super) entry: LocationId,
    pub(super) error: LocationId,
}

/// The graph would be too large.
#[derive(Debug)]
pub(super) struct TooLarge {
    /// The function with the most instances.
    pub(super) span: Span,
    name: String,
    instances: usize,
    limit: usize,
}

impl TooLarge {
    pub(super) fn diagnostic(&self, source: &Source) -> Diagnostic {
        let message = format!("inlining calls gives more than {} locations or edges", self.limit);
        Diagnostic::error("E0513", message)
            .at(source, self.span, format!("inlined {} times until then", self.instances))
            .note(format!("each chain of calls to a function is a copy of it; `{}` has the most", self.name))
            .hint("let functions be called from fewer places")
    }
}

/// Makes the graph of a program that starts in `main` and has no recursion.
pub(super) fn inline(
    main: FunctionId,
    tree: &Program,
    bodies: &[Body],
    arena: &mut Arena,
    warnings: &mut Messages<'_>,
) -> Result<Graph, TooLarge> {
    let size = |instruction: &Instruction| match &instruction.operation {
        Operation::Jump(labels) => 1 + labels.len(),
        _ => 1,
    };
    let text: usize = bodies.iter().flat_map(|body| &body.code).map(size).sum();
    let inliner = Inliner {
        bodies,
        arena,
        warnings,
        limit: (GROWTH * text).clamp(MIN_LIMIT, MAX_LIMIT),
        graph: Graph {
            instances: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            outgoing: Vec::new(),
            entry: LocationId::new(0),
            error: LocationId::new(0),
        },
        states: Vec::new(),
        index: FxHashMap::default(),
        roots: FxHashMap::default(),
        callees: FxHashMap::default(),
        returns: FxHashMap::default(),
        warned: FxHashSet::default(),
    };
    inliner.run(main, tree)
}

/// An instruction of an instance, and whether an atomic section is open.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    instance: InstanceId,
    position: u32,
    is_atomic: bool,
}

struct Inliner<'a, 's> {
    bodies: &'a [Body],
    arena: &'a mut Arena,
    warnings: &'a mut Messages<'s>,
    limit: usize,
    graph: Graph,
    /// The states whose edges are to be made.
    states: Vec<(LocationId, State)>,
    index: FxHashMap<State, LocationId>,
    /// The instances in which threads start.
    roots: FxHashMap<FunctionId, InstanceId>,
    callees: FxHashMap<(InstanceId, u32), InstanceId>,
    /// What a call and a return in a function assign together: instances share it.
    returns: FxHashMap<[(FunctionId, u32); 2], Effect>,
    /// Instructions that have been warned about.
    warned: FxHashSet<(FunctionId, u32)>,
}

impl<'a> Inliner<'a, '_> {
    fn run(mut self, main: FunctionId, tree: &Program) -> Result<Graph, TooLarge> {
        let root = self.root(main);
        self.graph.entry = self.location(State { instance: root, position: 0, is_atomic: false });
        let end = tree.functions[main.index()].end;
        self.graph.error =
            self.add_location(Location { instance: None, position: 0, span: end, is_atomic: false });
        while let Some((from, state)) = self.states.pop() {
            let start = self.graph.edges.len();
            self.step(from, state);
            let end = self.graph.edges.len();
            if self.graph.locations.len().max(end) > self.limit {
                return Err(self.too_large(tree));
            }
            // Both are below the limit.
            self.graph.outgoing[from.index()] = (start as u32, end as u32);
        }
        Ok(self.graph)
    }

    /// Adds the edges from a location.
    fn step(&mut self, from: LocationId, state: State) {
        let function = self.function(state.instance);
        let body = &self.bodies[function.index()];
        let next = State { position: state.position + 1, ..state };
        let label = |label: &u32| State { position: body.labels[*label as usize].1, ..state };
        let mut edges =
            Edges { inliner: self, from, enforced: body.enforced.map(|enforced| enforced.before) };
        match &body.code[state.position as usize].operation {
            Operation::Skip => edges.plain(next),
            // INVARIANT: `location` follows these.
            Operation::Forward(_) => {}
            Operation::Jump(labels) => labels.iter().map(label).for_each(|to| edges.plain(to)),
            Operation::Branch { holds, fails, otherwise } => {
                edges.guarded(next, *holds);
                edges.guarded(State { position: *otherwise, ..state }, *fails);
            }
            Operation::Assume(condition) => edges.guarded(next, *condition),
            Operation::Assert { holds, fails } => {
                edges.guarded(next, *holds);
                let error = edges.inliner.graph.error;
                edges.add(Some(error), Some(*fails), Effect::None);
            }
            Operation::Assign(assignment) => edges.with_effect(next, Effect::Assign(*assignment)),
            Operation::AtomicBegin => edges.plain(State { is_atomic: true, ..next }),
            Operation::AtomicEnd => edges.plain(State { is_atomic: false, ..next }),
            Operation::StartAt(target) => {
                let at = edges.inliner.location(State { is_atomic: false, ..label(target) });
                edges.with_effect(next, Effect::Start { at, locals: ChildLocals::Copied });
            }
            Operation::Start { function, arguments } => {
                let instance = edges.inliner.root(*function);
                let at = edges.inliner.location(State { instance, position: 0, is_atomic: false });
                edges.with_effect(next, Effect::Start { at, locals: ChildLocals::Fresh(*arguments) });
            }
            Operation::Call { function, enter, .. } => {
                let instance = edges.inliner.callee(*function, state);
                let effect = enter.map_or(Effect::None, Effect::Assign);
                edges.with_effect(State { instance, position: 0, ..state }, effect);
            }
            Operation::Return(values) => edges.return_(state, values.as_deref()),
            Operation::EndThread => edges.end(state),
        }
    }

    fn function(&self, instance: InstanceId) -> FunctionId {
        self.graph.instances[instance.index()].function
    }

    /// The location of a state, behind jumps that are no steps.
    fn location(&mut self, mut state: State) -> LocationId {
        let body = &self.bodies[self.function(state.instance).index()];
        let mut instruction = &body.code[state.position as usize];
        while let Operation::Forward(target) = instruction.operation {
            state.position = target;
            instruction = &body.code[target as usize];
        }
        if let Some(&id) = self.index.get(&state) {
            return id;
        }
        let State { instance, position, is_atomic } = state;
        let location = Location { instance: Some(instance), position, span: instruction.span, is_atomic };
        let id = self.add_location(location);
        self.index.insert(state, id);
        self.states.push((id, state));
        id
    }

    fn add_location(&mut self, location: Location) -> LocationId {
        self.graph.locations.push(location);
        self.graph.outgoing.push((0, 0));
        LocationId::new(self.graph.locations.len() - 1)
    }

    /// The instance in which threads start that run a function.
    fn root(&mut self, function: FunctionId) -> InstanceId {
        let instances = &mut self.graph.instances;
        *self.roots.entry(function).or_insert_with(|| add_instance(instances, function, None))
    }

    /// The instance that the call at `state` leads to.
    fn callee(&mut self, function: FunctionId, state: State) -> InstanceId {
        let (instances, call) = (&mut self.graph.instances, (state.instance, state.position));
        *self.callees.entry(call).or_insert_with(|| add_instance(instances, function, Some(call)))
    }

    /// The assignment of results when a function returns to a call.
    fn result(&mut self, state: State, call: (InstanceId, u32), values: Option<&[ExpressionId]>) -> Effect {
        let caller = self.function(call.0);
        let key = [(self.function(state.instance), state.position), (caller, call.1)];
        if let Some(&effect) = self.returns.get(&key) {
            return effect;
        }
        let body = &self.bodies[caller.index()];
        let Operation::Call { targets, .. } = &body.code[call.1 as usize].operation else {
            return Effect::None;
        };
        let effect = if targets.iter().all(Option::is_none) {
            Effect::None
        } else {
            let values = values.map_or_else(|| vec![Arena::CHOICE; targets.len()], <[_]>::to_vec);
            let constraints = body.enforced.iter().map(|enforced| enforced.after).collect();
            let kept = targets.iter().zip(values).filter_map(|(target, value)| Some(((*target)?, value)));
            let (targets, values) = kept.unzip();
            let assignment = Assignment { targets, values, constraints };
            Effect::Assign(self.arena.assignment(assignment))
        };
        self.returns.insert(key, effect);
        effect
    }

    /// Says that a thread can end in an atomic section, once for each place.
    fn warn_about_end(&mut self, state: State) {
        let function = self.function(state.instance);
        if state.is_atomic && self.warned.insert((function, state.position)) {
            let span = self.bodies[function.index()].code[state.position as usize].span;
            self.warnings.push(span, |source| {
                Diagnostic::warning("W0503", "a thread can end here inside of an atomic section")
                    .at(source, span, "ends the section")
                    .note("other tools let such a thread block all others for ever")
            });
        }
    }

    fn too_large(&self, tree: &Program) -> TooLarge {
        let mut counts = vec![0_usize; self.bodies.len()];
        self.graph.instances.iter().for_each(|instance| counts[instance.function.index()] += 1);
        let most = FunctionId::all(counts.len()).max_by_key(|id| counts[id.index()]);
        let function = most.map(|id| (&tree.functions[id.index()], counts[id.index()]));
        TooLarge {
            span: function.map_or(Span::default(), |(function, _)| function.name.span),
            name: function.map_or(String::new(), |(function, _)| tree.text(function.name.symbol).to_owned()),
            instances: function.map_or(0, |(_, count)| count),
            limit: self.limit,
        }
    }
}

fn add_instance(
    instances: &mut Vec<Instance>,
    function: FunctionId,
    caller: Option<(InstanceId, u32)>,
) -> InstanceId {
    instances.push(Instance { function, caller });
    InstanceId::new(instances.len() - 1)
}

/// Adds edges from one location.
struct Edges<'i, 'a, 's> {
    inliner: &'i mut Inliner<'a, 's>,
    from: LocationId,
    enforced: Option<ExpressionId>,
}

impl Edges<'_, '_, '_> {
    fn plain(&mut self, to: State) {
        self.with_effect(to, Effect::None);
    }

    fn guarded(&mut self, to: State, guard: ExpressionId) {
        let to = self.inliner.location(to);
        self.add(Some(to), Some(guard), Effect::None);
    }

    fn with_effect(&mut self, to: State, effect: Effect) {
        let to = self.inliner.location(to);
        self.add(Some(to), None, effect);
    }

    /// Back to where the function was called, or nowhere.
    fn return_(&mut self, state: State, values: Option<&[ExpressionId]>) {
        let Some(call) = self.inliner.graph.instances[state.instance.index()].caller else {
            return self.end(state);
        };
        let effect = self.inliner.result(state, call, values);
        self.with_effect(State { instance: call.0, position: call.1 + 1, ..state }, effect);
    }

    /// The thread is gone.
    fn end(&mut self, state: State) {
        self.inliner.warn_about_end(state);
        self.add(None, None, Effect::None);
    }

    fn add(&mut self, to: Option<LocationId>, guard: Option<ExpressionId>, effect: Effect) {
        let edge = Edge { from: self.from, to, guard, enforced: self.enforced, effect };
        self.inliner.graph.edges.push(edge);
    }
}
