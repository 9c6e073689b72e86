//! Operands in the order that the interleaving takes, where C leaves it open.
//!
//! The front end explores such orders in two ways ([`throng_cfa::flow::Origins`]), and so does the text here:
//!
//! * reads of simple places in one expression are made one by one in any order: they are *put off* until the whole expression
//!   is there, and then a loop makes the read whose point comes next in the schedule of the thread;
//! * other operands are evaluated one after the other as wholes: where the interleaving does not go from left to right, a table of
//!   the schedule says in which order they come, each time that a thread comes there.
//!
//! A monitor (`is_free`) evaluates operands from left to right, which is one of the orders that the invariant is about.

use super::{Key, Piece, Rewriter, key};
use throng_base::Span;
use throng_c_front::hir::Place;

/// A read of what others see that is put off.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// The variable for its value.
    name: String,
    point: u32,
    text: String,
}

/// The type of the value of an expression.
fn type_of(text: &str) -> String {
    format!("__typeof__(({{ __auto_type __throng_t = ({{ {text}; }}); __throng_t; }}))")
}

/// A text after the reads that it has names for.
pub(super) fn after_reads(reads: &[Read], text: String) -> String {
    match reads {
        [] => text,
        [only] if only.name == text => format!("({{ __throng_point({}); {}; }})", only.point, only.text),
        _ => format!("({{ {}{text}; }})", made(reads)),
    }
}

/// Statements that make reads.
fn made(reads: &[Read]) -> String {
    if let [only] = reads {
        let Read { name, point, text } = only;
        return format!("__auto_type {name} = ({{ __throng_point({point}); {text}; }}); ");
    }
    let declared: String =
        reads.iter().map(|read| format!("{} {}; ", type_of(&read.text), read.name)).collect();
    let points: Vec<String> = reads.iter().map(|read| read.point.to_string()).collect();
    let done = format!("__throng_d{}", reads[0].point);
    let cases: String = reads
        .iter()
        .enumerate()
        .map(|(number, Read { name, point, text })| {
            format!(
                "case {number}: __throng_point({point}); {name} = {text}; {done} |= {}u; break; ",
                1_u32 << number
            )
        })
        .collect();
    let all = (1_u64 << reads.len()) - 1;
    format!(
        "{declared}for (unsigned {done} = 0; {done} != {all}u;) \
         switch (__throng_choose({done}, {}, (const unsigned[]){{ {} }})) {{ {cases}}} ",
        reads.len(),
        points.join(", ")
    )
}

/// A place that is read and what is combined with it: statements that evaluate both, and names or texts of their values.
pub(super) struct Both {
    pub(super) before: String,
    pub(super) old: String,
    pub(super) operand: String,
}

/// At most so many reads are put off together.
const MOST_READS: usize = 16;

impl Rewriter<'_> {
    /// A read that is made later.
    pub(super) fn put_off(&mut self, span: Span, point: u32, text: String) -> Piece {
        let name = self.fresh("v");
        let reads = vec![Read { name: name.clone(), point, text }];
        Piece { span, text: Some(name), is_ordered: true, reads }
    }

    /// The text with the pieces in it, whose reads are still put off.
    pub(super) fn carry(&self, span: Span, pieces: Vec<Piece>) -> Piece {
        let is_pure = pieces.iter().all(|piece| !piece.is_ordered || !piece.reads.is_empty());
        let reads: Vec<Read> = pieces.iter().flat_map(|piece| piece.reads.clone()).collect();
        if !is_pure || reads.is_empty() || reads.len() > MOST_READS {
            return self.plain(span, pieces);
        }
        Piece { span, text: Some(self.splice_names(span, &pieces)), is_ordered: true, reads }
    }

    fn splice_names(&self, span: Span, pieces: &[Piece]) -> String {
        let is_inside = |piece: &&Piece| span.start <= piece.span.start && piece.span.end <= span.end;
        let pieces = pieces.iter().filter(is_inside);
        self.replaced(span, pieces.filter_map(|piece| Some((piece.span, piece.text.clone()?))).collect())
    }

    /// The text with pieces whose order matters, if it does.
    pub(super) fn in_order(&mut self, span: Span, mut pieces: Vec<Piece>) -> Piece {
        let n_reads: usize = pieces.iter().map(|piece| piece.reads.len()).sum();
        let is_pure = pieces.iter().all(|piece| !piece.is_ordered || !piece.reads.is_empty());
        if is_pure && n_reads <= MOST_READS {
            return self.carry(span, pieces);
        }
        let before = self.settle(&mut pieces, true);
        let piece = self.plain(span, pieces);
        if before.is_empty() {
            return piece;
        }
        let text = format!("({{ {before}{}; }})", self.text_of(&piece));
        Piece::new(span, text)
    }

    /// Puts pieces into variables, in order: declarations, and the names in place of the pieces. With `but_last`, the last one
    /// that matters may stay where it is.
    pub(super) fn settle(&mut self, pieces: &mut [Piece], but_last: bool) -> String {
        let n_ordered = pieces.iter().filter(|piece| piece.is_ordered).count();
        if n_ordered == 0 || (but_last && n_ordered < 2) {
            return String::new();
        }
        let spans: Vec<Span> =
            pieces.iter().filter(|piece| piece.is_ordered).map(|piece| piece.span).collect();
        if let Some(site) = self.site(&spans) {
            return self.settle_in_turn(pieces, site);
        }
        let last = pieces.iter().rposition(|piece| piece.is_ordered);
        let mut declarations = String::new();
        for (index, piece) in pieces.iter_mut().enumerate() {
            let is_settled = piece.is_ordered && (!but_last || Some(index) != last);
            if is_settled {
                let name = self.fresh("v");
                declarations.push_str(&format!("__auto_type {name} = {}; ", self.text_of(piece)));
                *piece = Piece { text: Some(name), reads: Vec::new(), ..piece.clone() };
            }
        }
        declarations
    }

    /// The number of a place where operands are not always evaluated from left to right; `None` if they are.
    pub(super) fn site(&mut self, operands: &[Span]) -> Option<usize> {
        let keys: Vec<Key> = operands.iter().map(|&span| key(span)).collect();
        let is_meant = |open: &Vec<Key>| open.iter().all(|operand| keys.contains(operand));
        // Texts with statements in them cannot be written twice.
        let is_plain = operands.iter().all(|&span| !self.slice(span).contains("({"));
        if self.is_free || !is_plain || operands.len() > 16 || !self.reordered.iter().any(is_meant) {
            return None;
        }
        self.sites.push(keys);
        Some(self.sites.len() - 1)
    }

    /// Puts pieces into variables, in the order that the schedule says.
    fn settle_in_turn(&mut self, pieces: &mut [Piece], site: usize) -> String {
        let (mut declared, mut cases) = (String::new(), Vec::new());
        for piece in pieces.iter_mut().filter(|piece| piece.is_ordered) {
            let name = self.fresh("v");
            declared.push_str(&format!("{} {name}; ", type_of(self.slice(piece.span))));
            cases.push(format!("{name} = {};", self.text_of(piece)));
            *piece = Piece { text: Some(name), reads: Vec::new(), ..piece.clone() };
        }
        declared + &in_turn(site, &cases)
    }

    /// `a[x] = y`, where all that is read before can be read in any order.
    pub(super) fn assign_reads(
        &mut self,
        place: Span,
        inner: &[Piece],
        value: &Piece,
        span: Span,
    ) -> Option<Piece> {
        let target = self.carry(place, inner.to_vec());
        if target.reads.is_empty() || value.reads.is_empty() {
            return None;
        }
        let reads: Vec<Read> = target.reads.iter().chain(&value.reads).cloned().collect();
        let (Some(target), Some(value)) = (&target.text, &value.text) else { return None };
        let point = match self.is_accessed(span) {
            true => format!("__throng_point({}); ", self.point(span)),
            false => String::new(),
        };
        let before = made(&reads);
        Some(Piece::new(span, format!("({{ {before}{point}{target} = {value}; }})")))
    }

    /// The old value of a place and what is combined with it (nothing for `++`), in the order that the schedule says.
    pub(super) fn old_and_operand(
        &mut self,
        (place, ty, point): (&str, &str, u32),
        value: Option<Piece>,
        span: Span,
    ) -> Both {
        let old = self.fresh("o");
        let read = format!("__throng_point({point}); {ty} {old} = {place}; ");
        let Some(value) = value else { return Both { before: read, old, operand: "1".to_owned() } };
        if let (false, Some(operand)) = (value.reads.is_empty() || self.is_free, &value.text) {
            let first = Read { name: old.clone(), point, text: place.to_owned() };
            let reads: Vec<Read> = std::iter::once(first).chain(value.reads.clone()).collect();
            return Both { before: made(&reads), old, operand: operand.clone() };
        }
        if let Some(site) = self.site(&[span, value.span]) {
            let kept = self.fresh("v");
            let declared = format!("{ty} {old}; {} {kept}; ", type_of(self.slice(value.span)));
            let cases = [
                format!("__throng_point({point}); {old} = {place};"),
                format!("{kept} = {};", self.text_of(&value)),
            ];
            return Both { before: declared + &in_turn(site, &cases), old, operand: kept };
        }
        let is_open = self.open_orders.contains(&vec![key(span), key(value.span)]);
        let mut values = [value];
        let settled = self.settle(&mut values, false);
        let before = if is_open { read + &settled } else { settled + &read };
        Both { before, old, operand: self.text_of(&values[0]) }
    }

    /// An assignment whose place and value come in the order that the schedule says; `None` if it says nothing.
    pub(super) fn assign_in_turn(
        &mut self,
        place: &Place,
        target: &Piece,
        value: &Piece,
        point: &str,
        span: Span,
    ) -> Option<Piece> {
        if self.is_bit_field(place) {
            return None;
        }
        let site = self.site(&[target.span, value.span])?;
        let (pointer, kept) = (self.fresh("q"), self.fresh("v"));
        let declared = format!(
            "__typeof__(&({})) {pointer}; {} {kept}; ",
            self.slice(target.span),
            type_of(self.slice(value.span))
        );
        let cases = [
            format!("{pointer} = &({});", self.text_of(target)),
            format!("{kept} = {};", self.text_of(value)),
        ];
        let before = declared + &in_turn(site, &cases);
        Some(Piece::new(span, format!("({{ {before}{point}*{pointer} = {kept}; }})")))
    }
}

/// Statements in the order that the schedule says.
pub(super) fn in_turn(site: usize, statements: &[String]) -> String {
    let (order, number) = (format!("__throng_o{site}"), format!("__throng_n{site}"));
    let cases: String = statements
        .iter()
        .enumerate()
        .map(|(number, statement)| format!("case {number}: {statement} break; "))
        .collect();
    format!(
        "unsigned long long {order} = __throng_order({site}); \
         for (unsigned {number} = 0; {number} < {}; {number}++, {order} >>= 4) switch ({order} & 15) {{ {cases}}} ",
        statements.len()
    )
}
