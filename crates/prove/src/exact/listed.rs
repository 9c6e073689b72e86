//! All thread states of a program with finite data, as a system with names: for what asks about more than errors.

use super::follow::follow;
use super::known::Known;
use super::layout::Scalar;
use super::seed;
use super::states::States;
use super::system::{Numbered, make};
use super::{Exact, FEW_CONFIGURATIONS, Found, Limits, Trouble};
use throng_base::Budget;
use throng_base::names::NameTable;
use throng_cert::Evidence;
use throng_cfa::flow::{Effect, LocationKind, Program};
use throng_engine::UnknownReason;
use throng_model::{Bag, Initial, LocalId, Move, Names, Rule, SharedId, System, SystemBuilder};

/// A program as a system.
#[derive(Debug)]
pub struct Listed {
    /// The system, without targets. Errors are local states like others.
    pub system: System,
    /// The same with targets that say that there are more states, ...
    pub closed: System,
    /// ... and why these cannot be covered.
    pub evidence: Evidence,
    /// Whether some thread signals another: that a signal is lost although somebody waits is one of the rules.
    pub has_signals: bool,
}

/// Why there is no list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unlisted {
    /// This variable has too many values, or values that are not numbers of the program.
    Variable(String),
    /// A limit, or too many states.
    Unknown(UnknownReason),
}

impl Exact<'_> {
    /// Lists all thread states, if all variables that matter have few values.
    pub fn list(&self, budget: &Budget) -> Result<Listed, Unlisted> {
        let program = &self.prepared.program;
        let nothing = vec![false; program.variables.len()];
        let mut states = States::new(program, &nothing, budget);
        states.keeps_errors = true;
        let too_many = || Unlisted::Unknown(UnknownReason::TooManyStates);
        self.close(&mut states, budget).map_err(|trouble| match trouble {
            Trouble::Untrack(variable) => Unlisted::Variable(program.variable(variable).name.clone()),
            Trouble::TooMany => match super::widest(&states) {
                Some(variable) => Unlisted::Variable(program.variable(variable).name.clone()),
                None => too_many(),
            },
            Trouble::Stopped(reason) => Unlisted::Unknown(reason.into()),
            Trouble::Nothing(reason) => Unlisted::Unknown(reason),
            Trouble::Internal(_) => too_many(),
        })
    }

    /// Follows traces out of what is known until there are none.
    fn close(&self, states: &mut States<'_>, budget: &Budget) -> Result<Listed, Trouble> {
        let mut known = Known::default();
        seed::seed(states, &mut known, &self.limits)?;
        for _ in 0..self.limits.rounds {
            let numbered = make(states, &known, &self.limits)?;
            let run = match self.search(&numbered, budget)? {
                Found::Proof(proof) => return listed(states, &known, numbered, Evidence::Proof(proof)),
                Found::Run(run) => run,
            };
            let followed = follow(states.program, &numbered, &run);
            let followed = followed.ok_or(Trouble::Nothing(UnknownReason::EvidenceTooLarge))?;
            if !known.add(followed.end.0, &followed.end.1) {
                return Err(Trouble::Internal("a trace leads to nothing new".to_owned()));
            }
            let few = Limits { configurations: FEW_CONFIGURATIONS, ..self.limits };
            let n_threads = followed.end.1.len();
            seed::explore(states, &mut known, followed.end, n_threads, &few)?;
        }
        Err(Trouble::TooMany)
    }
}

/// The system of what is known, with names.
fn listed(
    states: &States<'_>,
    known: &Known,
    numbered: Numbered,
    evidence: Evidence,
) -> Result<Listed, Trouble> {
    let program = states.program;
    let mut shared = vec![None; states.shared.rows.len()];
    let mut locals = vec![None; states.own.rows.len()];
    let (mut shared_names, mut local_names) = (NameTable::default(), NameTable::default());
    for number in known.shared() {
        let place = &mut shared[number as usize];
        *place = Some(SharedId::new(insert(&mut shared_names, &shared_name(states, number))));
        for &local in known.with(number) {
            if locals[local as usize].is_none() {
                let name = local_name(states, local);
                locals[local as usize] = Some(LocalId::new(insert(&mut local_names, &name)));
            }
        }
    }
    let bag = |entries: &[throng_model::Entry]| {
        let counts = entries.iter().filter_map(|it| Some((locals[it.local.index()]?, it.count)));
        Bag::from_counts(counts).map_err(|_| Trouble::TooMany)
    };
    let mut builder = SystemBuilder::new(Names::Listed(shared_names), Names::Listed(local_names));
    let system = &numbered.system;
    for (id, rule) in system.rules().iter() {
        let to = shared.get(rule.to.index()).copied().flatten();
        let (Some(from), Some(to)) = (shared[rule.from.index()], to) else { continue };
        let moved = |(source, destinations): (LocalId, &[LocalId])| {
            let destinations = destinations.iter().filter_map(|it| locals[it.index()]).collect();
            Some(Move { source: locals[source.index()]?, destinations })
        };
        let mut moves: Vec<Move> = rule.moves().filter_map(moved).collect();
        moves.sort_unstable_by_key(|step| step.source);
        let rule = Rule { from, to, take: bag(rule.take)?, put: bag(rule.put)?, moves };
        let edge = program.edge(numbered.origins[id.index()].edge);
        builder.rule(&rule, program.site(edge.site).position.line);
    }
    for initial in system.initial() {
        let Some(start) = shared[initial.shared.index()] else { continue };
        let exact = bag(&initial.exact)?;
        builder.initial(Initial { shared: start, exact, unbounded: Vec::new() });
    }
    let is_signal = |effect: &Option<Effect>| matches!(effect, Some(Effect::Signal(_)));
    let has_signals = program.edges.iter().any(|edge| is_signal(&edge.effect));
    let system = builder.finish().map_err(|error| Trouble::Internal(error.to_string()))?;
    Ok(Listed { system, closed: numbered.system, evidence, has_signals })
}

/// A name that no other has.
fn insert(names: &mut NameTable, name: &str) -> usize {
    let (place, is_new) = names.insert(name);
    if is_new {
        return place;
    }
    (2..).map(|number| names.insert(&format!("{name} #{number}"))).find(|found| found.1).map_or(0, |it| it.0)
}

fn shared_name(states: &States<'_>, number: u32) -> String {
    let row = states.shared.get(number);
    let all = states.layout.shared.iter().zip(&row.values);
    let mut words: Vec<String> = all.map(|(scalar, &value)| word(states.program, *scalar, value)).collect();
    if row.is_atomic {
        words.push("atomic".to_owned());
    }
    if words.is_empty() { "-".to_owned() } else { words.join(" ") }
}

fn local_name(states: &States<'_>, number: u32) -> String {
    let row = states.own.get(number);
    let program = states.program;
    let location = program.location(row.location);
    let template = &program.templates[location.template.index()];
    let mut name = format!("{}:{}", template.name, program.site(location.site).position.line);
    if matches!(location.kind, LocationKind::Error(_)) {
        name.push_str(" error");
    }
    let live = states.layout.live(row.location);
    let scalars = states.layout.own[location.template.index()].iter().zip(&row.values).zip(live);
    for ((scalar, &value), _) in scalars.filter(|(_, is_live)| **is_live) {
        name.push(' ');
        name.push_str(&word(program, *scalar, value));
    }
    name
}

/// `x=1`.
fn word(program: &Program, scalar: Scalar, value: u128) -> String {
    let variable = program.variable(scalar.variable);
    let index = if variable.length > 1 { format!("[{}]", scalar.index) } else { String::new() };
    let value = program.value_text(&variable.ty, variable.bits, value);
    format!("{}{index}={value}", variable.name.replace("[]", ""))
}
