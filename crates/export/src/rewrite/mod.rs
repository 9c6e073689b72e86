//! The program's own text with calls of the scheduler in it.
//!
//! A *point* is a place in the text where a thread waits for its turn: before an access to what others see, before a
//! call that blocks, starts or wakes threads. Which accesses these are is what the front end recorded
//! ([`throng_cfa::flow::Origins`]), so each edge of a trace names the points that a thread passes while it takes it. What is
//! changed in the text is this:
//!
//! * a read `x` becomes `({ point; x; })`, an assignment `({ point; x = e; })`; operands with points of their own are
//!   evaluated first, into variables of their own types, in the order that the interleaving takes (`order`): C leaves it open;
//! * `x++` on a shared variable, which is two steps, becomes a read and a write with a point before each, and so does what
//!   changes some bits of a unit (`field`) or copies a struct (`copy`);
//! * where the model evaluates `a && b` in one step, the point stands before all of it;
//! * calls of the library that wait, and calls that stand for arbitrary values, go to functions of the runtime.
//!
//! All operators, types and conversions stay the user's, and the compiler gives them their meaning.

mod call;
mod copy;
mod expression;
mod field;
mod order;
mod statement;

pub(crate) use order::Read;

use rustc_hash::{FxHashMap, FxHashSet};
use throng_base::Span;
use throng_c_front::hir;
use throng_c_front::lower::{Atomicity, Options};
use throng_cfa::flow::{Origins, Program};

/// A span as a key.
pub(crate) type Key = (u32, u32);

/// The key of a span.
pub(crate) fn key(span: Span) -> Key {
    (span.start, span.end)
}

/// A part of the text, and what takes its place.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) span: Span,
    /// The new text; `None` if it stays.
    pub(crate) text: Option<String>,
    /// Whether it matters when it is evaluated.
    pub(crate) is_ordered: bool,
    /// Reads that are still to be made, in any order; the text has names for their values.
    pub(crate) reads: Vec<Read>,
}

/// The text with points.
pub(crate) struct Rewritten {
    /// What is replaced, in order and disjoint.
    pub(crate) edits: Vec<(Span, String)>,
    /// The points, by number from 1: where they are in the text.
    pub(crate) points: Vec<Span>,
    /// The points of spans.
    pub(crate) by_span: FxHashMap<Key, u32>,
    /// Points where the text does at once what takes several edges: copies of whole objects.
    pub(crate) blocks: FxHashSet<u32>,
    /// Points that only name where arbitrary values come from: nobody waits there.
    pub(crate) quiet: FxHashSet<u32>,
    /// Functions of the runtime's own that threads run: names and bodies.
    pub(crate) helpers: Vec<(String, String)>,
    /// Where the schedule says in which order operands are evaluated, by number: the operands.
    pub(crate) sites: Vec<Vec<Key>>,
    /// What cannot be put into a program, with where.
    pub(crate) refused: Vec<(Span, String)>,
}

/// A scalar of a declared object that is arbitrary: how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fill {
    pub(crate) lvalue: String,
}

/// What the rewriter works on.
pub(crate) struct Rewriter<'a> {
    pub(crate) typed: &'a hir::Program,
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    /// Whether the scheduler chooses by itself: then calls that wait have to try.
    pub(crate) is_free: bool,
    /// Whether the text declares mutexes by itself: then the library's own are elsewhere.
    is_own: bool,
    /// The declarations whose objects the monitor looks at, with their scalars and slots.
    pub(crate) watched: FxHashMap<hir::ObjectId, Vec<(String, usize)>>,
    /// The declarations that leave objects arbitrary, with their scalars.
    pub(crate) fills: &'a FxHashMap<Key, Vec<Fill>>,
    /// Operands that are not always evaluated from left to right.
    pub(crate) reordered: Vec<Vec<Key>>,
    sites: Vec<Vec<Key>>,
    /// Operands whose order makes a difference, from left to right.
    open_orders: FxHashSet<Vec<Key>>,
    accessed: FxHashSet<Key>,
    /// Places of the text whose evaluation takes several steps, and how many.
    steps: FxHashMap<Key, usize>,
    points: Vec<Span>,
    by_span: FxHashMap<Key, u32>,
    /// The function that is rewritten.
    function: Option<hir::FunctionId>,
    /// Whether a point stands before the whole expression already.
    is_covered: bool,
    counter: usize,
    blocks: FxHashSet<u32>,
    quiet: FxHashSet<u32>,
    helpers: Vec<(String, String)>,
    refused: Vec<(Span, String)>,
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(
        typed: &'a hir::Program,
        program: &'a Program,
        options: &'a Options,
        fills: &'a FxHashMap<Key, Vec<Fill>>,
    ) -> Self {
        let origins: &Origins = &program.origins;
        let accessed = origins.accesses.iter().flatten().map(|&span| key(span)).collect();
        Self {
            typed,
            program,
            options,
            is_free: false,
            is_own: has_own_locks(typed),
            watched: FxHashMap::default(),
            fills,
            reordered: Vec::new(),
            sites: Vec::new(),
            open_orders: open_orders(origins),
            accessed,
            steps: copy::steps(program),
            points: Vec::new(),
            by_span: FxHashMap::default(),
            function: None,
            is_covered: false,
            counter: 0,
            blocks: FxHashSet::default(),
            quiet: FxHashSet::default(),
            helpers: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Rewrites all functions of the user.
    pub(crate) fn all(mut self) -> Rewritten {
        let mut edits = Vec::new();
        for (index, function) in self.typed.functions.iter().enumerate() {
            let is_system = self.typed.text.is_system(function.span.start);
            if let (Some(body), false) = (&function.body, is_system) {
                self.function = Some(hir::FunctionId::new(index));
                self.parameters(function, &mut edits);
                self.statements(body, &mut edits);
            }
        }
        Rewritten {
            edits: disjoint(edits),
            points: self.points,
            by_span: self.by_span,
            blocks: self.blocks,
            quiet: self.quiet,
            helpers: self.helpers,
            sites: self.sites,
            refused: self.refused,
        }
    }

    /// At the beginning of a function, tells the monitor where its parameters are.
    fn parameters(&mut self, function: &hir::Function, edits: &mut Vec<(Span, String)>) {
        let text: String = function.parameters.iter().map(|&object| self.watching(object)).collect();
        if text.is_empty() {
            return;
        }
        let rest = &self.typed.text.source().text()[function.span.end as usize..];
        if let Some(brace) = rest.find('{') {
            let at = function.span.end as usize + brace + 1;
            edits.push((Span::new(at, at), text));
        }
    }

    fn is_accessed(&self, span: Span) -> bool {
        self.accessed.contains(&key(span))
    }

    /// The number of the point of a span; the same span is the same point.
    fn point(&mut self, span: Span) -> u32 {
        let next = self.points.len() as u32 + 1;
        let number = *self.by_span.entry(key(span)).or_insert(next);
        if number == next {
            self.points.push(span);
        }
        number
    }

    /// A name that nobody has.
    fn fresh(&mut self, what: &str) -> String {
        self.counter += 1;
        format!("__throng_{what}{}", self.counter)
    }

    fn slice(&self, span: Span) -> &'a str {
        self.typed.text.slice(span)
    }

    /// The text of a span with pieces in it replaced.
    fn splice(&self, span: Span, pieces: &[Piece]) -> String {
        let mut changed: Vec<(Span, String)> = Vec::new();
        for piece in pieces {
            let is_inside = span.start <= piece.span.start && piece.span.end <= span.end;
            if piece.text.is_some() && is_inside {
                changed.push((piece.span, self.text_of(piece)));
            }
        }
        self.replaced(span, changed)
    }

    /// The text of a span with parts of it replaced.
    fn replaced(&self, span: Span, changed: Vec<(Span, String)>) -> String {
        let mut out = String::new();
        let mut at = span.start;
        for (part, text) in disjoint(changed) {
            out.push_str(self.slice(Span { start: at, end: part.start }));
            out.push_str(&text);
            at = part.end;
        }
        out.push_str(self.slice(Span { start: at, end: span.end }));
        out
    }

    /// The text of a piece, as it is now, with the reads that it needs.
    fn text_of(&self, piece: &Piece) -> String {
        let text = piece.text.clone().unwrap_or_else(|| self.slice(piece.span).to_owned());
        order::after_reads(&piece.reads, text)
    }

    fn is_statement_mode(&self) -> bool {
        self.options.atomicity == Atomicity::Statement
    }
}

/// The operands whose order makes a difference, from left to right.
fn open_orders(origins: &Origins) -> FxHashSet<Vec<Key>> {
    let sorted = |order: &Vec<Span>| {
        let mut keys: Vec<Key> = order.iter().map(|&span| key(span)).collect();
        keys.sort_unstable();
        keys
    };
    origins.orders.iter().flatten().map(sorted).collect()
}

/// Whether the text declares the functions of mutexes by itself, with types that need not be those of the library.
pub(crate) fn has_own_locks(typed: &hir::Program) -> bool {
    let mut functions = typed.functions.iter();
    functions.any(|f| f.name.starts_with("pthread_mutex_") && !typed.text.is_system(f.span.start))
}

/// Edits in order, without those that overlap an earlier one (the same text that the tree has twice).
pub(crate) fn disjoint(mut edits: Vec<(Span, String)>) -> Vec<(Span, String)> {
    edits.sort_by_key(|(span, _)| (span.start, span.start != span.end, std::cmp::Reverse(span.end)));
    let mut end = 0;
    edits.retain(|(span, _)| {
        let is_fine = span.start >= end;
        if is_fine {
            end = span.end;
        }
        is_fine
    });
    edits
}
