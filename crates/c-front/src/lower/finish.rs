//! From beginning to end: the roots, all templates, and the program that comes out.
//!
//! Whether a location is in an atomic section depends on how a thread came there: locations that are reached both inside
//! and outside of sections become two.

use super::cone;
use super::footprint::Footprints;
use super::fuse::{Draft, DraftEdge, DraftLocation};
use super::graph::Graph;
use super::locks::MutexKinds;
use super::memory::Memory;
use super::oblige::Duties;
use super::points::PointsTo;
use super::puns;
use super::{Lower, Options, Properties, listing};
use crate::hir::{self, FunctionId, Storage};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use throng_base::Diagnostic;
use throng_cfa::flow::{
    self, Edge, EdgeId, Expressions, LedgerEntry, Location, LocationId, LocationKind, NondetId, SiteId,
    Template, TemplateId,
};

impl<'p> Lower<'p> {
    /// Finds the roots and prepares the tables.
    pub(super) fn start(program: &'p hir::Program, options: &'p Options) -> Result<Self, Vec<Diagnostic>> {
        let roots = roots(program, options)?;
        check_properties(program, options)?;
        let given: &[FunctionId] = if options.threads_run.is_empty() { &[] } else { &roots };
        let points = PointsTo::new(program, &roots, given, options.havoc_calls, options.list_unsupported);
        let stepped = super::arbitrary::stepped(program, &points);
        let address_widths = puns::address_widths(program, &points);
        let mut this = Self {
            program,
            options,
            points,
            stepped,
            memory: Memory::new(program),
            e: Expressions::default(),
            variables: Vec::new(),
            nondets: Vec::new(),
            properties: Vec::new(),
            sites: Vec::new(),
            site_numbers: FxHashMap::default(),
            predicates: Vec::new(),
            ledger: BTreeMap::new(),
            graph: Graph::default(),
            templates: Vec::new(),
            template_numbers: FxHashMap::default(),
            template: TemplateId::new(0),
            frames: Vec::new(),
            instances: 0,
            temporaries: FxHashMap::default(),
            temporary_count: 0,
            obligations: Vec::new(),
            duties: Duties::new(program),
            touched: Vec::new(),
            touched_by: FxHashMap::default(),
            ordered_by: FxHashMap::default(),
            nondet_spans: Vec::new(),
            nondet_span: throng_base::Span::default(),
            is_inside: false,
            is_joint_forced: false,
            newborn: None,
            unmodelled: FxHashMap::default(),
            origins: FxHashMap::default(),
            read_from: None,
            errors: Vec::new(),
            warnings: Vec::new(),
            fragile: FxHashMap::default(),
            waiting: BTreeMap::new(),
            wakeups: Vec::new(),
            mutex_kinds: MutexKinds::default(),
            pseudo_objects: FxHashMap::default(),
            footprints: Footprints::default(),
            preloaded: FxHashMap::default(),
            order_depth: 0,
            puns: puns::of(program),
            address_widths,
            shared_locals: BTreeSet::new(),
            mortal: BTreeMap::new(),
            given_away: BTreeMap::new(),
            argument_numbers: BTreeMap::new(),
            stopped: BTreeMap::new(),
            statement_number: 0,
        };
        this.find_mutex_kinds();
        this.check_runners();
        if options.threads_run.is_empty() {
            this.find_shared_locals(roots[0]);
            this.template_of(roots[0]);
        } else {
            this.make_starter(&roots);
        }
        Ok(this)
    }

    /// Objects of `main` and of functions that only `main` calls, which there is one of each at a time, may be seen by other threads.
    fn find_shared_locals(&mut self, main: FunctionId) {
        if self.points.started.contains(&main) {
            return;
        }
        let program = self.program;
        let of_main = self.points.reachable(main);
        let started = self.points.started.iter();
        let elsewhere: BTreeSet<FunctionId> = started.flat_map(|&f| self.points.reachable(f)).collect();
        let body = program.functions[main.index()].body.as_deref().unwrap_or_default();
        let outermost = super::scope::lives(program, body);
        for &object in &self.points.escaped {
            let (Storage::Automatic(function) | Storage::Parameter(function)) =
                program.objects[object.index()].storage
            else {
                continue;
            };
            if function != main && (!of_main.contains(&function) || elsewhere.contains(&function)) {
                continue;
            }
            self.shared_locals.insert(object);
            self.shared_locals.extend(program.objects[object.index()].length);
            let is_parameter = matches!(program.objects[object.index()].storage, Storage::Parameter(_));
            let is_outermost = function == main && (is_parameter || outermost.contains(&object));
            if !is_outermost {
                self.mortal.insert(object, None);
            }
        }
    }

    /// Makes all code, then the program.
    pub(super) fn run(mut self) -> Result<(flow::Program, Vec<Diagnostic>), Vec<Diagnostic>> {
        let mut next = 0;
        while next < self.templates.len() {
            self.make_template(TemplateId::new(next));
            next += 1;
        }
        let (n_errors, n_nondets) = (self.errors.len(), self.nondets.len());
        if self.options.list_unsupported {
            self.scan_uncalled();
        }
        let unreached: Vec<Diagnostic> = self.errors.drain(n_errors..).collect();
        self.fill_wakeups();
        let draft = self.draft();
        let main = TemplateId::new(0);
        let mut unmodelled = std::mem::take(&mut self.unmodelled);
        let is_unreached = |nondet: &NondetId| nondet.index() >= n_nondets;
        let elsewhere: Vec<Diagnostic> =
            unmodelled.iter().filter(|(id, _)| is_unreached(id)).map(|(_, it)| it.clone()).collect();
        unmodelled.retain(|id, _| !is_unreached(id));
        let mut errors = std::mem::take(&mut self.errors);
        let mut warnings = std::mem::take(&mut self.warnings);
        let is_listing = self.options.list_unsupported;
        let has_callers = !self.options.threads_run.is_empty();
        let unions = cone::overlapping(&mut self);
        let program = self.assemble(draft, main);
        let refusals = cone::refusals(&program, &unmodelled, &unions, is_listing);
        errors.extend(refusals.errors);
        if is_listing {
            warnings.extend(refusals.harmless);
            for diagnostic in unreached.iter().chain(&elsewhere) {
                let remark = listing::unreached(diagnostic);
                if !errors
                    .iter()
                    .chain(&warnings)
                    .any(|it| it.message == remark.message && it.place == remark.place)
                {
                    warnings.push(remark);
                }
            }
            listing::sort_out(&mut errors, &mut warnings, has_callers);
        }
        if errors.is_empty() {
            return Ok((program, warnings));
        }
        if is_listing {
            errors.extend(warnings);
        }
        let place = |diagnostic: &Diagnostic| {
            let place = diagnostic.place.as_deref();
            place.map(|(snippet, _)| (snippet.file.clone(), snippet.line, snippet.column))
        };
        errors.sort_by_key(place);
        errors.dedup();
        Err(errors)
    }

    /// Looks at functions that nothing calls, for what is not supported in them.
    fn scan_uncalled(&mut self) {
        let inlined: BTreeSet<String> = self.sites.iter().map(|site| site.function.clone()).collect();
        for index in 0..self.program.functions.len() {
            let function = &self.program.functions[index];
            let is_system = self.program.text.is_system(function.span.start);
            if function.body.is_some() && !inlined.contains(&function.name) && !is_system {
                let template = self.template_of(FunctionId::new(index));
                self.make_template(template);
            }
        }
    }

    /// The graph with locations told apart by atomic sections, as far as threads come.
    fn draft(&mut self) -> Draft {
        let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); self.graph.nodes.len()];
        for (index, arc) in self.graph.arcs.iter().enumerate() {
            outgoing[self.graph.find(arc.from).index()].push(index);
        }
        let mut touched: FxHashMap<LocationId, Vec<throng_base::Span>> = FxHashMap::default();
        for (location, span) in std::mem::take(&mut self.touched) {
            touched.entry(self.graph.find(location)).or_default().push(span);
        }
        let mut numbers: FxHashMap<(LocationId, bool), usize> = FxHashMap::default();
        let mut queue = Vec::new();
        let mut draft = Draft::default();
        let entries: Vec<LocationId> = self.templates.iter().map(|template| template.entry).collect();
        for entry in entries {
            let state = (self.graph.find(entry), false);
            let number = self.number(state, &mut numbers, &mut queue, &mut draft);
            draft.entries.push(number);
        }
        while let Some((location, is_inside)) = queue.pop() {
            let from = numbers[&(location, is_inside)];
            self.check_begun(location);
            for &index in &outgoing[location.index()] {
                let section = self.graph.arcs[index].section;
                self.check_section(index, section.unwrap_or(is_inside));
                let state = (self.graph.find(self.graph.arcs[index].to), section.unwrap_or(is_inside));
                let to = self.number(state, &mut numbers, &mut queue, &mut draft);
                let arc = &self.graph.arcs[index];
                draft.edges.push(DraftEdge {
                    from,
                    to,
                    guard: arc.guard,
                    assignments: arc.assignments.clone(),
                    effect: arc.effect.clone(),
                    site: arc.site,
                    is_havoc: arc.is_havoc,
                    statement: arc.statement,
                    is_dead: false,
                    accesses: touched
                        .get(&location)
                        .into_iter()
                        .chain(self.touched_by.get(&index))
                        .flatten()
                        .copied()
                        .collect(),
                    orders: self.ordered_by.get(&index).into_iter().cloned().collect(),
                });
            }
        }
        draft
    }

    /// Every place that runs come to has code, if only none: otherwise they would be left out in silence.
    fn check_begun(&mut self, location: LocationId) {
        if self.graph.is_forgotten(location) && self.errors.is_empty() {
            let span = self.graph.arcs.iter().find(|arc| self.graph.find(arc.to) == location);
            let span = span.map_or_else(Default::default, |arc| arc.span);
            let message = "nothing says how the program goes on after this";
            self.refuse("E0762", message, span, "this is a mistake in throng: please report it");
        }
    }

    /// A thread must not end within an atomic section.
    fn check_section(&mut self, arc: usize, is_inside: bool) {
        let arc = &self.graph.arcs[arc];
        let kind = self.graph.nodes[self.graph.find(arc.to).index()].kind;
        if is_inside && kind == LocationKind::End {
            let message = "a thread can end here within an atomic section";
            self.refuse("E0735", message, arc.span, "end the section on every path");
        }
    }

    fn number(
        &mut self,
        (location, is_inside): (LocationId, bool),
        numbers: &mut FxHashMap<(LocationId, bool), usize>,
        queue: &mut Vec<(LocationId, bool)>,
        draft: &mut Draft,
    ) -> usize {
        let node = &self.graph.nodes[location.index()];
        let is_inner = node.kind == LocationKind::Inner;
        let key = (location, is_inside && is_inner);
        if let Some(&number) = numbers.get(&key) {
            return number;
        }
        let number = draft.locations.len();
        draft.locations.push(DraftLocation {
            template: node.template,
            kind: node.kind,
            is_atomic: is_inner && (node.is_atomic || is_inside),
            site: node.site,
        });
        numbers.insert(key, number);
        queue.push(key);
        number
    }

    /// The program of a draft.
    fn assemble(mut self, mut draft: Draft, main: TemplateId) -> flow::Program {
        draft.drop_dead_havoc(&self.e, &self.variables, &self.results());
        draft.fuse(&mut self.e);
        let order = draft.order();
        let mut numbers = vec![LocationId::new(0); draft.locations.len()];
        for (number, &location) in order.iter().enumerate() {
            numbers[location] = LocationId::new(number);
        }
        let none = self.no_site();
        let mut outgoing: Vec<Vec<&DraftEdge>> = vec![Vec::new(); draft.locations.len()];
        for edge in draft.edges.iter().filter(|edge| !edge.is_dead) {
            outgoing[edge.from].push(edge);
        }
        let mut locations = Vec::new();
        let mut edges = Vec::new();
        let lines = (0..self.variables.len()).map(|index| self.declared(flow::VariableId::new(index)));
        let mut origins = flow::Origins {
            nondets: self.nondet_spans.clone(),
            lines: lines.collect(),
            ..flow::Origins::default()
        };
        for &index in &order {
            let location = &draft.locations[index];
            let first = EdgeId::new(edges.len());
            for &edge in &outgoing[index] {
                origins.accesses.push(edge.accesses.clone());
                origins.orders.push(edge.orders.clone());
                edges.push(Edge {
                    from: numbers[edge.from],
                    to: numbers[edge.to],
                    guard: edge.guard,
                    assignments: edge.assignments.clone(),
                    effect: edge.effect.clone(),
                    site: edge.site,
                });
            }
            let count = (edges.len() - first.index()) as u32;
            locations.push(Location {
                template: location.template,
                kind: location.kind,
                is_atomic: location.is_atomic,
                site: location.site.unwrap_or(none),
                edges: (first, count),
            });
        }
        let entries: Vec<LocationId> = draft.entries.iter().map(|&entry| numbers[entry]).collect();
        let templates = self.templates.iter().zip(entries).map(|(template, entry)| Template {
            name: template.name.clone(),
            entry,
            locals: template.locals.clone(),
            result: template.result,
        });
        let settled = self.settled();
        if let Some(most) = self.options.most_threads {
            let text = format!("runs have at most {most} threads in all");
            self.ledger.insert("assumes-threads", (text, Vec::new()));
        }
        let ledger = self.ledger.iter().map(|(kind, (text, positions))| LedgerEntry {
            kind: (*kind).to_owned(),
            text: text.clone(),
            positions: positions.clone(),
        });
        flow::Program {
            templates: templates.collect(),
            main,
            locations,
            edges,
            ledger: ledger.collect(),
            layout: self.memory.layout(self.program),
            settled,
            origins,
            variables: self.variables,
            expressions: self.e,
            nondets: self.nondets,
            properties: self.properties,
            sites: self.sites,
            predicates: self.predicates,
            most_threads: self.options.most_threads,
        }
    }

    /// The line where a variable's object is declared.
    fn declared(&self, variable: flow::VariableId) -> Option<u32> {
        let &(object, _) = self.memory.origins.get(&variable)?;
        let span = self.program.objects.get(object.index())?.span;
        (span.start < span.end).then(|| self.program.text.position(span.start).line)
    }

    /// What threads leave to those who join them; nothing if nobody looks.
    fn results(&self) -> Vec<flow::VariableId> {
        let is_asked = flow::ExpressionId::all(self.e.len())
            .any(|id| matches!(self.e.get(id), flow::Expression::ResultOf(_)));
        if !is_asked {
            return Vec::new();
        }
        self.templates.iter().filter_map(|template| template.result).collect()
    }

    /// The place of locations where nothing is next.
    fn no_site(&mut self) -> SiteId {
        let position = throng_cfa::text::Position {
            file: self.program.text.position(0).file,
            line: self.sites.iter().map(|site| site.position.line).max().unwrap_or(1),
            column: 1,
        };
        self.sites.push(flow::Site {
            position,
            text: String::new(),
            function: String::new(),
            calls: Vec::new(),
        });
        SiteId::new(self.sites.len() - 1)
    }
}

/// What must not be reached has to be there, if the user names it.
fn check_properties(program: &hir::Program, options: &Options) -> Result<(), Vec<Diagnostic>> {
    let properties = &options.properties;
    if *properties == Properties::default() {
        return Ok(());
    }
    let labels: BTreeSet<&str> =
        program.functions.iter().flat_map(|function| &function.labels).map(|label| &*label.name).collect();
    let mut errors = Vec::new();
    let together = properties.together.iter().flat_map(|group| group.keys());
    let asked: BTreeSet<&String> = properties.labels.iter().chain(together).collect();
    for label in asked.into_iter().filter(|label| !labels.contains(&***label)) {
        let there = match labels.is_empty() {
            true => "the program has no labels".to_owned(),
            false => format!("there are: {}", labels.iter().copied().collect::<Vec<_>>().join(", ")),
        };
        errors.push(Diagnostic::error("E0755", format!("the program has no label {label}")).hint(there));
    }
    let is_there = |name: &String| program.functions.iter().any(|function| function.name == *name);
    for name in properties.functions.iter().filter(|name| !is_there(name)) {
        errors.push(
            Diagnostic::error("E0755", format!("the program has no function {name}"))
                .hint("declare it, or name another one in the property file"),
        );
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The functions that threads begin with.
fn roots(program: &hir::Program, options: &Options) -> Result<Vec<FunctionId>, Vec<Diagnostic>> {
    let find = |name: &str| {
        let defined = |f: &hir::Function| f.name == name && f.body.is_some();
        program.functions.iter().position(defined).map(FunctionId::new)
    };
    if options.threads_run.is_empty() {
        return match find("main") {
            Some(main) => Ok(vec![main]),
            None => Err(vec![
                Diagnostic::error("E0754", "the program has no function main")
                    .hint("write one, or name the functions that threads run with --threads-run"),
            ]),
        };
    }
    let mut found = Vec::new();
    let mut errors = Vec::new();
    for name in &options.threads_run {
        match find(name) {
            Some(function) => found.push(function),
            None => errors.push(Diagnostic::error("E0754", format!("the program has no function {name}"))),
        }
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}
