//! From the names of a document to the states of a system, patterns included, and back for messages.

use crate::bag::{Bag, Config, OMEGA};
use crate::choices::Split;
use crate::verdict::{Condition, Limits, Rejection};
use throng_cert::document::Configuration;
use throng_cert::{Count, State};
use throng_model::{LocalId, Names, RuleId, SharedId, System};

/// Which counts a configuration may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counts {
    Finite,
    FiniteOrOmega,
}

/// The place of the `index`-th thing (from 0) in a message.
pub(crate) fn place(thing: &str, index: usize) -> String {
    format!("{thing} {}", index.saturating_add(1))
}

fn unknown(place: &str, kind: &str, name: &str) -> Rejection {
    Rejection::new(Condition::Names, place, format!("the input has no {kind} called `{name}`"))
}

/// The local called `name`.
pub(crate) fn local(system: &System, place: &str, name: &str) -> Result<LocalId, Rejection> {
    let found = system.local_names().find(name).map(LocalId::new);
    found.ok_or_else(|| unknown(place, "local state", name))
}

/// The shared state called `name`.
pub(crate) fn shared(system: &System, place: &str, name: &str) -> Result<SharedId, Rejection> {
    let found = system.shared_names().find(name).map(SharedId::new);
    found.ok_or_else(|| unknown(place, "shared state", name))
}

/// The rule called `name`.
pub(crate) fn rule(system: &System, place: &str, name: &str) -> Result<RuleId, Rejection> {
    system.find_rule(name).ok_or_else(|| unknown(place, "rule", name))
}

/// All configurations that the elements stand for, each with the index of its element. An element without
/// patterns stands for itself; in one with patterns each thread takes any state that matches, independently
/// of the others. ω threads that match a pattern are ω threads in every state that matches: the downward
/// closure of what they can be.
pub(crate) fn elements(
    system: &System,
    elements: &[Configuration],
    counts: Counts,
    limits: Limits,
) -> Result<(Vec<Config>, Vec<usize>), Rejection> {
    let mut out = Expansion { configs: Vec::new(), size: 0, limit: limits.expanded };
    let mut origins = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        expand(system, &place("element", index), element, counts, &mut out)?;
        origins.resize(out.configs.len(), index);
    }
    Ok((out.configs, origins))
}

/// The one configuration without patterns that a trace starts from.
pub(crate) fn exact(system: &System, place: &str, written: &Configuration) -> Result<Config, Rejection> {
    let states = written.threads.iter().map(|(state, _)| state).chain(&written.shared);
    if states.into_iter().any(|state| !matches!(state, State::Name(_))) {
        return Err(Rejection::new(Condition::Form, place, "patterns have no place in a trace"));
    }
    let mut out = Expansion { configs: Vec::new(), size: 0, limit: 0 };
    expand(system, place, written, Counts::Finite, &mut out)?;
    out.configs.pop().ok_or_else(|| Rejection::new(Condition::Form, place, "stands for no configuration"))
}

/// What elements stand for, and how much of it is there because of patterns. Elements without patterns are
/// limited by the size of the document alone.
struct Expansion {
    configs: Vec<Config>,
    size: u128,
    limit: u64,
}

impl Expansion {
    /// Before patterns are written out: `size` more states or counts.
    fn reserve(&mut self, place: &str, size: u128) -> Result<(), Rejection> {
        self.size = self.size.saturating_add(size);
        if self.size > self.limit.into() {
            let reason = format!(
                "written out, the patterns up to here have more than {} states and counts",
                self.limit
            );
            return Err(Rejection::new(Condition::Size, place, reason));
        }
        Ok(())
    }
}

/// Appends what an element stands for.
fn expand(
    system: &System,
    place: &str,
    written: &Configuration,
    counts: Counts,
    out: &mut Expansion,
) -> Result<(), Rejection> {
    let size = |n: usize| u128::try_from(n).unwrap_or(u128::MAX);
    let shared = shared_states(system, place, written)?;
    let (mut fixed, mut splits) = (Vec::new(), Vec::new());
    for (state, count) in &written.threads {
        let states = matching(system.local_names(), place, "local state", state)?;
        if states.len() > 1 {
            out.reserve(place, size(states.len()))?;
        }
        let states = states.into_iter().map(LocalId::new);
        match finite(place, *count, counts)? {
            0 => {}
            OMEGA => fixed.extend(states.map(|state| (state, OMEGA))),
            count if states.len() == 1 => fixed.extend(states.map(|state| (state, count))),
            count => splits.push(Split::new(count, states.collect())),
        }
    }
    if shared.len() > 1 || !splits.is_empty() {
        let ways = splits.iter().fold(size(shared.len()), |ways, split| ways.saturating_mul(split.n_ways()));
        let entries = size(fixed.len().saturating_add(splits.len()).saturating_add(1));
        out.reserve(place, ways.saturating_mul(entries))?;
    }
    loop {
        let mut bag = Bag::default();
        bag.extend(fixed.iter().copied().chain(splits.iter().flat_map(Split::chosen)))
            .map_err(|trouble| trouble.at(place))?;
        out.configs.extend(shared.iter().map(|&shared| Config { shared, bag: bag.clone() }));
        if !splits.iter_mut().any(Split::advance) {
            return Ok(());
        }
    }
}

fn shared_states(system: &System, place: &str, written: &Configuration) -> Result<Vec<SharedId>, Rejection> {
    let Some(state) = &written.shared else {
        if system.is_net() {
            return Ok(vec![SharedId::new(0)]);
        }
        return Err(Rejection::new(Condition::Form, place, "does not name its shared state"));
    };
    let states = matching(system.shared_names(), place, "shared state", state)?;
    Ok(states.into_iter().map(SharedId::new).collect())
}

/// The states that match, sorted, without repetitions; at least one.
fn matching(names: &Names, place: &str, kind: &str, state: &State) -> Result<Vec<usize>, Rejection> {
    let find = |name: &String| names.find(name).ok_or_else(|| unknown(place, kind, name));
    let states = match state {
        State::Name(name) => vec![find(name)?],
        State::AnyOf(listed) => {
            let mut states = listed.iter().map(find).collect::<Result<Vec<_>, _>>()?;
            states.sort_unstable();
            states.dedup();
            states
        }
        State::Any => (0..names.len()).collect(),
        State::At { location, .. } => {
            let reason = format!(
                "the pattern at location `{location}` speaks about a program, but the states of this input have no locations"
            );
            return Err(Rejection::new(Condition::Form, place, reason));
        }
        State::Where { .. } => {
            let reason =
                "a pattern of variables speaks about a program, but the states of this input have none";
            return Err(Rejection::new(Condition::Form, place, reason));
        }
    };
    if states.is_empty() {
        return Err(Rejection::new(Condition::Form, place, format!("a pattern matches no {kind}")));
    }
    Ok(states)
}

fn finite(place: &str, count: Count, counts: Counts) -> Result<u64, Rejection> {
    match count {
        Count::Finite(count) if count < OMEGA => Ok(count),
        Count::Finite(_) => Err(crate::verdict::Trouble::Overflow.at(place)),
        Count::Omega if counts == Counts::FiniteOrOmega => Ok(OMEGA),
        Count::Omega => Err(Rejection::new(Condition::Form, place, "ω has no place outside cover sets")),
    }
}

/// A configuration in the input's names, for messages.
pub(crate) fn describe(system: &System, config: &Config) -> String {
    /// More entries than this are left out.
    const SHOWN: usize = 20;
    let entries = config.bag.entries();
    let mut threads: Vec<String> = entries
        .iter()
        .take(SHOWN)
        .map(|&(local, count)| {
            let name = system.local_names().get(local.index());
            match count {
                1 => name.into_owned(),
                OMEGA => format!("{name}*ω"),
                _ => format!("{name}*{count}"),
            }
        })
        .collect();
    if entries.len() > SHOWN {
        threads.push("…".to_owned());
    }
    let shared = system.shared_names().get(config.shared.index());
    format!("`{shared}|{}`", threads.join(","))
}
