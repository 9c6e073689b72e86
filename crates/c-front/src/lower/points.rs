//! Which objects and functions a pointer may point to: an inclusion-based analysis (Andersen), insensitive to the
//! order of statements, to calling contexts and to members: all of an object is one node.
//!
//! Values of integer type are followed like pointers, so a pointer that passes through `long` or `void *` is not lost.
//! Functions are analysed when something can call or start them. The solution over-approximates all runs of the
//! program under the assumption that pointers are made from addresses of objects by arithmetic within the object.
//! Whoever dereferences a pointer compares the address with each candidate: a candidate too many costs size only, and an
//! address that is none of the candidates is an error or is excluded by a guard.

use super::{ending, library};
use crate::hir::{
    Builtin, Callee, Expression, ExpressionKind, Function, FunctionId, ObjectId, Place, PlaceKind, Program,
    Statement, StatementKind, Storage, TypeId, TypeKind,
};
use crate::world::{self, Call, Effect};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use throng_base::Span;

/// Something that has an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Target {
    /// An object.
    Object(ObjectId),
    /// A function.
    Function(FunctionId),
    /// Memory without a model: what `malloc` or an unknown function returns.
    Unmodelled,
    /// Where memory without a model comes from, for messages; it stands beside `Unmodelled`, never alone.
    Origin(Origin, u32, u32),
    /// No memory: the number of a thread, which is arbitrary in the same way as an address.
    Thread,
}

/// Whose memory it is that has no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Origin {
    /// That of a call that allocates it.
    Heap,
    /// That of a function without a body, by its call.
    Outside,
    /// That of whoever calls a function with any arguments, by the parameter.
    Caller,
    /// That of the system which gives `main` its arguments.
    Arguments,
}

type Set = BTreeSet<Target>;
type NodeId = usize;

enum Constraint {
    /// The first contains the second.
    Copy(NodeId, NodeId),
    /// The first contains what the second points to.
    Load(NodeId, NodeId),
    /// What the first points to contains the second.
    Store(NodeId, NodeId),
    /// A call in this function of what the node points to, with arguments and result.
    Call(FunctionId, NodeId, Vec<NodeId>, NodeId),
    /// A thread runs what the first points to with the second as its argument.
    Start(NodeId, NodeId),
}

/// The solution.
pub(super) struct PointsTo {
    sets: Vec<Set>,
    results: usize,
    thread_result: NodeId,
    /// What unknown functions are given.
    given: NodeId,
    /// What unknown functions may know: what they are given, what is declared only, and, if they may change everything, what has
    /// external linkage.
    outside: NodeId,
    /// Whether unknown functions may change everything with external linkage.
    is_open: bool,
    constraints: Vec<Constraint>,
    analysed: FxHashSet<FunctionId>,
    queue: Vec<FunctionId>,
    /// Whose body is being read.
    current: FunctionId,
    /// Who may call whom.
    calls: BTreeSet<(FunctionId, FunctionId)>,
    /// Functions that are started in threads.
    pub(super) started: BTreeSet<FunctionId>,
    /// Objects whose address may come to another thread than their own.
    pub(super) escaped: BTreeSet<ObjectId>,
    /// Objects that may be written to after the start.
    pub(super) written: FxHashSet<ObjectId>,
    /// Objects whose address is taken.
    pub(super) addressed: FxHashSet<ObjectId>,
    /// Nodes of pointers that are written through.
    written_through: Vec<NodeId>,
    start_arguments: Vec<NodeId>,
}

impl PointsTo {
    /// Analyses everything that these functions lead to.
    /// Those of `given` are called by somebody that is not part of the program, with arbitrary arguments.
    /// `is_open` says whether unknown functions may change everything with external linkage.
    /// `is_listing`: nothing is decided, so arguments point to memory of the caller only, and functions of other files keep what they
    /// are given to themselves.
    pub(super) fn new(
        program: &Program,
        roots: &[FunctionId],
        given: &[FunctionId],
        is_open: bool,
        is_listing: bool,
    ) -> Self {
        let results = program.objects.len();
        let thread_result = results + program.functions.len();
        let outside = thread_result + 2;
        let mut this = Self {
            sets: vec![Set::new(); outside + 1],
            results,
            thread_result,
            given: thread_result + 1,
            outside,
            is_open,
            constraints: Vec::new(),
            analysed: FxHashSet::default(),
            queue: roots.to_vec(),
            current: FunctionId::new(0),
            calls: BTreeSet::new(),
            started: BTreeSet::new(),
            escaped: BTreeSet::new(),
            written: FxHashSet::default(),
            addressed: FxHashSet::default(),
            written_through: Vec::new(),
            start_arguments: Vec::new(),
        };
        this.sets[this.outside].insert(Target::Unmodelled);
        this.constraints.push(Constraint::Load(this.given, this.given));
        this.constraints.push(Constraint::Copy(this.outside, this.given));
        this.constraints.push(Constraint::Load(this.outside, this.outside));
        if !is_listing {
            this.constraints.push(Constraint::Store(this.outside, this.outside));
        }
        let (before, after) = (ending::constructors(program), ending::at_exit(program));
        this.queue.extend(before.iter().chain(&after));
        this.queue.extend(ending::at_quick_exit(program));
        if let Some(&main) = roots.first() {
            this.calls.extend(before.iter().chain(&after).map(|&function| (main, function)));
        }
        for (index, object) in program.objects.iter().enumerate() {
            for store in &object.initial {
                let value = this.value(program, &store.value);
                this.constraints.push(Constraint::Copy(index, value));
            }
        }
        this.arbitrary_parameters(program, given, is_listing);
        if let (Some(main), true) = (roots.first(), given.is_empty()) {
            let main = &program.functions[main.index()];
            let (start, end) = (main.span.start, main.span.end);
            let memory = [Target::Unmodelled, Target::Origin(Origin::Arguments, start, end)];
            for &parameter in main.parameters.iter().skip(1) {
                this.sets[parameter.index()].extend(memory);
            }
        }
        this.solve(program);
        this.find_escapes(program);
        this.find_written(program);
        this
    }

    /// Arbitrary arguments may point to anything that lives all the time, and to what is not there at all.
    fn arbitrary_parameters(&mut self, program: &Program, given: &[FunctionId], is_listing: bool) {
        let mut all = Set::from([Target::Unmodelled]);
        if !is_listing {
            let is_static = |index: &usize| program.objects[*index].storage == Storage::Static;
            let objects = (0..program.objects.len()).filter(is_static);
            all.extend(objects.map(|index| Target::Object(ObjectId::new(index))));
            all.extend((0..program.functions.len()).map(|index| Target::Function(FunctionId::new(index))));
        }
        let parameters = given.iter().flat_map(|f| &program.functions[f.index()].parameters);
        for &parameter in parameters {
            if may_hold_pointers(program, program.objects[parameter.index()].ty) {
                self.sets[parameter.index()].extend(&all);
                let span = program.objects[parameter.index()].span;
                self.sets[parameter.index()].insert(Target::Origin(Origin::Caller, span.start, span.end));
                let objects = (0..program.objects.len()).map(ObjectId::new);
                self.addressed.extend(objects.filter(|&object| all.contains(&Target::Object(object))));
            }
        }
    }

    fn fresh(&mut self) -> NodeId {
        self.sets.push(Set::new());
        self.sets.len() - 1
    }

    fn solve(&mut self, program: &Program) {
        loop {
            while let Some(function) = self.queue.pop() {
                self.analyse(program, function);
            }
            let mut is_changed = false;
            for index in 0..self.constraints.len() {
                is_changed |= self.apply(program, index);
            }
            if !is_changed && self.queue.is_empty() {
                return;
            }
        }
    }

    fn add_all(&mut self, to: NodeId, from: NodeId) -> bool {
        if to == from {
            return false;
        }
        let new: Vec<Target> = self.sets[from].difference(&self.sets[to]).copied().collect();
        self.sets[to].extend(&new);
        !new.is_empty()
    }

    fn apply(&mut self, program: &Program, index: usize) -> bool {
        // The list grows only at its end, and constraints do not change.
        match &self.constraints[index] {
            &Constraint::Copy(to, from) => self.add_all(to, from),
            &Constraint::Load(to, pointer) => {
                let targets = self.objects(pointer);
                let mut is_changed = false;
                if self.sets[pointer].contains(&Target::Unmodelled) {
                    is_changed |= self.sets[to].insert(Target::Unmodelled);
                    let is_origin = |target: &Target| matches!(target, Target::Origin(..));
                    let origins: Vec<Target> = self.sets[pointer].iter().copied().filter(is_origin).collect();
                    is_changed |= origins.into_iter().fold(false, |new, it| self.sets[to].insert(it) | new);
                }
                targets.into_iter().fold(is_changed, |changed, o| self.add_all(to, o) | changed)
            }
            &Constraint::Store(pointer, from) => {
                let targets = self.objects(pointer);
                targets.into_iter().fold(false, |changed, o| self.add_all(o, from) | changed)
            }
            Constraint::Call(caller, callee, arguments, result) => {
                let (caller, callee, arguments, result) = (*caller, *callee, arguments.clone(), *result);
                let mut is_changed = false;
                for function in self.functions(callee) {
                    is_changed |= self.calls.insert((caller, function));
                    is_changed |= self.bind(program, function, &arguments, Some(result));
                }
                is_changed
            }
            &Constraint::Start(callee, argument) => {
                let mut is_changed = false;
                for function in self.functions(callee) {
                    is_changed |= self.started.insert(function);
                    is_changed |= self.bind(program, function, &[argument], None);
                    is_changed |= self.add_all(self.thread_result, self.results + function.index());
                }
                is_changed
            }
        }
    }

    fn objects(&self, pointer: NodeId) -> Vec<usize> {
        let objects = self.sets[pointer].iter().filter_map(|target| match target {
            Target::Object(object) => Some(object.index()),
            _ => None,
        });
        objects.collect()
    }

    fn functions(&self, pointer: NodeId) -> Vec<FunctionId> {
        let functions = self.sets[pointer].iter().filter_map(|target| match target {
            Target::Function(function) => Some(*function),
            _ => None,
        });
        functions.collect()
    }

    fn bind(
        &mut self,
        program: &Program,
        function: FunctionId,
        arguments: &[NodeId],
        result: Option<NodeId>,
    ) -> bool {
        let mut is_changed = false;
        if program.functions[function.index()].body.is_some() && !self.analysed.contains(&function) {
            self.queue.push(function);
            is_changed = true;
        }
        let parameters = &program.functions[function.index()].parameters;
        for (parameter, &argument) in parameters.iter().zip(arguments) {
            is_changed |= self.add_all(parameter.index(), argument);
        }
        if let Some(result) = result {
            is_changed |= self.add_all(result, self.results + function.index());
        }
        is_changed
    }

    fn analyse(&mut self, program: &Program, function: FunctionId) {
        if !self.analysed.insert(function) {
            return;
        }
        self.current = function;
        if let Some(body) = &program.functions[function.index()].body {
            self.statements(program, body);
        }
    }

    fn statements(&mut self, program: &Program, list: &[Statement]) {
        let mut is_async = false;
        for statement in list {
            match &statement.kind {
                StatementKind::Expression(e) => {
                    if let (true, ExpressionKind::Call(Callee::Direct(function), arguments)) =
                        (is_async, &e.kind)
                    {
                        self.started.insert(*function);
                        for argument in arguments {
                            let argument = self.value(program, argument);
                            self.start_arguments.push(argument);
                        }
                    }
                    self.value(program, e);
                }
                StatementKind::Label(label) => {
                    let labels = &program.functions[self.current.index()].labels;
                    if library::is_async_label(&labels[label.index()].name) {
                        is_async = true;
                        continue;
                    }
                }
                StatementKind::Declare(object, stores) => {
                    if let Some(function) = program.objects[object.index()].cleanup {
                        self.cleanup(*object, function);
                    }
                    for store in stores.iter().flatten() {
                        let value = self.value(program, &store.value);
                        self.constraints.push(Constraint::Copy(object.index(), value));
                    }
                }
                StatementKind::Block(body) => self.statements(program, body),
                StatementKind::If { condition, then, otherwise } => {
                    self.value(program, condition);
                    self.statements(program, then);
                    self.statements(program, otherwise);
                }
                StatementKind::Loop { condition, step, body, .. } => {
                    for e in condition.iter().chain(step) {
                        self.value(program, e);
                    }
                    self.statements(program, body);
                }
                StatementKind::Switch { value, body } => {
                    self.value(program, value);
                    self.statements(program, body);
                }
                StatementKind::Return(Some(e)) => {
                    let value = self.value(program, e);
                    let result = self.results + self.current.index();
                    self.constraints.push(Constraint::Copy(result, value));
                }
                _ => {}
            }
            is_async = false;
        }
    }

    /// A function is called with the address of an object when its scope is left.
    fn cleanup(&mut self, object: ObjectId, function: FunctionId) {
        self.addressed.insert(object);
        let (f, argument, result) = (self.fresh(), self.fresh(), self.fresh());
        self.sets[f].insert(Target::Function(function));
        self.sets[argument].insert(Target::Object(object));
        self.constraints.push(Constraint::Call(self.current, f, vec![argument], result));
    }

    /// A node that contains what the expression may evaluate to.
    fn value(&mut self, program: &Program, e: &Expression) -> NodeId {
        match &e.kind {
            ExpressionKind::Constant(_) => self.fresh(),
            ExpressionKind::Load(place) => self.content(program, place),
            ExpressionKind::AddressOf(place) => self.address(program, place),
            ExpressionKind::FunctionAddress(function) => {
                let node = self.fresh();
                self.sets[node].insert(Target::Function(*function));
                node
            }
            ExpressionKind::Negate(a) | ExpressionKind::BitNot(a) | ExpressionKind::Convert(a) => {
                self.value(program, a)
            }
            ExpressionKind::Not(a) => {
                self.value(program, a);
                self.fresh()
            }
            ExpressionKind::Offset { pointer: a, index: b, .. } => {
                self.value(program, b);
                self.value(program, a)
            }
            ExpressionKind::Difference(a, b, _) | ExpressionKind::And(a, b) | ExpressionKind::Or(a, b) => {
                self.value(program, a);
                self.value(program, b);
                self.fresh()
            }
            ExpressionKind::Binary(operator, a, b) => {
                let (a, b) = (self.value(program, a), self.value(program, b));
                if super::is_comparison(*operator) { self.fresh() } else { self.union(&[a, b]) }
            }
            ExpressionKind::Conditional(c, a, b) => {
                self.value(program, c);
                let (a, b) = (self.value(program, a), self.value(program, b));
                self.union(&[a, b])
            }
            ExpressionKind::Elvis(a, b) => {
                let (a, b) = (self.value(program, a), self.value(program, b));
                self.union(&[a, b])
            }
            ExpressionKind::Comma(a, b) => {
                self.value(program, a);
                self.value(program, b)
            }
            ExpressionKind::Assign(place, value) => {
                let value = self.value(program, value);
                self.store(program, place, value);
                value
            }
            ExpressionKind::Update { place, value, .. } => {
                let value = self.value(program, value);
                self.store(program, place, value);
                self.content(program, place)
            }
            ExpressionKind::Call(callee, arguments) => self.call(program, callee, arguments, e.span),
            ExpressionKind::Builtin(builtin, arguments) => self.builtin(program, *builtin, arguments),
            ExpressionKind::Block(body, value) => {
                self.statements(program, body);
                match value {
                    Some(e) => self.value(program, e),
                    None => self.fresh(),
                }
            }
            ExpressionKind::Unmodelled(_, operands) => {
                for operand in operands {
                    self.value(program, operand);
                }
                self.unmodelled()
            }
        }
    }

    fn unmodelled(&mut self) -> NodeId {
        let node = self.fresh();
        self.sets[node].insert(Target::Unmodelled);
        node
    }

    fn thread_number(&mut self) -> NodeId {
        let node = self.fresh();
        self.sets[node].insert(Target::Thread);
        node
    }

    fn union(&mut self, nodes: &[NodeId]) -> NodeId {
        let node = self.fresh();
        self.constraints.extend(nodes.iter().map(|&from| Constraint::Copy(node, from)));
        node
    }

    fn content(&mut self, program: &Program, place: &Place) -> NodeId {
        match &place.kind {
            PlaceKind::Object(object) => object.index(),
            PlaceKind::Member(inner, _) => self.content(program, inner),
            PlaceKind::Element(inner, index) => {
                self.value(program, index);
                self.content(program, inner)
            }
            PlaceKind::Dereference(pointer) => {
                let pointer = self.value(program, pointer);
                let node = self.fresh();
                self.constraints.push(Constraint::Load(node, pointer));
                node
            }
            PlaceKind::Value(e) => self.value(program, e),
        }
    }

    fn address(&mut self, program: &Program, place: &Place) -> NodeId {
        match &place.kind {
            PlaceKind::Object(object) => {
                self.addressed.insert(*object);
                let node = self.fresh();
                self.sets[node].insert(Target::Object(*object));
                node
            }
            PlaceKind::Member(inner, _) => self.address(program, inner),
            PlaceKind::Element(inner, index) => {
                self.value(program, index);
                self.address(program, inner)
            }
            PlaceKind::Dereference(pointer) => self.value(program, pointer),
            PlaceKind::Value(e) => {
                self.value(program, e);
                self.unmodelled()
            }
        }
    }

    fn store(&mut self, program: &Program, place: &Place, value: NodeId) {
        match &place.kind {
            PlaceKind::Object(object) => {
                self.written.insert(*object);
                self.constraints.push(Constraint::Copy(object.index(), value));
            }
            PlaceKind::Member(inner, _) => self.store(program, inner, value),
            PlaceKind::Element(inner, index) => {
                self.value(program, index);
                self.store(program, inner, value);
            }
            PlaceKind::Dereference(pointer) => {
                let pointer = self.value(program, pointer);
                self.written_through.push(pointer);
                self.constraints.push(Constraint::Store(pointer, value));
            }
            PlaceKind::Value(e) => {
                self.value(program, e);
            }
        }
    }

    fn call(&mut self, program: &Program, callee: &Callee, arguments: &[Expression], span: Span) -> NodeId {
        let arguments: Vec<NodeId> = arguments.iter().map(|argument| self.value(program, argument)).collect();
        match callee {
            Callee::Indirect(f) => {
                let f = self.value(program, f);
                let result = self.fresh();
                self.constraints.push(Constraint::Call(self.current, f, arguments, result));
                result
            }
            Callee::Direct(function) => {
                let definition = &program.functions[function.index()];
                if definition.body.is_some() && !library::overrides(&definition.name) {
                    let f = self.fresh();
                    self.sets[f].insert(Target::Function(*function));
                    let result = self.fresh();
                    self.constraints.push(Constraint::Call(self.current, f, arguments, result));
                    return result;
                }
                let result = self.library(program, definition, &arguments);
                if let Some(origin) = origin(&definition.name) {
                    let copy = self.union(&[result]);
                    self.sets[copy].insert(Target::Origin(origin, span.start, span.end));
                    return copy;
                }
                result
            }
        }
    }

    fn library(&mut self, program: &Program, definition: &Function, arguments: &[NodeId]) -> NodeId {
        let name = definition.name.as_str();
        match (name, arguments) {
            ("exit", _) => {
                let functions = ending::at_exit(program);
                self.calls.extend(functions.iter().map(|&function| (self.current, function)));
                self.fresh()
            }
            ("quick_exit", _) => {
                let functions = ending::at_quick_exit(program);
                self.calls.extend(functions.iter().map(|&function| (self.current, function)));
                self.fresh()
            }
            ("pthread_create", &[thread, _, f, argument]) => {
                self.start_arguments.push(argument);
                self.written_through.push(thread);
                self.constraints.push(Constraint::Start(f, argument));
                let number = self.thread_number();
                self.constraints.push(Constraint::Store(thread, number));
                self.fresh()
            }
            ("pthread_self" | "thrd_current", _) => self.thread_number(),
            ("pthread_join", &[_, to]) => {
                self.written_through.push(to);
                self.constraints.push(Constraint::Store(to, self.thread_result));
                self.fresh()
            }
            ("pthread_exit", &[value]) => {
                self.constraints.push(Constraint::Copy(self.thread_result, value));
                self.fresh()
            }
            ("pthread_once", &[control, f]) => {
                self.written_through.push(control);
                let result = self.fresh();
                self.constraints.push(Constraint::Call(self.current, f, Vec::new(), result));
                result
            }
            ("memcpy" | "memmove" | "mempcpy", &[to, from, _]) | ("bcopy", &[from, to, _]) => {
                let content = self.fresh();
                self.constraints.push(Constraint::Load(content, from));
                self.written_through.push(to);
                self.constraints.push(Constraint::Store(to, content));
                to
            }
            ("memset", &[to, byte, _]) => {
                self.written_through.push(to);
                self.constraints.push(Constraint::Store(to, byte));
                to
            }
            ("bzero", &[to, _]) => {
                self.written_through.push(to);
                self.fresh()
            }
            ("memcmp" | "bcmp", _) => self.fresh(),
            // An arbitrary number may be used as an address.
            _ if library::is_nondet(name) => self.unmodelled(),
            _ if library::has_no_effect(name) => self.fresh(),
            _ if name != "syscall" && world::function(name).is_some() => {
                self.written_through.extend(arguments);
                let anything = self.unmodelled();
                if matches!(
                    world::function(name),
                    Some(Call {
                        effect: Effect::Writes(_) | Effect::WritesFrom(_) | Effect::Obscures(_),
                        ..
                    })
                ) {
                    self.constraints
                        .extend(arguments.iter().map(|&argument| Constraint::Store(argument, anything)));
                }
                anything
            }
            _ => {
                // It may keep what it is given, and write what it knows to all that it knows.
                self.written_through.extend(arguments);
                self.written_through.push(self.outside);
                // A pointer to something constant is a promise that nobody has to keep.
                for &argument in arguments {
                    self.constraints.push(Constraint::Copy(self.given, argument));
                }
                let is_known =
                    |object: &crate::hir::Object| object.is_external || (self.is_open && object.is_linked);
                let known = program.objects.iter().enumerate().filter(|(_, object)| is_known(object));
                let known: Vec<Target> =
                    known.map(|(index, _)| Target::Object(ObjectId::new(index))).collect();
                self.sets[self.outside].extend(known);
                self.outside
            }
        }
    }

    fn builtin(&mut self, program: &Program, builtin: Builtin, arguments: &[Expression]) -> NodeId {
        let nodes: Vec<NodeId> = arguments.iter().map(|argument| self.value(program, argument)).collect();
        match builtin {
            Builtin::Fence | Builtin::Unreachable | Builtin::Trap | Builtin::ConstantP => self.fresh(),
            Builtin::Expect => nodes.first().copied().unwrap_or_else(|| self.fresh()),
            Builtin::Overflow(_) => {
                if let [a, b, to] = nodes[..] {
                    let both = self.union(&[a, b]);
                    self.written_through.push(to);
                    self.constraints.push(Constraint::Store(to, both));
                }
                self.fresh()
            }
            _ => {
                let result = self.fresh();
                if let Some((&pointer, rest)) = nodes.split_first() {
                    self.constraints.push(Constraint::Load(result, pointer));
                    if builtin != Builtin::AtomicLoad {
                        self.written_through.push(pointer);
                    }
                    // What is expected is behind a pointer, and comes back there.
                    let is_pointer = builtin == Builtin::AtomicCompareExchange;
                    for &value in rest.iter().skip(usize::from(is_pointer)) {
                        self.constraints.push(Constraint::Store(pointer, value));
                    }
                    if let (Builtin::AtomicCompareExchange, Some(&expected)) = (builtin, rest.first()) {
                        self.written_through.push(expected);
                        self.constraints.push(Constraint::Store(expected, result));
                    }
                }
                result
            }
        }
    }

    /// Whether a variable is written to after it has got its first value.
    pub(super) fn is_written(&self, object: ObjectId) -> bool {
        self.written.contains(&object) || self.addressed.contains(&object)
    }

    /// Who may call a function; starting a thread with it is no call.
    pub(super) fn callers(&self, function: FunctionId) -> Vec<FunctionId> {
        let calls = self.calls.iter().filter(|&&(_, callee)| callee == function);
        calls.map(|&(caller, _)| caller).collect()
    }

    /// The functions that a thread that runs this one may be in.
    pub(super) fn reachable(&self, root: FunctionId) -> BTreeSet<FunctionId> {
        let mut found = BTreeSet::from([root]);
        let mut queue = vec![root];
        while let Some(function) = queue.pop() {
            for &(_, callee) in
                self.calls.range((function, FunctionId::new(0))..).take_while(|pair| pair.0 == function)
            {
                if found.insert(callee) {
                    queue.push(callee);
                }
            }
        }
        found
    }

    fn find_escapes(&mut self, program: &Program) {
        let mut queue: Vec<NodeId> = self.start_arguments.clone();
        queue.push(self.thread_result);
        for (index, object) in program.objects.iter().enumerate() {
            if object.storage == Storage::Static {
                queue.push(index);
            }
        }
        while let Some(node) = queue.pop() {
            for object in self.objects(node) {
                if self.escaped.insert(ObjectId::new(object)) {
                    queue.push(object);
                }
            }
        }
    }

    fn find_written(&mut self, program: &Program) {
        for node in std::mem::take(&mut self.written_through) {
            let objects = self.objects(node);
            self.written.extend(objects.into_iter().map(ObjectId::new));
        }
        for (index, object) in program.objects.iter().enumerate() {
            if object.is_external {
                self.written.insert(ObjectId::new(index));
            }
        }
    }

    /// Adds the objects that these lead to.
    pub(super) fn reach(&self, from: &BTreeSet<Target>, into: &mut BTreeSet<ObjectId>) {
        let mut queue: Vec<Target> = from.iter().copied().collect();
        while let Some(target) = queue.pop() {
            let Target::Object(object) = target else { continue };
            if into.insert(object)
                && let Some(content) = self.sets.get(object.index())
            {
                queue.extend(content);
            }
        }
    }

    /// The objects that may hold a pointer to an object.
    pub(super) fn holders(&self, object: ObjectId) -> Vec<ObjectId> {
        let objects = self.sets[..self.results].iter().enumerate();
        let holding = objects.filter(|(_, set)| set.contains(&Target::Object(object)));
        holding.map(|(index, _)| ObjectId::new(index)).collect()
    }

    /// The functions that unknown functions are given, and may call.
    pub(super) fn callable_outside(&self) -> Vec<FunctionId> {
        self.functions(self.given)
    }

    /// The objects that unknown functions may know.
    pub(super) fn known_outside(&self) -> BTreeSet<ObjectId> {
        self.objects(self.outside).into_iter().map(ObjectId::new).collect()
    }

    /// Whether unknown functions know an object without being given its address.
    pub(super) fn is_linked_outside(&self, program: &Program, object: ObjectId) -> bool {
        let object = program.objects.get(object.index());
        object.is_some_and(|object| object.is_external || (self.is_open && object.is_linked))
    }

    /// What an expression may point to.
    pub(super) fn of(&self, program: &Program, e: &Expression) -> BTreeSet<Target> {
        match &e.kind {
            ExpressionKind::Load(place) => self.of_content(program, place),
            ExpressionKind::AddressOf(place) => self.of_address(program, place),
            ExpressionKind::FunctionAddress(function) => [Target::Function(*function)].into(),
            ExpressionKind::Negate(a)
            | ExpressionKind::BitNot(a)
            | ExpressionKind::Convert(a)
            | ExpressionKind::Offset { pointer: a, .. }
            | ExpressionKind::Comma(_, a) => self.of(program, a),
            ExpressionKind::Binary(operator, a, b) if !super::is_comparison(*operator) => {
                &self.of(program, a) | &self.of(program, b)
            }
            ExpressionKind::Conditional(_, a, b) | ExpressionKind::Elvis(a, b) => {
                &self.of(program, a) | &self.of(program, b)
            }
            ExpressionKind::Assign(_, value) => self.of(program, value),
            ExpressionKind::Update { place, .. } => self.of_content(program, place),
            ExpressionKind::Call(Callee::Direct(function), arguments) => {
                let definition = &program.functions[function.index()];
                if definition.body.is_some() && !library::overrides(&definition.name) {
                    self.sets[self.results + function.index()].clone()
                } else if matches!(definition.name.as_str(), "pthread_self" | "thrd_current") {
                    [Target::Thread].into()
                } else if let ("memcpy" | "memmove" | "mempcpy" | "memset", [to, ..]) =
                    (definition.name.as_str(), &arguments[..])
                {
                    self.of(program, to)
                } else {
                    let mut all: Set = arguments.iter().flat_map(|e| self.of(program, e)).collect();
                    if definition.name == "syscall" || world::function(&definition.name).is_none() {
                        all.extend(&self.sets[self.outside]);
                    }
                    all.insert(Target::Unmodelled);
                    if let Some(origin) = origin(&definition.name) {
                        all.insert(Target::Origin(origin, e.span.start, e.span.end));
                    }
                    all
                }
            }
            ExpressionKind::Call(Callee::Indirect(f), _) => {
                let mut all = Set::new();
                for target in self.of(program, f) {
                    if let Target::Function(function) = target {
                        all.extend(&self.sets[self.results + function.index()]);
                    }
                }
                all
            }
            ExpressionKind::Builtin(Builtin::Expect, arguments) => {
                arguments.first().map(|a| self.of(program, a)).unwrap_or_default()
            }
            ExpressionKind::Builtin(_, arguments) => {
                let mut all = Set::new();
                for target in arguments.first().map(|a| self.of(program, a)).unwrap_or_default() {
                    if let Target::Object(object) = target {
                        all.extend(&self.sets[object.index()]);
                    }
                }
                all
            }
            ExpressionKind::Block(_, Some(value)) => self.of(program, value),
            ExpressionKind::Unmodelled(..) => [Target::Unmodelled].into(),
            _ => Set::new(),
        }
    }

    fn of_content(&self, program: &Program, place: &Place) -> BTreeSet<Target> {
        match &place.kind {
            PlaceKind::Object(object) => self.sets[object.index()].clone(),
            PlaceKind::Member(inner, _) | PlaceKind::Element(inner, _) => self.of_content(program, inner),
            PlaceKind::Dereference(pointer) => {
                let mut all = Set::new();
                for target in self.of(program, pointer) {
                    match target {
                        Target::Object(object) => all.extend(&self.sets[object.index()]),
                        Target::Unmodelled => {
                            all.insert(Target::Unmodelled);
                        }
                        Target::Origin(..) => {
                            all.insert(target);
                        }
                        Target::Function(_) | Target::Thread => {}
                    }
                }
                all
            }
            PlaceKind::Value(e) => self.of(program, e),
        }
    }

    fn of_address(&self, program: &Program, place: &Place) -> BTreeSet<Target> {
        match &place.kind {
            PlaceKind::Object(object) => [Target::Object(*object)].into(),
            PlaceKind::Member(inner, _) | PlaceKind::Element(inner, _) => self.of_address(program, inner),
            PlaceKind::Dereference(pointer) => self.of(program, pointer),
            PlaceKind::Value(_) => [Target::Unmodelled].into(),
        }
    }
}

/// What memory a function without a body returns that has no model.
fn origin(name: &str) -> Option<Origin> {
    match world::function(name) {
        Some(call) => (call.effect == Effect::Allocates).then_some(Origin::Heap),
        None => Some(Origin::Outside),
    }
}

/// Whether values of a type are or contain pointers.
fn may_hold_pointers(program: &Program, ty: TypeId) -> bool {
    match &program.types[ty.index()].kind {
        TypeKind::Pointer(_) => true,
        TypeKind::Array { element, .. } => may_hold_pointers(program, *element),
        TypeKind::Record(record) => {
            let fields = program.records[record.index()].fields.as_deref().unwrap_or_default();
            fields.iter().any(|field| may_hold_pointers(program, field.ty))
        }
        _ => false,
    }
}
