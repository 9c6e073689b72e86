//! How printers of Petri nets see a system: places, weighted transitions, one marking.
//!
//! A net maps one to one. A system with several shared states gets one place per shared state, of which exactly
//! one is marked: a rule consumes the place of its shared state before and produces that of the one after,
//! and a target includes the place of its shared state. Both systems have the same runs.
//!
//! Also here is what these printers share: names that are legal in a format ([`identifiers`]), the refusal of
//! rules that move passive threads ([`NetView::refuse_moves`]), and unbounded initial places as source
//! transitions ([`NetView::unbounded_as_sources`]).

use crate::Format;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use throng_base::Diagnostic;
use throng_model::{Entry, Initial, Names, RuleRef, SharedId, System, bag};

/// A weighted list of places, by increasing index.
pub(crate) type Weighted = Vec<(usize, u32)>;

/// A system as a net. Places are indices into `places`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NetView {
    /// Distinct names, those of shared states (if there are several) before those of local states.
    pub(crate) places: Vec<String>,
    /// The rules in order.
    pub(crate) transitions: Vec<NetTransition>,
    /// Exact tokens of each place.
    pub(crate) initial: Vec<u32>,
    /// Places with any number of initial tokens more.
    pub(crate) unbounded: Vec<usize>,
    /// The targets: so many tokens at least in each of these places.
    pub(crate) targets: Vec<Weighted>,
}

/// A rule as a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NetTransition {
    /// Distinct from the names of other transitions, not necessarily from those of places.
    pub(crate) name: String,
    /// Tokens consumed.
    pub(crate) pre: Weighted,
    /// Tokens produced.
    pub(crate) post: Weighted,
    /// What happens to all remaining tokens of a place: each goes to one of these places.
    pub(crate) moves: Vec<(usize, Vec<usize>)>,
}

/// The net of a system. Fails if its initial configurations cannot be one marking.
pub(crate) fn net_view(system: &System) -> Result<NetView, Diagnostic> {
    let initial = single_initial(system)?;
    let layout = Layout { n_shared_places: if system.n_shared() > 1 { system.n_shared() } else { 0 } };
    let mut marking = vec![0; layout.n_shared_places + system.n_locals()];
    for (place, count) in layout.config(initial.shared, &initial.exact) {
        marking[place] = count;
    }
    Ok(NetView {
        places: place_names(system, layout),
        transitions: transitions(system, layout),
        initial: marking,
        unbounded: initial.unbounded.iter().map(|local| layout.local(local.index())).collect(),
        targets: system
            .targets()
            .iter()
            .map(|target| layout.config(target.shared, &target.bag).collect())
            .collect(),
    })
}

/// The initial set whose downward closure contains all others. Coverability is monotone in the initial
/// configurations, so the others add nothing.
fn single_initial(system: &System) -> Result<&Initial, Diagnostic> {
    let within = |small: &Initial, large: &Initial| {
        small.shared == large.shared
            && small.unbounded.iter().all(|local| large.unbounded.binary_search(local).is_ok())
            && small.exact.iter().all(|entry| {
                large.unbounded.binary_search(&entry.local).is_ok()
                    || entry.count <= bag::count(&large.exact, entry.local)
            })
    };
    let all = system.initial();
    all.iter().find(|large| all.iter().all(|small| within(small, large))).ok_or_else(|| {
        Diagnostic::error("E0431", "a net has one initial marking, but this system has several")
            .note(format!("{} initial configurations, none of which includes the others", all.len()))
            .hint("name one of them with `--init`")
    })
}

/// Where the places of shared and local states stand.
#[derive(Clone, Copy)]
struct Layout {
    /// 0 if there is one shared state only: its place would always be marked.
    n_shared_places: usize,
}

impl Layout {
    fn shared(self, shared: SharedId) -> Option<(usize, u32)> {
        (self.n_shared_places > 0).then(|| (shared.index(), 1))
    }

    fn local(self, index: usize) -> usize {
        self.n_shared_places + index
    }

    fn config(self, shared: SharedId, bag: &[Entry]) -> impl Iterator<Item = (usize, u32)> {
        let locals = bag.iter().map(move |entry| (self.local(entry.local.index()), entry.count));
        self.shared(shared).into_iter().chain(locals)
    }

    fn transition(self, name: String, rule: RuleRef<'_>) -> NetTransition {
        let moves = rule.moves().map(|(source, destinations)| {
            let destinations = destinations.iter().map(|local| self.local(local.index())).collect();
            (self.local(source.index()), destinations)
        });
        NetTransition {
            name,
            pre: self.config(rule.from, rule.take).collect(),
            post: self.config(rule.to, rule.put).collect(),
            moves: moves.collect(),
        }
    }
}

/// Numbered states are called `s0`, `l0`; others keep their names as far as they are distinct.
fn place_names(system: &System, layout: Layout) -> Vec<String> {
    let mut unique = Unique::default();
    let names = |names: &Names, letter: &str| -> Vec<String> {
        let prefix = if matches!(names, Names::Numbered(_)) { letter } else { "" };
        (0..names.len()).map(|i| format!("{prefix}{}", names.get(i))).collect()
    };
    let locals: Vec<String> =
        names(system.local_names(), "l").into_iter().map(|name| unique.claim(name)).collect();
    if layout.n_shared_places == 0 {
        return locals;
    }
    let shared = names(system.shared_names(), "s").into_iter().map(|name| unique.claim(name));
    shared.chain(locals).collect()
}

fn transitions(system: &System, layout: Layout) -> Vec<NetTransition> {
    let rules = system.rules().iter();
    let transition = |(id, rule)| {
        let name = match system.has_rule_names() {
            true => system.rule_name(id).into_owned(),
            false => format!("t{}", throng_model::RuleId::index(id) + 1),
        };
        layout.transition(name, rule)
    };
    rules.map(transition).collect()
}

impl NetView {
    /// Fails at the first transition that moves passive threads, which this format has no words for.
    pub(crate) fn refuse_moves(&self, format: Format) -> Result<(), Diagnostic> {
        let Some(transition) = self.transitions.iter().find(|transition| !transition.moves.is_empty()) else {
            return Ok(());
        };
        let (source, destinations) = &transition.moves[0];
        let effect = match destinations[..] {
            [] => format!("empties place `{}` (a reset)", self.places[*source]),
            [one] => {
                format!(
                    "moves all tokens of `{}` to `{}` (a transfer)",
                    self.places[*source], self.places[one]
                )
            }
            _ => format!("moves each token of `{}` to one of several places", self.places[*source]),
        };
        let extension = format.extension();
        Err(Diagnostic::error("E0430", format!("`.{extension}` cannot express rule `{}`", transition.name))
            .note(format!("the rule {effect}; `.{extension}` has plain arcs only"))
            .hint("`.spec` can express transfers and resets, `.tts` broadcasts"))
    }

    /// Replaces unbounded initial places by transitions without input; returns their names.
    ///
    /// SOUND: without moves every run can fire them first, as often as it needs, so the same targets are
    /// coverable. With moves a token produced late escapes an earlier move; callers refuse moves first.
    pub(crate) fn unbounded_as_sources(&mut self) -> Vec<String> {
        debug_assert!(self.transitions.iter().all(|transition| transition.moves.is_empty()));
        if self.unbounded.is_empty() {
            return Vec::new();
        }
        let mut unique = Unique::default();
        for transition in &self.transitions {
            unique.taken.insert(transition.name.clone());
        }
        let mut names = Vec::new();
        for place in std::mem::take(&mut self.unbounded) {
            let name = unique.claim(format!("t_{}", self.places[place]));
            names.push(name.clone());
            self.transitions.push(NetTransition {
                name,
                pre: Vec::new(),
                post: vec![(place, 1)],
                moves: Vec::new(),
            });
        }
        names
    }

    /// The targets as a formula, with these words for and, or and true.
    pub(crate) fn print_targets(
        &self,
        and: &str,
        or: &str,
        truth: &str,
        quote: impl Fn(&str) -> Cow<'_, str>,
    ) -> String {
        let target = |target: &Weighted| {
            let parts =
                target.iter().map(|&(place, count)| format!("{} >= {count}", quote(&self.places[place])));
            let parts: Vec<String> = parts.collect();
            if parts.is_empty() { truth.to_owned() } else { format!("({})", parts.join(and)) }
        };
        self.targets.iter().map(target).collect::<Vec<_>>().join(or)
    }

    /// Replaces names that are not legal in a format, see [`identifiers`].
    pub(crate) fn rename(&mut self, alphabet: &Alphabet) -> Vec<String> {
        let transitions = self.transitions.iter_mut().map(|transition| &mut transition.name);
        if alphabet.one_name_space {
            return identifiers(self.places.iter_mut().chain(transitions), alphabet);
        }
        let mut notes = identifiers(&mut self.places, alphabet);
        notes.extend(identifiers(transitions, alphabet));
        notes
    }
}

/// A net without moves and unbounded places, its names legal, with notes of what was changed for that: what
/// printers of plain nets start from.
pub(crate) fn plain_net(
    system: &System,
    format: Format,
    alphabet: &Alphabet,
) -> Result<(NetView, Vec<String>), Diagnostic> {
    let mut net = net_view(system)?;
    net.refuse_moves(format)?;
    let sources = net.unbounded_as_sources();
    let mut notes = net.rename(alphabet);
    if !sources.is_empty() {
        notes.push(format!(
            "any number of initial tokens is expressed by {} transitions without input; the same targets are coverable",
            sources.len()
        ));
    }
    Ok((net, notes))
}

/// Which names a format allows. Blanks around a name are never kept.
pub(crate) struct Alphabet {
    /// Whether a name may start with this character.
    pub(crate) first: fn(char) -> bool,
    /// Whether it may stand later.
    pub(crate) rest: fn(char) -> bool,
    /// Words that are not names, compared without regard to case.
    pub(crate) reserved: &'static [&'static str],
    /// Whether a place and a transition must not have the same name.
    pub(crate) one_name_space: bool,
}

impl Alphabet {
    /// `[A-Za-z_][A-Za-z_0-9]*` without the reserved words.
    pub(crate) const fn words(reserved: &'static [&'static str]) -> Self {
        Self {
            first: |c| c.is_ascii_alphabetic() || c == '_',
            rest: |c| c.is_ascii_alphanumeric() || c == '_',
            reserved,
            one_name_space: true,
        }
    }

    fn allows(&self, name: &str) -> bool {
        name.starts_with(self.first)
            && name.trim() == name
            && name.chars().all(self.rest)
            && !self.reserved.iter().any(|word| word.eq_ignore_ascii_case(name))
    }

    /// The closest legal name: without blanks around it, and with underscores for other characters.
    fn closest(&self, name: &str) -> String {
        let mut legal: String = name.trim().chars().map(|c| if (self.rest)(c) { c } else { '_' }).collect();
        if !self.allows(&legal) {
            legal.insert_str(0, "n_");
        }
        legal
    }
}

/// Replaces names that a format does not allow, or that repeat an earlier one, by distinct legal ones; legal
/// names stay. Returns notes that say what was renamed.
pub(crate) fn identifiers<'a>(
    names: impl IntoIterator<Item = &'a mut String>,
    alphabet: &Alphabet,
) -> Vec<String> {
    /// Renamings listed one by one.
    const LISTED: usize = 20;
    let mut unique = Unique::default();
    let mut wanting = Vec::new();
    for name in names {
        if alphabet.allows(name) && unique.taken.insert(name.clone()) {
            continue;
        }
        wanting.push(name);
    }
    let mut notes = Vec::new();
    let n_renamed = wanting.len();
    for name in wanting {
        let new = unique.claim(alphabet.closest(name));
        if notes.len() < LISTED {
            notes.push(format!("`{name}` is called `{new}`"));
        }
        *name = new;
    }
    if n_renamed > notes.len() {
        notes.push(format!("{} more names were changed to legal ones", n_renamed - notes.len()));
    }
    notes
}

/// Hands out distinct names.
#[derive(Default)]
struct Unique {
    taken: FxHashSet<String>,
    /// The last number tried for a name, so that a million equal names take linear time.
    numbers: FxHashMap<String, u32>,
}

impl Unique {
    /// This name, or if it is taken the first of `name_2`, `name_3`, … that is not.
    fn claim(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let number = self.numbers.entry(name.clone()).or_insert(1);
        loop {
            *number += 1;
            let candidate = format!("{name}_{number}");
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_model::names::NameTable;
    use throng_model::{Bag, Config, LocalId, Move, Rule, SystemBuilder};

    fn bag(counts: &[(usize, u32)]) -> Bag {
        Bag::from_counts(counts.iter().map(|&(l, n)| (LocalId::new(l), n))).unwrap()
    }

    fn initial(shared: usize, exact: &[(usize, u32)], unbounded: &[usize]) -> Initial {
        let unbounded = unbounded.iter().map(|&l| LocalId::new(l)).collect();
        Initial { shared: SharedId::new(shared), exact: bag(exact), unbounded }
    }

    fn thread_system() -> SystemBuilder {
        let mut builder = SystemBuilder::new(Names::Numbered(2), Names::Numbered(3));
        let (from, to) = (SharedId::new(0), SharedId::new(1));
        let rule = Rule { from, to, take: bag(&[(0, 1)]), put: bag(&[(2, 1)]), moves: Vec::new() };
        builder.rule(&rule, 0);
        builder.target(Config::new(to, bag(&[(2, 2)])));
        builder
    }

    #[test]
    fn shared_states_become_places_of_which_one_is_marked() {
        let mut builder = thread_system();
        builder.initial(initial(0, &[], &[0]));
        let net = net_view(&builder.finish().unwrap()).unwrap();
        assert_eq!(net.places, ["s0", "s1", "l0", "l1", "l2"]);
        assert_eq!(net.initial, [1, 0, 0, 0, 0]);
        assert_eq!(net.unbounded, [2]);
        assert_eq!(net.targets, [[(1, 1), (4, 2)]]);
        let transition = &net.transitions[0];
        assert_eq!((&transition.name[..], &transition.pre[..]), ("t1", &[(0, 1), (2, 1)][..]));
        assert_eq!(transition.post, [(1, 1), (4, 1)]);
    }

    #[test]
    fn initial_configurations_below_another_add_nothing() {
        let mut builder = thread_system();
        builder.initial(initial(0, &[(0, 7), (1, 1)], &[])).initial(initial(0, &[(1, 2)], &[0]));
        let net = net_view(&builder.finish().unwrap()).unwrap();
        assert_eq!((net.initial, net.unbounded), (vec![1, 0, 0, 2, 0], vec![2]));
    }

    #[test]
    fn incomparable_initial_configurations_are_refused() {
        let mut builder = thread_system();
        builder.initial(initial(0, &[(0, 1)], &[])).initial(initial(1, &[(0, 1)], &[]));
        assert_eq!(net_view(&builder.finish().unwrap()).unwrap_err().code, "E0431");
    }

    #[test]
    fn moves_are_refused_by_name() {
        let mut builder = thread_system();
        let moves = vec![Move { source: LocalId::new(1), destinations: vec![LocalId::new(2)] }];
        let (from, to) = (SharedId::new(0), SharedId::new(0));
        builder.rule(&Rule { from, to, take: bag(&[]), put: bag(&[]), moves }, 0);
        builder.initial(initial(0, &[], &[0]));
        let net = net_view(&builder.finish().unwrap()).unwrap();
        let error = net.refuse_moves(Format::Lola).unwrap_err();
        assert_eq!(error.to_string(), "error[E0430]: `.lola` cannot express rule `t2`");
        assert_eq!(
            error.notes,
            ["the rule moves all tokens of `l1` to `l2` (a transfer); `.lola` has plain arcs only"]
        );
    }

    #[test]
    fn names_of_shared_and_local_states_are_made_distinct() {
        let table = |names: &[&str]| {
            let mut table = NameTable::default();
            names.iter().for_each(|name| {
                table.insert(name);
            });
            Names::Listed(table)
        };
        let mut builder = SystemBuilder::new(table(&["a", "b"]), table(&["b", "c"]));
        builder.initial(initial(0, &[], &[]));
        let net = net_view(&builder.finish().unwrap()).unwrap();
        assert_eq!(net.places, ["a", "b_2", "b", "c"]);
    }

    #[test]
    fn legal_names_stay_and_others_avoid_them() {
        let mut names = ["a b", "a_b", "", "9", "init", "a_b"].map(str::to_owned);
        let notes = identifiers(&mut names, &Alphabet::words(&["INIT"]));
        assert_eq!(names, ["a_b_2", "a_b", "n_", "n_9", "n_init", "a_b_3"]);
        assert_eq!(notes.len(), 5);
        assert_eq!(notes[0], "`a b` is called `a_b_2`");
    }

    #[test]
    fn unbounded_places_become_sources() {
        let mut builder = thread_system();
        builder.initial(initial(0, &[], &[0, 1]));
        let mut net = net_view(&builder.finish().unwrap()).unwrap();
        assert_eq!(net.unbounded_as_sources(), ["t_l0", "t_l1"]);
        assert_eq!((net.transitions.len(), net.unbounded.len()), (3, 0));
        assert_eq!(net.transitions[2].post, [(3, 1)]);
    }
}
