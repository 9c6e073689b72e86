//! Initialisers (C11 §6.7.9): lists with designators and left-out braces become stores to scalars, in order, on a
//! background of zeros. A later store to a part replaces what earlier ones put there.

use super::expression::string_values;
use super::{Outcome, Resolver};
use crate::hir::{Expression, ExpressionKind, PlaceKind, Step, Store, TypeId, TypeKind};
use crate::syntax::{self, Designator, Encoding, Initializer, InitializerList};
use rustc_hash::FxHashSet;
use throng_base::Span;

/// How many stores one initialiser may have: `[0 ... 99999999] = 1` is written quickly.
pub(super) const MAX_STORES: usize = 1 << 20;

/// What is initialised, and how far.
pub(super) struct Filling {
    pub(super) stores: Vec<Store>,
    is_static: bool,
    /// Whether a part may have been stored to before.
    has_designators: bool,
    /// Parts that may have been stored to, with all that they are parts of.
    touched: FxHashSet<Vec<u64>>,
    /// How many stores have been entered there.
    entered: usize,
    /// Parts that a value of their whole type was given for.
    wholes: Vec<Vec<Step>>,
}

impl Filling {
    fn new(is_static: bool) -> Self {
        let (stores, touched) = (Vec::new(), FxHashSet::default());
        Self { stores, is_static, has_designators: false, touched, entered: 0, wholes: Vec::new() }
    }

    /// Removes stores. Those that are kept are known as touched, so that most parts need no search.
    pub(super) fn remove(&mut self, is_removed: impl Fn(&Store) -> bool) {
        self.enter();
        self.stores.retain(|store| !is_removed(store));
        self.entered = self.stores.len();
    }

    fn enter(&mut self) {
        for store in &self.stores[self.entered..] {
            for length in 0..=store.path.len() {
                self.touched.insert(numbers(&store.path[..length]));
            }
        }
        self.entered = self.stores.len();
    }

    /// Forgets what was stored to a part: other values follow.
    fn clear(&mut self, path: &[Step]) {
        if !self.has_designators {
            return;
        }
        self.enter();
        self.wholes.retain(|whole| !whole.starts_with(path));
        if self.touched.contains(&numbers(path)) {
            self.remove(|store| store.path.starts_with(path));
        }
    }
}

/// A struct or array on the way to the part that comes next.
pub(super) struct Level {
    pub(super) ty: TypeId,
    /// How many steps lead to it.
    pub(super) depth: usize,
    /// The part that comes next.
    pub(super) next: u64,
    /// How many parts there are; in an array of unknown length, no end is known.
    pub(super) length: u64,
}

/// A value that waits for its part.
enum Source<'s> {
    List(&'s InitializerList),
    Text(Vec<u128>, Encoding, Span),
    Value(Expression),
}

impl Source<'_> {
    fn span(&self) -> Span {
        match self {
            Source::List(list) => list.span,
            Source::Text(_, _, span) => *span,
            Source::Value(value) => value.span,
        }
    }
}

impl Resolver<'_> {
    /// The stores of an initialiser for an object of a type, and the type with its length known.
    pub(super) fn initialize(
        &mut self,
        ty: TypeId,
        initializer: &Initializer,
        is_static: bool,
    ) -> Outcome<(TypeId, Vec<Store>)> {
        let mut filling = Filling::new(is_static);
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
                syntax::ExpressionKind::String { bytes, encoding } => {
                    Source::Text(string_values(bytes, *encoding), *encoding, expression.span)
                }
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
        if !path.is_empty() && matches!(self.types.kind(ty), TypeKind::Array { length: None, .. }) {
            let message = "the member without a length has no elements to give values to";
            return Err(self.error("E0625", message, source.span()));
        }
        if filling.wholes.iter().any(|whole| path.len() > whole.len() && path.starts_with(whole)) {
            let message = "this gives a part of what a struct was copied to before, and compilers disagree about the rest";
            return Err(self.error("E0638", message, source.span()));
        }
        match source {
            Source::List(list) => self.fill_list(filling, path, ty, list),
            Source::Text(values, encoding, span) => match self.text_element(ty, encoding) {
                Some((element, length)) => {
                    self.fill_text(filling, path, element, length, &values, span).map(Some)
                }
                None => {
                    let value = self.text_pointer(&values, encoding, span)?;
                    self.fill_value(filling, path, ty, value).map(|()| None)
                }
            },
            Source::Value(value) => self.fill_value(filling, path, ty, value).map(|()| None),
        }
    }

    /// Element and length of an array that a string may fill.
    fn text_element(&self, ty: TypeId, encoding: Encoding) -> Option<(TypeId, Option<u64>)> {
        let TypeKind::Array { element, length } = *self.types.kind(ty) else { return None };
        let (bits, _) = self.types.integer_shape(element)?;
        (bits as usize == 8 * encoding.size()).then_some((element, length))
    }

    /// A string as a pointer to its first character.
    fn text_pointer(&mut self, values: &[u128], encoding: Encoding, span: Span) -> Outcome<Expression> {
        let size = encoding.size();
        let bytes: Vec<u8> =
            values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(size)).collect();
        let operand = self.string(&bytes, encoding, span);
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
        filling.clear(path);
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
        filling.clear(path);
        if self.types.is_record(ty) {
            filling.wholes.push(path.to_vec());
        }
        if filling.is_static {
            if let Some(stores) = self.constant_record(&value) {
                for mut store in stores {
                    store.path.splice(0..0, path.iter().copied());
                    store.value = self.static_value(store.value)?;
                    filling.stores.push(store);
                }
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
            && let Source::Text(values, encoding, span) = self.source(&list.entries[0].1)?
            && let Some((element, length)) = self.text_element(ty, encoding)
        {
            return self.fill_text(filling, path, element, length, &values, span).map(Some);
        }
        filling.clear(path);
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

    pub(super) fn level(&mut self, ty: TypeId, depth: usize, span: Span) -> Outcome<Level> {
        let length = match *self.types.kind(ty) {
            // A member without a length has no elements.
            TypeKind::Array { length: None, .. } if depth > 0 => 0,
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
    pub(super) fn part_of(&self, ty: TypeId, index: u64) -> Option<(Step, TypeId)> {
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
                filling.clear(path);
            }
            path.push(step);
            if range.is_some() && target.is_empty() {
                target = path.clone();
            }
            source = match source {
                Source::Value(value) if self.descends(part, &value) => Source::Value(value),
                Source::Text(values, encoding, span)
                    if self.types.is_aggregate(part) && self.text_element(part, encoding).is_none() =>
                {
                    Source::Text(values, encoding, span)
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
}

/// The numbers of members and elements on a path. In one object, no two paths differ in the kinds of steps only.
fn numbers(path: &[Step]) -> Vec<u64> {
    let number = |step: &Step| match *step {
        Step::Field(index) => u64::from(index),
        Step::Element(index) => index,
    };
    path.iter().map(number).collect()
}

fn span_of(initializer: &Initializer) -> Span {
    match initializer {
        Initializer::Expression(expression) => expression.span,
        Initializer::List(list) => list.span,
    }
}
