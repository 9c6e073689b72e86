//! Thread transition systems in the format of bfc, `.tts`.
//!
//! ```text
//! file := S L  line*                                   numbers of shared and local states, named from 0
//! line := s l '->' s2 l2 (a '~>' b)*                   one thread goes from l to l2; every other in a to b, ...
//!       | s l '+>' s2 l2                               a thread in l stays; a new one appears in l2
//!       | s l '~>' s2 l2                               all threads in l go to l2; needs none
//!       | s '|' [l (',' l)*]                           the target
//! ```
//!
//! One item per line, words separated by blanks, `#` begins a comment. A source that a passive list names
//! twice lets each thread choose. A rule that changes nothing is dropped, so the k-th rule of the system is
//! the k-th rule line that has an effect. Initially the shared state is 0 with any number of threads in 0;
//! other initial configurations and targets are part of the question ([`crate::Question`]).
//!
//! Deviation: of two `->` lines that differ only in their passive lists bfc silently keeps the later; here
//! both are kept, with a warning.

mod print;

pub(crate) use print::print;

use crate::config_text::{StateNames, parse_target_at};
use crate::warnings::Warnings;
use crate::{Draft, Format};
use rustc_hash::FxHashMap;
use throng_base::{Diagnostic, Source, Span};
use throng_model::{Bag, Initial, LocalId, Move, Names, Rule, RuleId, SharedId, SystemBuilder};

/// Reads a `.tts` file.
pub(crate) fn parse(source: &Source) -> Result<Draft, Vec<Diagnostic>> {
    let mut lines = Lines { source, at: 0, number: 0, words: Vec::new() };
    let (n_shared, n_locals) = header(&mut lines).map_err(|error| vec![error])?;
    let mut reader = Reader::new(source, n_shared, n_locals);
    while lines.next_line() {
        if let Err(error) = reader.line(&lines.words, lines.number) {
            let mut diagnostics = reader.finish().warnings;
            diagnostics.push(error);
            return Err(diagnostics);
        }
    }
    Ok(reader.finish())
}

/// The words of one line after the other, without comments and empty lines.
struct Lines<'s> {
    source: &'s Source,
    /// Offset of the next line.
    at: usize,
    /// Number of the current line, from 1.
    number: u32,
    words: Vec<Span>,
}

impl Lines<'_> {
    /// Goes to the next line that has words.
    fn next_line(&mut self) -> bool {
        let text = self.source.text().as_bytes();
        self.words.clear();
        while self.at < text.len() && self.words.is_empty() {
            self.number += 1;
            self.read_line(text);
        }
        !self.words.is_empty()
    }

    fn read_line(&mut self, text: &[u8]) {
        let find = |from: usize, stop: fn(&u8) -> bool| {
            let rest = text.get(from..).unwrap_or_default();
            rest.iter().position(stop).map_or(text.len(), |length| from + length)
        };
        let mut at = self.at;
        loop {
            at = find(at, |byte| !byte.is_ascii_whitespace() || *byte == b'\n');
            if matches!(text.get(at), None | Some(b'\n' | b'#')) {
                break;
            }
            let start = at;
            at = find(at, |byte| byte.is_ascii_whitespace() || *byte == b'#');
            self.words.push(Span::new(start, at));
        }
        self.at = find(at, |byte| *byte == b'\n') + 1;
    }
}

/// The numbers of shared and local states.
fn header(lines: &mut Lines<'_>) -> Result<(usize, usize), Diagnostic> {
    let expected = "the numbers of shared and local states";
    let source = lines.source;
    let hint = "the first line of a `.tts` file is such as `5 24`";
    if !lines.next_line() {
        let end = Span::new(source.text().len(), source.text().len());
        return Err(Diagnostic::error("E0201", format!("expected {expected}, found the end of the file"))
            .at(source, end, format!("expected {expected}"))
            .hint(hint));
    }
    let line = lines.words[0].to(lines.words[lines.words.len() - 1]);
    let bad = |span| {
        Diagnostic::error("E0201", format!("a `.tts` file begins with {expected}"))
            .at(source, span, "expected two numbers")
            .hint(hint)
    };
    let &[shared, locals] = &lines.words[..] else { return Err(bad(line)) };
    let mut counts = [0; 2];
    for (count, span) in counts.iter_mut().zip([shared, locals]) {
        if number(source, span).is_none() {
            return Err(bad(span));
        }
        *count = crate::tokens::parse_count(source, span)? as usize;
        if *count == 0 {
            return Err(Diagnostic::error("E0202", "there must be at least one state").at(
                source,
                span,
                "expected 1 or more",
            ));
        }
    }
    Ok((counts[0], counts[1]))
}

/// The value of a word of digits, the largest number if it is too large; `None` for other words.
fn number(source: &Source, word: Span) -> Option<usize> {
    source.slice(word).bytes().try_fold(0_usize, |value, byte| {
        let digit = byte.is_ascii_digit().then(|| usize::from(byte - b'0'))?;
        Some(value.saturating_mul(10).saturating_add(digit))
    })
}

/// The arrows of rules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrow {
    Step,
    Spawn,
    MoveAll,
}

struct Reader<'s> {
    source: &'s Source,
    draft: Draft,
    rule: Rule,
    passive: Vec<(LocalId, LocalId)>,
    /// The latest rule with a passive list for each active step, and its line.
    broadcasts: FxHashMap<Active, (RuleId, Span)>,
    conflicts: Warnings,
    further_targets: Warnings,
}

/// What bfc identifies a `->` line by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Active {
    from: SharedId,
    take: LocalId,
    to: SharedId,
    put: LocalId,
}

impl<'s> Reader<'s> {
    fn new(source: &'s Source, n_shared: usize, n_locals: usize) -> Self {
        let mut builder = SystemBuilder::new(Names::Numbered(n_shared), Names::Numbered(n_locals));
        let (shared, local) = (SharedId::new(0), LocalId::new(0));
        builder.initial(Initial { shared, exact: Bag::new(), unbounded: vec![local] });
        // One rule per line, and the last line may lack its end.
        builder.reserve(source.text().bytes().filter(|&byte| byte == b'\n').count() + 1);
        Self {
            source,
            draft: Draft::new(builder),
            rule: Rule { from: shared, to: shared, take: Bag::new(), put: Bag::new(), moves: Vec::new() },
            passive: Vec::new(),
            broadcasts: FxHashMap::default(),
            conflicts: Warnings::default(),
            further_targets: Warnings::default(),
        }
    }

    fn line(&mut self, words: &[Span], line: u32) -> Result<(), Diagnostic> {
        if let [word] = words
            && self.source.slice(*word).contains(['|', '/'])
        {
            return self.target(*word);
        }
        let &[from, take, arrow, to, put, ref passive @ ..] = words else {
            return Err(self.incomplete(words));
        };
        let (from, take) = (self.shared(from)?, self.local(take)?);
        let arrow = self.arrow(arrow)?;
        let (to, put) = (self.shared(to)?, self.local(put)?);
        self.passive(arrow, passive)?;
        let active = Active { from, take, to, put };
        self.set_rule(arrow, active);
        if arrow != Arrow::Spawn && from == to && take == put && self.rule.moves.iter().all(is_stay) {
            return Ok(());
        }
        let id = self.draft.builder.rule(&self.rule, line);
        if arrow == Arrow::Step && self.draft.builder.rules().get(id).has_moves() {
            self.note_broadcast(active, id, words[0].to(words[words.len() - 1]));
        }
        Ok(())
    }

    /// Reads a passive list, `(a '~>' b)*`.
    fn passive(&mut self, arrow: Arrow, words: &[Span]) -> Result<(), Diagnostic> {
        self.passive.clear();
        if let (Some(first), true) = (words.first(), arrow != Arrow::Step) {
            let span = first.to(words[words.len() - 1]);
            return Err(Diagnostic::error("E0204", "only a `->` rule moves passive threads").at(
                self.source,
                span,
                "expected the end of the line",
            ));
        }
        for triple in words.chunks(3) {
            let &[source, arrow, destination] = triple else {
                let span = triple[0].to(triple[triple.len() - 1]);
                return Err(Diagnostic::error("E0204", "a passive move is incomplete")
                    .at(self.source, span, "expected `a ~> b`")
                    .hint("words must be separated by blanks"));
            };
            let source = self.local(source)?;
            if self.source.slice(arrow) != "~>" {
                return Err(self.expected("`~>`", arrow));
            }
            self.passive.push((source, self.local(destination)?));
        }
        self.passive.sort_unstable();
        Ok(())
    }

    fn set_rule(&mut self, arrow: Arrow, active: Active) {
        let Active { from, take, to, put } = active;
        let rule = &mut self.rule;
        (rule.from, rule.to) = (from, to);
        rule.take.clear();
        rule.put.clear();
        rule.moves.clear();
        let add = |bag: &mut Bag, local| bag.add(local, 1).expect("two threads at most");
        match arrow {
            Arrow::Step => {
                add(&mut rule.take, take);
                add(&mut rule.put, put);
            }
            Arrow::Spawn => {
                add(&mut rule.take, take);
                add(&mut rule.put, take);
                add(&mut rule.put, put);
            }
            Arrow::MoveAll => rule.moves.push(Move { source: take, destinations: vec![put] }),
        }
        for same_source in self.passive.chunk_by(|a, b| a.0 == b.0) {
            let destinations = same_source.iter().map(|&(_, destination)| destination).collect();
            rule.moves.push(Move { source: same_source[0].0, destinations });
        }
    }

    /// Warns if an earlier line has the same active step with another passive list.
    fn note_broadcast(&mut self, active: Active, id: RuleId, span: Span) {
        let rules = self.draft.builder.rules();
        let Some((earlier, _)) = self.broadcasts.insert(active, (id, span)) else { return };
        if !rules.get(earlier).moves().eq(rules.get(id).moves()) {
            let line = self.draft.builder.rule_line(earlier);
            let source = self.source;
            self.conflicts.push(|| conflict(source, span, line));
        }
    }

    /// Warns about plain steps that a step with a passive list repeats. Such lists are rare and plain steps
    /// are many, so these are looked up at the end instead of being kept in a table.
    fn compare_plain_steps(&mut self) {
        if self.broadcasts.is_empty() {
            return;
        }
        for (id, rule) in self.draft.builder.rules().iter() {
            let ([take], [put], false) = (rule.take, rule.put, rule.has_moves()) else { continue };
            let active = Active { from: rule.from, take: take.local, to: rule.to, put: put.local };
            if let Some(&(_, span)) = self.broadcasts.get(&active) {
                let line = self.draft.builder.rule_line(id);
                self.conflicts.push(|| conflict(self.source, span, line));
            }
        }
    }

    fn target(&mut self, word: Span) -> Result<(), Diagnostic> {
        let builder = &mut self.draft.builder;
        let names = StateNames { shared: builder.shared_names(), locals: builder.local_names() };
        let target = parse_target_at(self.source, word, names)?;
        if self.draft.states_target {
            self.further_targets.push(|| {
                Diagnostic::warning("W0206", "only the first target of a `.tts` file counts")
                    .at(self.source, word, "this one is ignored")
                    .hint("ask for several targets with several `--target`")
            });
            return Ok(());
        }
        builder.target(target);
        self.draft.states_target = true;
        Ok(())
    }

    fn finish(mut self) -> Draft {
        self.compare_plain_steps();
        self.draft.warnings.extend(self.conflicts.finish());
        self.draft.warnings.extend(self.further_targets.finish());
        self.draft
    }

    fn shared(&self, span: Span) -> Result<SharedId, Diagnostic> {
        self.state(span, "shared", self.draft.builder.n_shared()).map(SharedId::new)
    }

    fn local(&self, span: Span) -> Result<LocalId, Diagnostic> {
        self.state(span, "local", self.draft.builder.local_names().len()).map(LocalId::new)
    }

    fn state(&self, span: Span, kind: &str, count: usize) -> Result<usize, Diagnostic> {
        let Some(index) = number(self.source, span) else {
            return Err(self.expected(&format!("a {kind} state"), span));
        };
        if index < count {
            return Ok(index);
        }
        let word = self.source.slice(span);
        Err(Diagnostic::error("E0203", format!("there is no {kind} state {word}"))
            .at(self.source, span, format!("the {kind} states are 0 to {}", count.saturating_sub(1)))
            .note("the first line of the file says how many states there are"))
    }

    fn arrow(&self, span: Span) -> Result<Arrow, Diagnostic> {
        match self.source.slice(span) {
            "->" => Ok(Arrow::Step),
            "+>" => Ok(Arrow::Spawn),
            "~>" => Ok(Arrow::MoveAll),
            _ => Err(self.expected("`->`, `+>` or `~>`", span)),
        }
    }

    fn expected(&self, what: &str, span: Span) -> Diagnostic {
        let word = self.source.slice(span);
        let error = Diagnostic::error("E0204", format!("expected {what}, found `{}`", word.escape_debug()))
            .at(self.source, span, format!("expected {what}"));
        if ["->", "+>", "~>"].iter().any(|arrow| word.len() > 2 && word.contains(arrow)) {
            return error.hint("words must be separated by blanks: `0 0 -> 1 1`");
        }
        error
    }

    /// The error for a line of fewer than five words: at a word that is wrong, or after the last.
    fn incomplete(&self, words: &[Span]) -> Diagnostic {
        let checks: [&dyn Fn(Span) -> Option<Diagnostic>; 4] = [
            &|span| self.shared(span).err(),
            &|span| self.local(span).err(),
            &|span| self.arrow(span).err(),
            &|span| self.shared(span).err(),
        ];
        if let Some(error) = words.iter().zip(checks).find_map(|(&span, check)| check(span)) {
            return error;
        }
        let end = words.last().map_or(0, |last| last.end) as usize;
        let what = ["a local state", "`->`, `+>` or `~>`", "a shared state", "a local state"];
        let what = what[words.len().clamp(1, 4) - 1];
        Diagnostic::error("E0204", format!("expected {what}, found the end of the line"))
            .at(self.source, Span::new(end, end), format!("expected {what}"))
            .hint(format!("a rule of `.{}` is such as `0 0 -> 1 1`", Format::Tts.extension()))
    }
}

fn is_stay(step: &Move) -> bool {
    step.destinations.iter().all(|&destination| destination == step.source)
}

fn conflict(source: &Source, span: Span, other_line: Option<u32>) -> Diagnostic {
    let warning = Diagnostic::warning("W0205", "two rules differ only in the threads that they move along")
        .at(source, span, "both rules are kept")
        .note("bfc silently keeps the later one only");
    match other_line {
        Some(line) => warning.note(format!("the other rule stands on line {line}")),
        None => warning,
    }
}

#[cfg(test)]
mod tests;
