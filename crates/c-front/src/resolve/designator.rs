//! Designators (C11 §6.7.9 p6, p7): `.m`, `[i]` and `[i ... j]` in initialisers, and the parts they lead to.

use super::initializer::{Filling, Level, MAX_STORES};
use super::{Outcome, Resolver};
use crate::hir::{Step, Store, TypeId};
use crate::syntax::{self, Designator};
use throng_base::Span;

impl Resolver<'_> {
    /// Goes to the part that designators name. Gives the depth and the ends of a range of elements.
    pub(super) fn designate(
        &mut self,
        path: &mut Vec<Step>,
        levels: &mut Vec<Level>,
        designators: &[Designator],
        span: Span,
    ) -> Outcome<Option<(usize, u64, u64)>> {
        let mut range = None;
        for designator in designators {
            let ty = levels[levels.len() - 1].ty;
            let steps: Vec<u64> = match designator {
                Designator::Member(name) => self.field_path(ty, name)?.into_iter().map(u64::from).collect(),
                Designator::Index(index) => vec![self.designated_index(ty, index)?],
                Designator::Range(first, last) => {
                    let (first, last) = (self.designated_index(ty, first)?, self.designated_index(ty, last)?);
                    if last < first {
                        return Err(self.error("E0625", "this range of elements is empty", span));
                    }
                    range = Some((path.len(), first, last));
                    vec![first]
                }
            };
            for step in steps {
                let at = levels.len() - 1;
                levels[at].next = step;
                self.enter_part(path, levels, span)?;
            }
        }
        // The part itself is filled, not its first part.
        levels.pop();
        path.pop();
        if let Some(level) = levels.last_mut() {
            level.next -= 1;
        }
        Ok(range)
    }

    /// Goes into the part that comes next.
    fn enter_part(&mut self, path: &mut Vec<Step>, levels: &mut Vec<Level>, span: Span) -> Outcome<()> {
        let at = levels.len() - 1;
        let (ty, index) = (levels[at].ty, levels[at].next);
        let part = if index < levels[at].length { self.part_of(ty, index) } else { None };
        let Some((step, part)) = part else {
            return Err(self.error("E0625", "there is no such element", span));
        };
        levels[at].next += 1;
        path.push(step);
        let depth = path.len();
        levels.push(self.level(part, depth, span)?);
        Ok(())
    }

    fn designated_index(&mut self, ty: TypeId, index: &syntax::Expression) -> Outcome<u64> {
        if self.types.element(ty).is_none() {
            let found = self.describe(ty);
            return Err(self.error("E0625", format!("{found} is not an array"), index.span));
        }
        let number = self.integer_constant(index, "the index of an element")?;
        let largest = i128::from(u64::MAX >> 8);
        match u64::try_from(number) {
            Ok(number) if i128::from(number) < largest => Ok(number),
            _ => Err(self.error("E0625", "there is no such element", index.span)),
        }
    }

    /// The stores of the first element of a range, for the others. `target` is the part of it that was filled.
    pub(super) fn repeat(
        &mut self,
        filling: &mut Filling,
        target: &[Step],
        range: (usize, u64, u64),
        levels: &mut [Level],
        span: Span,
    ) -> Outcome<()> {
        let (depth, first, last) = range;
        let (outer, tail) = (&target[..depth], &target[depth + 1..]);
        let template: Vec<Store> =
            filling.stores.iter().filter(|store| store.path.starts_with(target)).cloned().collect();
        if (last - first).saturating_mul(template.len() as u64) > MAX_STORES as u64 {
            return Err(self.error(
                "E0624",
                format!("this initialiser has more than {MAX_STORES} parts"),
                span,
            ));
        }
        filling.remove(|store| {
            store.path.starts_with(outer)
                && matches!(store.path.get(depth), Some(&Step::Element(index)) if first < index && index <= last)
                && store.path[depth + 1..].starts_with(tail)
        });
        if let Some(level) = levels.iter_mut().find(|level| level.depth == depth) {
            if last >= level.length {
                return Err(self.error("E0625", "there is no such element", span));
            }
            level.next = last + 1;
        }
        for index in first + 1..=last {
            filling.stores.extend(template.iter().cloned().map(|mut store| {
                store.path[depth] = Step::Element(index);
                store
            }));
        }
        Ok(())
    }
}
