//! Copies of structs that others see: member by member, as the model makes them, with a point before each access.

use super::order::in_turn;
use super::{Key, Piece, Rewriter, key};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;
use throng_base::Span;
use throng_c_front::hir::{Expression, ExpressionKind, Place, PlaceKind, TypeId, TypeKind};
use throng_cfa::flow::Program;

/// Structs of more members are copied at once.
const MOST_MEMBERS: usize = 16;

/// How many edges come one after the other that access what others see for one place of the text; those of which there are two
/// at least.
pub(super) fn steps(program: &Program) -> FxHashMap<Key, usize> {
    let mut from: FxHashMap<(usize, Key), usize> = FxHashMap::default();
    let mut starts: Vec<(usize, Key)> = Vec::new();
    let mut ends: FxHashSet<(usize, Key)> = FxHashSet::default();
    for (index, edge) in program.edges.iter().enumerate().filter(|(_, edge)| edge.from != edge.to) {
        for &span in program.origins.accesses.get(index).into_iter().flatten() {
            from.entry((edge.from.index(), key(span))).or_insert(edge.to.index());
            starts.push((edge.from.index(), key(span)));
            ends.insert((edge.to.index(), key(span)));
        }
    }
    let mut found: FxHashMap<Key, usize> = FxHashMap::default();
    for (start, span) in starts.into_iter().filter(|start| !ends.contains(start)) {
        let (mut at, mut count) = (start, 0);
        while let Some(&next) = from.get(&(at, span)).filter(|_| count <= 4 * MOST_MEMBERS) {
            (at, count) = (next, count + 1);
        }
        let known = found.entry(span).or_default();
        *known = (*known).max(count);
    }
    found.retain(|_, count| *count > 1);
    found
}

impl<'a> Rewriter<'a> {
    /// `place = value` for structs, in as many steps as the model makes; `None` if the text cannot.
    pub(super) fn assign_members(
        &mut self,
        place: &'a Place,
        value: &'a Expression,
        span: Span,
    ) -> Option<Piece> {
        if self.is_free || !matches!(self.typed.types[place.ty.index()].kind, TypeKind::Record(_)) {
            return None;
        }
        let count = *self.steps.get(&key(span))?;
        let mut members = Vec::new();
        self.members(place.ty, 0, &mut members)?;
        // Where others see both, a member is read in one step and written in the next.
        let is_split = count == 2 * members.len();
        if count != members.len() && !is_split {
            return None;
        }
        let (to, from, copy) = (self.fresh("q"), self.fresh("q"), self.fresh("c"));
        let pieces = self.place(place);
        let target = self.plain(place.span, pieces);
        let mut text = "({ ".to_owned();
        let first = format!("__auto_type {to} = &({}); ", self.text_of(&target));
        let both = match &value.kind {
            ExpressionKind::Load(source) if !matches!(source.kind, PlaceKind::Value(_)) => {
                let pieces = self.place(source);
                let source = self.plain(source.span, pieces);
                format!("{first}__auto_type {from} = &({}); ", self.text_of(&source))
            }
            _ => {
                let value_span = value.span;
                let value = self.expression(value);
                let value = self.text_of(&value);
                let last = format!("__auto_type {from} = &{copy}; ");
                match self.site(&[place.span, value_span]) {
                    Some(site) => {
                        let declared = format!(
                            "__typeof__(&({})) {to}; __typeof__(*{to}) {copy}; ",
                            self.slice(place.span)
                        );
                        let cases =
                            [format!("{to} = &({});", self.text_of(&target)), format!("{copy} = {value};")];
                        declared + &in_turn(site, &cases) + &last
                    }
                    None => format!("{first}__typeof__(*{to}) {copy} = {value}; {last}"),
                }
            }
        };
        text.push_str(&both);
        let point = self.point(span);
        for (offset, size) in members {
            let (source, target) = (format!("(char *){from} + {offset}"), format!("(char *){to} + {offset}"));
            let _ = match is_split {
                true => write!(
                    text,
                    "__throng_point({point}); {{ char m[{size}]; __builtin_memcpy(m, {source}, {size}); \
                     __throng_point({point}); __builtin_memcpy({target}, m, {size}); }} "
                ),
                false => {
                    write!(text, "__throng_point({point}); __builtin_memcpy({target}, {source}, {size}); ")
                }
            };
        }
        text.push_str(&format!("*{to}; }})"));
        Some(Piece::new(span, text))
    }

    /// Offsets and sizes of the scalars of a struct; `None` if it has unions, arrays or bit-fields, or too many.
    fn members(&self, ty: TypeId, offset: u64, out: &mut Vec<(u64, u64)>) -> Option<()> {
        let size = match &self.typed.types[ty.index()].kind {
            TypeKind::Record(record) => {
                let record = &self.typed.records[record.index()];
                for field in record.fields.iter().flatten() {
                    if record.is_union || field.bits.is_some() {
                        return None;
                    }
                    self.members(field.ty, offset + field.offset, out)?;
                }
                return Some(());
            }
            TypeKind::Bool => 1,
            TypeKind::Integer { bits, .. } => u64::from(bits / 8),
            TypeKind::Pointer(_) => u64::from(self.typed.data_model.pointer_bits() / 8),
            _ => return None,
        };
        out.push((offset, size));
        (out.len() <= MOST_MEMBERS).then_some(())
    }
}
