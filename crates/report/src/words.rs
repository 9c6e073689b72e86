//! How states, configurations and numbers are spelled, the same in all outputs for people.
//!
//! Configurations look like those on the command line, `shared|l1,l2`; in a net there is nothing to say about
//! the shared state, so only places are listed. Nets have tokens in places where other systems have threads in
//! local states.

use throng_cert::Cut;
use throng_model::{ConfigRef, Entry, Initial, LocalId, OMEGA, RuleId, SharedId, System};

/// Repetitions of a local that are written out; more are written as `l*n`, as are those of long names.
const WRITTEN_OUT: u32 = 3;
const WRITTEN_OUT_WIDTH: usize = 20;

/// `1 thread`, `2 threads`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The words of one system.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) system: &'a System,
}

impl Words<'_> {
    /// What moves: `thread` or `token`.
    pub(crate) fn thread(self) -> &'static str {
        if self.system.is_net() { "token" } else { "thread" }
    }

    /// What a configuration is called.
    pub(crate) fn configuration(self) -> &'static str {
        if self.system.is_net() { "marking" } else { "configuration" }
    }

    /// What makes things move.
    pub(crate) fn rule_noun(self) -> &'static str {
        if self.system.is_net() { "transition" } else { "rule" }
    }

    /// What a trace is called.
    pub(crate) fn execution(self) -> &'static str {
        if self.system.is_net() { "firing sequence" } else { "interleaving" }
    }

    pub(crate) fn shared(self, shared: SharedId) -> String {
        self.system.shared_names().get(shared.index()).into_owned()
    }

    pub(crate) fn local(self, local: LocalId) -> String {
        self.system.local_names().get(local.index()).into_owned()
    }

    /// `2·l1 + l2 ≤ 3`, with at most so many terms; shared states stand in brackets, and
    /// local states that are called by a number have a `#` before it.
    pub(crate) fn cut(self, cut: &Cut, limit: usize) -> String {
        let term =
            |(name, weight): (String, u64)| if weight == 1 { name } else { format!("{weight}·{name}") };
        let shared =
            cut.shared.iter().map(|&(shared, weight)| (format!("[{}]", self.shared(shared)), weight));
        let counted = |name: String| {
            let is_number = name.starts_with(|first: char| first.is_ascii_digit());
            if is_number { format!("#{name}") } else { name }
        };
        let locals = cut.locals.iter().map(|&(local, weight)| (counted(self.local(local)), weight));
        let terms: Vec<String> = shared.chain(locals).take(limit).map(term).collect();
        let more = if cut.shared.len() + cut.locals.len() > limit { " + …" } else { "" };
        format!("{}{more} ≤ {}", terms.join(" + "), cut.bound)
    }

    /// How a rule is referred to: by its name, its line in the input, or both.
    pub(crate) fn rule(self, rule: RuleId) -> String {
        let name = self.system.rule_name(rule);
        match self.system.rule_line(rule) {
            Some(line) if self.system.has_rule_names() => format!("{name} (line {line})"),
            Some(line) => format!("line {line}"),
            None => name.into_owned(),
        }
    }

    /// A configuration with at most `limit` kinds of threads spelled out.
    pub(crate) fn config(self, config: ConfigRef<'_>, limit: usize) -> String {
        let threads = self.bag(config.bag, limit);
        if self.system.is_net() { threads } else { format!("{}|{threads}", self.shared(config.shared)) }
    }

    /// Some threads in the same local, on a line of their own: `l` or `l*n`.
    pub(crate) fn kind(self, entry: Entry) -> String {
        match (self.local(entry.local), entry.count) {
            (name, 1) => name,
            (name, OMEGA) => format!("{name}*ω"),
            (name, count) => format!("{name}*{count}"),
        }
    }

    /// A set of initial configurations, `shared|exact/unbounded`.
    pub(crate) fn initial(self, initial: &Initial, limit: usize) -> String {
        let unbounded: Vec<Entry> =
            initial.unbounded.iter().map(|&local| Entry { local, count: OMEGA }).collect();
        let unbounded = self.bag_with(&unbounded, limit, |name, _| name);
        let exact = self.bag(&initial.exact, limit);
        let separator = if initial.unbounded.is_empty() { "" } else { "/" };
        if self.system.is_net() {
            return format!("{exact}{separator}{unbounded}");
        }
        let bar = if exact.is_empty() && !initial.unbounded.is_empty() { "" } else { "|" };
        format!("{}{bar}{exact}{separator}{unbounded}", self.shared(initial.shared))
    }

    fn bag(self, bag: &[Entry], limit: usize) -> String {
        self.bag_with(bag, limit, |name, count| match count {
            OMEGA => format!("{name}*ω"),
            1 => name,
            2..=WRITTEN_OUT if name.chars().count() * count as usize <= WRITTEN_OUT_WIDTH => {
                vec![name; count as usize].join(",")
            }
            _ => format!("{name}*{count}"),
        })
    }

    fn bag_with(self, bag: &[Entry], limit: usize, spell: impl Fn(String, u32) -> String) -> String {
        let shown = bag.iter().take(limit).map(|entry| spell(self.local(entry.local), entry.count));
        let mut parts: Vec<String> = shown.collect();
        if bag.len() > limit {
            parts.push(format!("… ({} more)", bag.len() - limit));
        }
        parts.join(",")
    }
}
