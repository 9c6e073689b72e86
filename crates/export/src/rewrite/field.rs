//! Writes to bit-fields that others see: the unit is read, some of its bits are changed, and it is written back, as machines do. The
//! model makes two steps of that, so the text has two points: others may come between.

use super::order::Both;
use super::{Piece, Rewriter, key};
use throng_base::Span;
use throng_c_front::hir::{Expression, Field, Place, PlaceKind, TypeKind};

/// A bit-field as a part of the object that the text can take the address of.
struct Unit<'a> {
    /// The object.
    base: &'a Place,
    /// The members on the way from there, as they are written.
    path: String,
    /// The bytes of the unit in the object: the first one, and how many.
    bytes: (u64, u64),
}

impl<'a> Rewriter<'a> {
    /// `place = value` in two steps; `None` if it is one.
    pub(super) fn assign_field(
        &mut self,
        place: &'a Place,
        value: &'a Expression,
        span: Span,
    ) -> Option<Piece> {
        let unit = self.unit_in_steps(place, span)?;
        let (pointer, declared) = self.pointer_to(&unit);
        let mut value = [self.expression(value)];
        let before = self.settle(&mut value, false);
        let value = self.text_of(&value[0]);
        let write = self.write_unit(&unit, &pointer, &value, span);
        Some(Piece::new(span, format!("({{ {declared}{before}{write} }})")))
    }

    /// `place op= value` in three steps, without a value for `++` and `--`; `None` if it is fewer.
    pub(super) fn update_field(
        &mut self,
        place: &'a Place,
        operand: Option<Piece>,
        operator: &str,
        is_postfix: bool,
        span: Span,
    ) -> Option<Piece> {
        let unit = self.unit_in_steps(place, span)?;
        let (pointer, declared) = self.pointer_to(&unit);
        let (read, member) = (self.point(place.span), format!("{pointer}->{}", unit.path));
        let ty = format!("__typeof__(+{member})");
        let Both { before, old, operand } = self.old_and_operand((&member, &ty, read), operand, span);
        let write = self.write_unit(&unit, &pointer, &format!("{old} {operator} ({operand})"), span);
        let result = if is_postfix { format!("{old};") } else { String::new() };
        Some(Piece::new(span, format!("({{ {declared}{before}{write} {result} }})")))
    }

    /// A pointer to the object that a unit is in, and its declaration.
    fn pointer_to(&mut self, unit: &Unit<'a>) -> (String, String) {
        let base = unit.base;
        let is_pointer = match &base.kind {
            PlaceKind::Dereference(_) => !self.is_subscript(base),
            _ => false,
        };
        let text = match &base.kind {
            PlaceKind::Dereference(e) if is_pointer => {
                let piece = self.expression(e);
                self.text_of(&piece)
            }
            _ => {
                let pieces = self.place(base);
                let piece = self.plain(base.span, pieces);
                format!("&({})", self.text_of(&piece))
            }
        };
        let name = self.fresh("q");
        let declared = format!("__auto_type {name} = {text}; ");
        (name, declared)
    }

    /// Reads the unit, changes the bit-field and writes it back, with a point before each; its value is that of the bit-field.
    fn write_unit(&mut self, unit: &Unit<'_>, pointer: &str, value: &str, span: Span) -> String {
        let (point, copy) = (self.point(span), self.fresh("c"));
        let (path, (from, count)) = (&unit.path, unit.bytes);
        format!(
            "__throng_point({point}); __typeof__(*{pointer}) {copy}; \
             __builtin_memcpy((void *)&{copy}, (void *){pointer}, sizeof {copy}); {copy}.{path} = {value}; \
             __throng_point({point}); \
             __builtin_memcpy((char *){pointer} + {from}, (char *)&{copy} + {from}, {count}); +{copy}.{path};"
        )
    }

    /// The unit of a bit-field, if writing to it takes two steps.
    fn unit_in_steps(&self, place: &'a Place, span: Span) -> Option<Unit<'a>> {
        if self.is_free || !self.is_bit_field(place) || !self.steps.contains_key(&key(span)) {
            return None;
        }
        let PlaceKind::Member(last, _) = &place.kind else { return None };
        let (mut names, mut offset, mut base) = (Vec::new(), 0, place);
        while let PlaceKind::Member(inner, number) = &base.kind {
            let field = self.fields_of(inner)?.get(*number as usize)?;
            names.extend(field.name.as_deref());
            offset += if std::ptr::eq(base, place) { 0 } else { field.offset };
            base = inner;
        }
        if matches!(base.kind, PlaceKind::Value(_)) {
            return None;
        }
        names.reverse();
        let PlaceKind::Member(_, number) = &place.kind else { return None };
        let (from, to) = unit_of(self.fields_of(last)?, *number as usize)?;
        Some(Unit { base, path: names.join("."), bytes: (offset + from, to - from) })
    }

    fn fields_of(&self, place: &Place) -> Option<&'a [Field]> {
        let TypeKind::Record(record) = self.typed.types[place.ty.index()].kind else { return None };
        self.typed.records[record.index()].fields.as_deref()
    }

    /// Whether what a pointer points to is written `p[i]`.
    pub(super) fn is_subscript(&self, place: &Place) -> bool {
        let text = self.slice(place.span);
        text.trim_end().ends_with(']') && !text.trim_start().starts_with('*')
    }
}

/// The bytes of the bit-fields that are one memory location with this one: neighbours in the same storage units.
fn unit_of(fields: &[Field], number: usize) -> Option<(u64, u64)> {
    let bits = |field: &Field| {
        let (first, count) = field.bits?;
        let start = 8 * field.offset + u64::from(first);
        Some((start, start + u64::from(count)))
    };
    let (start, end) = bits(fields.get(number)?)?;
    let (mut from, mut to) = (start / 8, end.div_ceil(8));
    let is_one = |a: &Field, b: &Field| match (bits(a), bits(b)) {
        (Some((_, end)), Some((start, _))) => !b.is_apart && start / 8 <= end.div_ceil(8),
        _ => false,
    };
    for pair in fields[..=number].windows(2).rev().take_while(|pair| is_one(&pair[0], &pair[1])) {
        from = from.min(bits(&pair[0])?.0 / 8);
    }
    for pair in fields[number..].windows(2).take_while(|pair| is_one(&pair[0], &pair[1])) {
        to = to.max(bits(&pair[1])?.1.div_ceil(8));
    }
    Some((from, to))
}
