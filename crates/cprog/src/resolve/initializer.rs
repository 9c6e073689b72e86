//! Initialisers (C11 §6.7.9): lists with designators and left-out braces become stores to scalars, in order, on a
//! background of zeros. A later store to a part replaces what earlier ones put there.

use super::expression::string_values;
use super::{Outcome, Resolver};
use crate::hir::{Expression, ExpressionKind, PlaceKind, Step, Storage, Store, TypeId, TypeKind};
use crate::syntax::{self, Designator, Initializer, InitializerList};
use throng_base::Span;

/// How many stores one initialiser may have: `[0 ... 99999999] = 1` is written quickly.
const MAX_STORES: usize = 1 << 20;

/// What is initialised, and how far.
struct Filling {
    stores: Vec<Store>,
    is_static: bool,
    /// Whether a part may have been stored to before.
    has_designators: bool,
}

/// A struct or array on the way to the part that comes next.
struct Level {
    ty: TypeId,
    /// How many steps lead to it.
    depth: usize,
    /// The part that comes next.
    next: u64,
    /// How many parts there are; in an array of unknown length, no end is known.
    length: u64,
}

/// A value that waits for its part.
enum Source<'s> {
    List(&'s InitializerList),
    Text(Vec<u128>, u32, Span),
    Value(Expression),
}

impl Resolver<'_> {
    /// The stores of an initialiser for an object of a type, and the type with its length known.
    pub(super) fn initialize(
        &mut self,
        ty: TypeId,
        initializer: &Initializer,
        is_static: bool,
    ) -> Outcome<(TypeId, Vec<Store>)> {
        let mut filling = Filling { stores: Vec::new(), is_static, has_designators: false };
        let source = self.source(initializer)?;
        let length = self.fill(&mut filling, &[], ty, source)?;
        let complete = match *self.types.kind(ty) {
            TypeKind::Array { element, length: None } => {
                let qualifiers = self.types.get(ty).qualifiers;
                let array = self.types.array(element, Some(length.unwrap_or(0)));
                self.types.qualify(array, qualifiers)
            }
            _ => ty,
        };
        Ok((complete, filling.stores))
    }

    /// An initialiser with its expression typed.
    fn source<'s>(&mut self, initializer: &'s Initializer) -> Outcome<Source<'s>> {
        Ok(match initializer {
            Initializer::List(list) => Source::List(list),
            Initializer::Expression(expression) => match &expression.kind {
                syntax::ExpressionKind::String { bytes, is_wide } => Source::Text(
                    string_values(bytes, *is_wide),
                    if *is_wide { 4 } else { 1 },
                    expression.span,
                ),
                _ => Source::Value(self.rvalue(expression)?),
            },
        })
    }

    /// Fills a part that is named or next. Gives the length of an array that had none.
    fn fill(
        &mut self,
        filling: &mut Filling,
        path: &[Step],
        ty: TypeId,
        source: Source,
    ) -> Outcome<Option<u64>> {
        match source {
            Source::List(list) => self.fill_list(filling, path, ty, list),
            Source::Text(values, width, span) => match self.text_element(ty, width) {
                Some((element, length)) => {
                    self.fill_text(filling, path, element, length, &values, span).map(Some)
                }
                None => {
                    let value = self.text_pointer(&values, width, span)?;
                    self.fill_value(filling, path, ty, value).map(|()| None)
                }
            },
            Source::Value(value) => self.fill_value(filling, path, ty, value).map(|()| None),
        }
    }

    /// Element and length of an array that a string may fill.
    fn text_element(&self, ty: TypeId, width: u32) -> Option<(TypeId, Option<u64>)> {
        let TypeKind::Array { element, length } = *self.types.kind(ty) else { return None };
        let (bits, _) = self.types.integer_shape(element)?;
        (bits == 8 * width).then_some((element, length))
    }

    /// A string as a pointer to its first character.
    fn text_pointer(&mut self, values: &[u128], width: u32, span: Span) -> Outcome<Expression> {
        let bytes: Vec<u8> =
            values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(width as usize)).collect();
        let operand = self.string(&bytes, width == 4, span);
        self.value(operand)
    }

    fn fill_text(
        &mut self,
        filling: &mut Filling,
        path: &[Step],
        element: TypeId,
        length: Option<u64>,
        values: &[u128],
        span: Span,
    ) -> Outcome<u64> {
        let length = length.unwrap_or(values.len() as u64 + 1);
        let kept = values.len().min(usize::try_from(length).unwrap_or(usize::MAX));
        if kept < values.len() {
            self.warn("W0605", format!("only {length} characters of this string fit"), span);
        }
        self.clear(filling, path);
        let stores = self.string_stores(&values[..kept], element, path, span);
        filling.stores.extend(stores);
        self.check_stores(filling, span)?;
        Ok(length)
    }

    /// One store for each character that is not zero.
    pub(super) fn string_stores(
        &mut self,
        values: &[u128],
        element: TypeId,
        path: &[Step],
        span: Span,
    ) -> Vec<Store> {
        let element = self.types.unqualified(element);
        let mut stores = Vec::new();
        for (index, &value) in values.iter().enumerate().filter(|&(_, &value)| value != 0) {
            let mut path = path.to_vec();
            path.push(Step::Element(index as u64));
            stores.push(Store { path, value: self.constant(value, element, span) });
        }
        stores
    }

    /// One value for one part.
    fn fill_value(
        &mut self,
        filling: &mut Filling,
        path: &[Step],
        ty: TypeId,
        value: Expression,
    ) -> Outcome<()> {
        let span = value.span;
        if self.types.element(ty).is_some() {
            return self.fill_array_by_value(filling, path, ty, value);
        }
        let value = self.assigned(value, ty, "what is initialised,")?;
        self.clear(filling, path);
        if filling.is_static {
            if let Some(stores) = self.constant_record(&value) {
                filling.stores.extend(stores.into_iter().map(|mut store| {
                    store.path.splice(0..0, path.iter().copied());
                    store
                }));
                return Ok(());
            }
            let value = self.static_value(value)?;
            filling.stores.push(Store { path: path.to_vec(), value });
        } else {
            filling.stores.push(Store { path: path.to_vec(), value });
        }
        self.check_stores(filling, span)
    }

    /// `int a[2] = (int[2]) { 1, 2 }`, which GNU C allows for objects of static storage; nothing else fills an array.
    fn fill_array_by_value(
        &mut self,
        filling: &mut Filling,
        path: &[Step],
        ty: TypeId,
        value: Expression,
    ) -> Outcome<()> {
        if let ExpressionKind::AddressOf(place) = &value.kind
            && let PlaceKind::Object(object) = place.kind
            && self.is_static_literal(object)
            && filling.is_static
            && self.types.compatible(place.ty, ty, false)
        {
            for mut store in self.objects[object.index()].initial.clone() {
                store.path.splice(0..0, path.iter().copied());
                filling.stores.push(store);
            }
            return Ok(());
        }
        let found = self.describe(ty);
        Err(self.error("E0623", format!("{found} is initialised by a list between braces"), value.span))
    }

    /// The stores of a struct that is a constant: a compound literal outside of functions.
    fn constant_record(&self, value: &Expression) -> Option<Vec<Store>> {
        if !self.types.is_record(value.ty) {
            return None;
        }
        let place = match &value.kind {
            ExpressionKind::Load(place) => place,
            ExpressionKind::Block(statements, _) => {
                // The same in a function, for a `static` variable.
                let [
                    crate::hir::Statement {
                        kind: crate::hir::StatementKind::Declare(_, Some(stores)), ..
                    },
                ] = &statements[..]
                else {
                    return None;
                };
                return Some(stores.clone());
            }
            _ => return None,
        };
        let PlaceKind::Object(object) = place.kind else { return None };
        self.is_static_literal(object).then(|| self.objects[object.index()].initial.clone())
    }

    /// Whether an object is a compound literal outside of functions: no name in C has a parenthesis.
    fn is_static_literal(&self, object: crate::hir::ObjectId) -> bool {
        let object = &self.objects[object.index()];
        object.name.starts_with('(') && object.storage == Storage::Static
    }

    /// Stores to a part are replaced by those that follow.
    fn clear(&self, filling: &mut Filling, path: &[Step]) {
        if filling.has_designators {
            filling.stores.retain(|store| !store.path.starts_with(path));
        }
    }

    fn check_stores(&mut self, filling: &Filling, span: Span) -> Outcome<()> {
        if filling.stores.len() <= MAX_STORES {
            return Ok(());
        }
        Err(self.error("E0624", format!("this initialiser has more than {MAX_STORES} parts"), span))
    }

    /// A list between braces. Gives the length of an array that had none.
    fn fill_list(
        &mut self,
        filling: &mut Filling,
        path: &[Step],
        ty: TypeId,
        list: &InitializerList,
    ) -> Outcome<Option<u64>> {
        if !self.types.is_aggregate(ty) {
            return self.fill_scalar(filling, path, ty, list).map(|()| None);
        }
        if let [(designators, Initializer::Expression(expression))] = &list.entries[..]
            && designators.is_empty()
            && matches!(expression.kind, syntax::ExpressionKind::String { .. })
            && let Source::Text(values, width, span) = self.source(&list.entries[0].1)?
            && let Some((element, length)) = self.text_element(ty, width)
        {
            return self.fill_text(filling, path, element, length, &values, span).map(Some);
        }
        self.clear(filling, path);
        let mut path = path.to_vec();
        let mut levels = vec![self.level(ty, path.len(), list.span)?];
        let mut length = 0;
        let mut outcome = Ok(());
        for (designators, initializer) in &list.entries {
            let entry = self.fill_entry(filling, &mut path, &mut levels, designators, initializer);
            length = length.max(levels[0].next);
            outcome = outcome.and(entry);
        }
        outcome.map(|()| Some(length))
    }

    /// `int x = { 1 };`
    fn fill_scalar(
        &mut self,
        filling: &mut Filling,
        path: &[Step],
        ty: TypeId,
        list: &InitializerList,
    ) -> Outcome<()> {
        match &list.entries[..] {
            [] => Ok(()),
            [(designators, initializer), rest @ ..] if designators.is_empty() => {
                if !rest.is_empty() {
                    self.warn("W0605", "there are more values than parts", list.span);
                }
                let source = self.source(initializer)?;
                self.fill(filling, path, ty, source).map(|_| ())
            }
            _ => {
                let found = self.describe(ty);
                Err(self.error("E0625", format!("{found} has no parts to name"), list.span))
            }
        }
    }

    fn level(&mut self, ty: TypeId, depth: usize, span: Span) -> Outcome<Level> {
        let length = match *self.types.kind(ty) {
            TypeKind::Array { length, .. } => length.unwrap_or(u64::MAX),
            TypeKind::Record(id) => {
                let record = &self.records[id.index()];
                match &record.fields {
                    Some(fields) => fields.len() as u64,
                    None => {
                        let found = self.describe(ty);
                        return Err(self.error("E0630", format!("{found} is incomplete"), span));
                    }
                }
            }
            _ => 0,
        };
        Ok(Level { ty, depth, next: 0, length })
    }

    /// Step and type of a part.
    fn part_of(&self, ty: TypeId, index: u64) -> Option<(Step, TypeId)> {
        match *self.types.kind(ty) {
            TypeKind::Array { element, .. } => Some((Step::Element(index), element)),
            TypeKind::Record(id) => {
                let index = u32::try_from(index).ok()?;
                Some((Step::Field(index), self.field(id, index)?.ty))
            }
            _ => None,
        }
    }

    fn is_union(&self, ty: TypeId) -> bool {
        matches!(*self.types.kind(ty), TypeKind::Record(id) if self.records[id.index()].is_union)
    }

    /// One entry of a list: goes to its part and fills it.
    fn fill_entry(
        &mut self,
        filling: &mut Filling,
        path: &mut Vec<Step>,
        levels: &mut Vec<Level>,
        designators: &[Designator],
        initializer: &Initializer,
    ) -> Outcome<()> {
        let span = span_of(initializer);
        let mut range = None;
        if designators.is_empty() {
            while levels.len() > 1 && levels.last().is_some_and(|level| level.next >= level.length) {
                levels.pop();
            }
        } else {
            filling.has_designators = true;
            levels.truncate(1);
            path.truncate(levels[0].depth);
            range = self.designate(path, levels, designators, span)?;
        }
        let mut source = self.source(initializer)?;
        let mut target = Vec::new();
        loop {
            let Some(level) = levels.last_mut() else { return Ok(()) };
            if level.next >= level.length {
                self.warn("W0605", "there are more values than parts", span);
                return Ok(());
            }
            let (ty, depth, index) = (level.ty, level.depth, level.next);
            level.next += 1;
            // Of a union, one member is initialised.
            if self.is_union(ty)
                && let Some(level) = levels.last_mut()
            {
                level.next = level.length;
            }
            path.truncate(depth);
            let Some((step, part)) = self.part_of(ty, index) else { return Ok(()) };
            if self.is_union(ty) {
                self.clear(filling, path);
            }
            path.push(step);
            if range.is_some() && target.is_empty() {
                target = path.clone();
            }
            source = match source {
                Source::Value(value) if self.descends(part, &value) => Source::Value(value),
                Source::Text(values, width, span)
                    if self.types.is_aggregate(part) && self.text_element(part, width).is_none() =>
                {
                    Source::Text(values, width, span)
                }
                source => {
                    self.fill(filling, path, part, source)?;
                    return range.map_or(Ok(()), |range| self.repeat(filling, &target, range, levels, span));
                }
            };
            let depth = path.len();
            levels.push(self.level(part, depth, span)?);
        }
    }

    /// Whether a value is for the first part of a struct or array, and not for all of it.
    fn descends(&self, part: TypeId, value: &Expression) -> bool {
        match self.types.kind(part) {
            TypeKind::Array { .. } => !matches!(&value.kind, ExpressionKind::AddressOf(place)
                if self.types.compatible(place.ty, part, false)),
            kind @ TypeKind::Record(_) => kind != self.types.kind(value.ty),
            _ => false,
        }
    }

    /// Goes to the part that designators name. Gives the depth and the ends of a range of elements.
    fn designate(
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
    fn repeat(
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
        filling.stores.retain(|store| {
            let is_repeated = store.path.starts_with(outer)
                && matches!(store.path.get(depth), Some(&Step::Element(index)) if first < index && index <= last)
                && store.path[depth + 1..].starts_with(tail);
            !is_repeated
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

    /// A value of static storage: a constant, or an address with a constant added.
    fn static_value(&mut self, value: Expression) -> Outcome<Expression> {
        let mut value = value;
        self.read_known(&mut value);
        if let Some(bits) = self.value_of(&value) {
            let (ty, span) = (value.ty, value.span);
            return Ok(self.constant(bits, ty, span));
        }
        if self.is_static_value(&value) {
            return Ok(value);
        }
        Err(self.error("E0621", "the initial value of something static is not constant", value.span))
    }

    fn is_static_value(&self, value: &Expression) -> bool {
        if self.value_of(value).is_some() {
            return true;
        }
        match &value.kind {
            ExpressionKind::FunctionAddress(_) => true,
            ExpressionKind::AddressOf(place) => self.is_static_place(place),
            ExpressionKind::Convert(operand) => self.is_static_value(operand),
            ExpressionKind::Offset { pointer, index, .. } => {
                self.is_static_value(pointer) && self.value_of(index).is_some()
            }
            ExpressionKind::Binary(syntax::BinaryOperator::Add | syntax::BinaryOperator::Subtract, a, b) => {
                self.is_static_value(a) && self.is_static_value(b)
            }
            ExpressionKind::Conditional(condition, a, b) => {
                self.value_of(condition).is_some() && self.is_static_value(a) && self.is_static_value(b)
            }
            // Floating-point numbers are constants, of values that are not modelled.
            ExpressionKind::Unmodelled(_, operands) => {
                operands.iter().all(|operand| self.is_static_value(operand))
            }
            _ => false,
        }
    }

    fn is_static_place(&self, place: &crate::hir::Place) -> bool {
        match &place.kind {
            PlaceKind::Object(object) => self.objects[object.index()].storage == Storage::Static,
            PlaceKind::Member(inner, _) => self.is_static_place(inner),
            PlaceKind::Element(inner, index) => self.is_static_place(inner) && self.value_of(index).is_some(),
            PlaceKind::Dereference(pointer) => self.is_static_value(pointer),
            PlaceKind::Value(_) => false,
        }
    }
}

fn span_of(initializer: &Initializer) -> Span {
    match initializer {
        Initializer::Expression(expression) => expression.span,
        Initializer::List(list) => list.span,
    }
}
