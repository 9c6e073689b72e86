//! `struct`, `union` and `enum` (C11 §6.7.2.1, §6.7.2.2).
//!
//! An enumeration is the integer type that GCC takes for it: `unsigned int` without negative constants, else `int`, or a
//! wider one if these do not hold its values. Its constants are of type `int` where they fit.

use super::constant::truncate;
use super::layout::Part;
use super::precedence::Precedence;
use super::scope::{Meaning, Tag};
use super::{Outcome, Resolver};
use crate::hir::{Field, Record, RecordId, TypeId, TypeKind};
use crate::syntax::{Attribute, Declarator, EnumSpecifier, Expression, Member, RecordSpecifier, Specifiers};
use crate::syntax::{IntegerWord, Name};
use throng_base::Span;

impl Resolver<'_> {
    /// The type of `struct tag { … }`, `struct tag` and the like.
    pub(super) fn record(&mut self, specifier: &RecordSpecifier, is_alone: bool) -> Outcome<TypeId> {
        let id = match (&specifier.tag, &specifier.members) {
            (Some(tag), None) => self.record_of_tag(tag, specifier.is_union, is_alone)?,
            (Some(tag), Some(members)) => {
                let id = self.record_of_tag(tag, specifier.is_union, true)?;
                self.define_record(id, specifier, members)?;
                id
            }
            (None, Some(members)) => self.anonymous_record(specifier, members)?,
            (None, None) => return Err(self.error("E0607", "neither a tag nor members", specifier.span)),
        };
        let ty = self.types.of(TypeKind::Record(id));
        Ok(self.with_attributes(ty, &specifier.attributes))
    }

    /// The struct that a tag names; a new one if it names none (or, with `is_new`, none in this scope).
    fn record_of_tag(&mut self, tag: &Name, is_union: bool, is_new: bool) -> Outcome<RecordId> {
        let known = if is_new { self.scopes.tag_here(&tag.text) } else { self.scopes.tag(&tag.text) };
        match known {
            Some((Tag::Record(id), _)) if self.records[id.index()].is_union == is_union => Ok(id),
            Some((_, other)) => {
                let note = format!("it is declared at {}", self.place_name(other));
                let message = format!("`{}` is another kind of tag", tag.text);
                let diagnostic = self.text.error("E0608", message, tag.span).note(note);
                Err(self.report(diagnostic))
            }
            None => {
                let is_outside = self.function.is_none();
                let known = if is_outside { self.unit_records.tagged(is_union, &tag.text) } else { None };
                let id = known.unwrap_or_else(|| self.new_record(tag.text.to_string(), is_union));
                if is_outside && known.is_none() {
                    self.unit_records.note(is_union, &tag.text, id, None);
                }
                self.scopes.declare_tag(tag.text.clone(), Tag::Record(id), tag.span);
                Ok(id)
            }
        }
    }

    fn new_record(&mut self, name: String, is_union: bool) -> RecordId {
        let id = RecordId::new(self.records.len());
        self.records.push(Record { name, is_union, fields: None, size: 0, alignment: 1 });
        id
    }

    /// Gives a struct with a tag its members. One that another unit has to be the same.
    fn define_record(
        &mut self,
        id: RecordId,
        specifier: &RecordSpecifier,
        members: &[Member],
    ) -> Outcome<()> {
        if let Some(other) = self.unit_records.complete(id, specifier.span) {
            return self.define_record_again(id, other, specifier, members);
        }
        let known = self.records[id.index()].clone();
        let record = self.laid_out(known.name.clone(), specifier, members)?;
        if known.fields.is_some() && !same_members(&known, &record) {
            let message = format!("`{}` is defined in two files, and not alike", known.name);
            return Err(self.error("E0612", message, specifier.span));
        }
        self.records[id.index()] = record;
        if let (Some(tag), true) = (&specifier.tag, self.function.is_none()) {
            let text = self.text.slice(specifier.span);
            self.unit_records.note(specifier.is_union, &tag.text, id, Some(text));
        }
        Ok(())
    }

    /// A second definition in one unit, which is an error unless both say the same, or one is a header's (`precedence`).
    fn define_record_again(
        &mut self,
        id: RecordId,
        other: Span,
        specifier: &RecordSpecifier,
        members: &[Member],
    ) -> Outcome<()> {
        let known = self.records[id.index()].clone();
        let record = self.laid_out(known.name.clone(), specifier, members)?;
        if same_members(&known, &record) {
            return Ok(());
        }
        match self.precedence(other, specifier.span) {
            Precedence::First => {}
            Precedence::Second => self.records[id.index()] = record,
            Precedence::Neither => {
                let message = format!("`{}` is defined twice", known.name);
                let note = format!("it is defined at {}", self.place_name(other));
                let diagnostic = self.text.error("E0609", message, specifier.span).note(note);
                return Err(self.report(diagnostic));
            }
        }
        Ok(())
    }

    /// A struct without a tag; the same text in another unit is the same struct.
    fn anonymous_record(&mut self, specifier: &RecordSpecifier, members: &[Member]) -> Outcome<RecordId> {
        let position = self.text.position(specifier.span.start);
        let name = format!("(at line {})", position.line);
        let record = self.laid_out(name.clone(), specifier, members)?;
        let text = self.text.slice(specifier.span).to_owned();
        if let Some(id) = self.unit_records.next_anonymous(&text)
            && same_members(&self.records[id.index()], &record)
        {
            return Ok(id);
        }
        let id = self.new_record(name, specifier.is_union);
        self.records[id.index()] = record;
        self.unit_records.add_anonymous(text, id);
        Ok(id)
    }

    fn laid_out(&mut self, name: String, specifier: &RecordSpecifier, members: &[Member]) -> Outcome<Record> {
        let is_packed = has_attribute(&specifier.attributes, "packed");
        let mut parts = Vec::new();
        for (index, member) in members.iter().enumerate() {
            let is_last = index + 1 == members.len();
            match member {
                Member::StaticAssert(assertion) => self.static_assert(assertion),
                Member::Field { specifiers, declarators } => {
                    self.parts(specifiers, declarators, is_packed, is_last, &mut parts)?;
                }
            }
        }
        let aligned = self.alignment_of(&specifier.attributes);
        let pack = self.text.pack(specifier.span.end);
        let Some(layout) = self.layout(&parts, specifier.is_union, aligned, pack) else {
            return Err(self.error("E0619", "this is larger than the memory", specifier.span));
        };
        let mut places = layout.places.iter();
        let (mut fields, mut is_apart) = (Vec::new(), false);
        for part in parts {
            is_apart |= part.width == Some(0);
            if (part.name.is_some() || part.width.is_none())
                && let Some(&(offset, bits)) = places.next()
            {
                fields.push(Field { name: part.name, ty: part.ty, offset, bits, is_apart });
                is_apart = false;
            }
        }
        self.check_names(&fields, specifier.span)?;
        let (size, alignment) = (layout.size, layout.alignment);
        Ok(Record { name, is_union: specifier.is_union, fields: Some(fields), size, alignment })
    }

    fn check_names(&mut self, fields: &[Field], span: Span) -> Outcome<()> {
        let mut names: Vec<&str> = fields.iter().filter_map(|field| field.name.as_deref()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                let message = format!("two members are called `{}`", pair[0]);
                Err(self.error("E0609", message, span))
            }
            None => Ok(()),
        }
    }

    /// The members that one line declares.
    fn parts(
        &mut self,
        specifiers: &Specifiers,
        declarators: &[(Declarator, Option<Expression>)],
        is_packed: bool,
        is_last: bool,
        parts: &mut Vec<Part>,
    ) -> Outcome<()> {
        let base = self.base_type(specifiers, false)?;
        if declarators.is_empty() {
            // An anonymous struct or union; a mere declaration of a tag adds nothing.
            let has_tag = matches!(&specifiers.ty, crate::syntax::TypeSpecifier::Record(record) if record.tag.is_some());
            if self.types.is_record(base) && !has_tag {
                parts.push(Part { name: None, ty: base, width: None, is_packed, aligned: None });
            }
            return Ok(());
        }
        for (declarator, width) in declarators {
            let ty = self.declared_type(base, declarator)?;
            let width = width.as_ref().map(|width| self.bit_width(ty, width)).transpose()?;
            let is_flexible = is_last && matches!(self.types.kind(ty), TypeKind::Array { length: None, .. });
            if self.types.is_function(ty)
                || self.types.is_void(ty)
                || (self.size_of(ty).is_none() && !is_flexible)
            {
                let found = self.describe(ty);
                return Err(self.error(
                    "E0630",
                    format!("a member cannot be of type {found}"),
                    declarator.span,
                ));
            }
            let is_packed = is_packed || has_attribute(&declarator.attributes, "packed");
            let aligned = self.alignment_of(&declarator.attributes);
            let aligned = aligned.max(self.alignment_of(&specifiers.attributes));
            let name = declarator.name.as_ref().map(|name| name.text.to_string());
            parts.push(Part { name, ty, width, is_packed, aligned });
        }
        Ok(())
    }

    fn bit_width(&mut self, ty: TypeId, width: &Expression) -> Outcome<u32> {
        let number = self.integer_constant(width, "the width of a bit-field")?;
        let most = match (self.types.is_bool(ty), self.types.integer_shape(ty)) {
            (true, _) => 1,
            (false, Some((bits, _))) => bits,
            (false, None) => {
                let found = self.describe(ty);
                return Err(self.error(
                    "E0615",
                    format!("a bit-field cannot be of type {found}"),
                    width.span,
                ));
            }
        };
        match u32::try_from(number) {
            Ok(number) if number <= most => Ok(number),
            _ => Err(self.error(
                "E0615",
                format!("the width of this bit-field is not between 0 and {most}"),
                width.span,
            )),
        }
    }

    /// What `aligned(n)` says; of several, the largest.
    pub(super) fn alignment_of(&mut self, attributes: &[Attribute]) -> Option<u64> {
        let aligned = attributes.iter().filter(|attribute| &*attribute.name.text == "aligned");
        aligned.filter_map(|attribute| self.one_alignment(attribute)).max()
    }

    fn one_alignment(&mut self, attribute: &Attribute) -> Option<u64> {
        let Some(argument) = attribute.arguments.first() else { return Some(16) };
        let number = self.integer_constant(argument, "an alignment").ok()?;
        // `_Alignas(0)` says nothing.
        if number == 0 {
            return None;
        }
        let number =
            u64::try_from(number).ok().filter(|number| number.is_power_of_two() && *number < 1 << 28);
        if number.is_none() {
            self.error("E0615", "an alignment has to be a power of two", argument.span);
        }
        number
    }

    /// The type of `enum tag { … }` and `enum tag`.
    pub(super) fn enumeration(&mut self, specifier: &EnumSpecifier) -> Outcome<TypeId> {
        let Some(constants) = &specifier.constants else {
            let Some(tag) = &specifier.tag else {
                return Err(self.error("E0607", "neither a tag nor constants", specifier.span));
            };
            return match self.scopes.tag(&tag.text) {
                Some((Tag::Enum(Some(ty)), _)) => Ok(ty),
                // GCC reads `enum e;` before its definition; it is an int or an unsigned int, which is as wide.
                None | Some((Tag::Enum(None), _)) => Ok(self.types.integer(IntegerWord::Int, false)),
                Some((Tag::Record(_), _)) => {
                    Err(self.error("E0608", format!("`{}` is another kind of tag", tag.text), tag.span))
                }
            };
        };
        let values = self.enumerators(constants)?;
        let ty = self.enumeration_type(&values, specifier.span)?;
        self.declare_enumerators(&values, ty);
        if let Some(tag) = &specifier.tag {
            if let Some((_, other)) = self.scopes.tag_here(&tag.text)
                && self.precedence(other, tag.span) == Precedence::Neither
            {
                let note = format!("it is declared at {}", self.place_name(other));
                let diagnostic =
                    self.text.error("E0609", format!("`{}` is defined twice", tag.text), tag.span);
                return Err(self.report(diagnostic.note(note)));
            }
            self.scopes.declare_tag(tag.text.clone(), Tag::Enum(Some(ty)), tag.span);
        }
        Ok(ty)
    }

    /// The values of the constants. Each is known to those that follow, as an `int` if it fits.
    fn enumerators<'n>(
        &mut self,
        constants: &'n [(Name, Option<Expression>)],
    ) -> Outcome<Vec<(&'n Name, i128)>> {
        let mut values: Vec<(&Name, i128)> = Vec::with_capacity(constants.len());
        let mut next: i128 = 0;
        for (name, value) in constants {
            if let Some(value) = value {
                next = self.integer_constant(value, "the value of an enumeration constant")?;
            }
            if let Some((_, other)) = self.scopes.name_here(&name.text)
                && self.precedence(other, name.span) == Precedence::Neither
            {
                return Err(self.redeclared(name, other));
            }
            let ty = match (i32::try_from(next).is_ok(), i64::try_from(next).is_ok()) {
                (true, _) => self.types.int(),
                (false, true) => self.types.integer(IntegerWord::LongLong, true),
                (false, false) => self.types.integer(IntegerWord::LongLong, false),
            };
            self.declare_enumerator(name, next, ty);
            values.push((name, next));
            next = next.wrapping_add(1);
        }
        Ok(values)
    }

    /// Declares a constant with the bits of its type.
    fn declare_enumerator(&mut self, name: &Name, value: i128, ty: TypeId) {
        let bits = self.types.integer_shape(ty).map_or(32, |(bits, _)| bits);
        let meaning = Meaning::Enumerator(truncate(value as u128, bits), ty);
        self.scopes.declare(name.text.clone(), meaning, name.span);
    }

    fn enumeration_type(&mut self, values: &[(&Name, i128)], span: Span) -> Outcome<TypeId> {
        let least = values.iter().map(|&(_, value)| value).min().unwrap_or(0);
        let most = values.iter().map(|&(_, value)| value).max().unwrap_or(0);
        let candidates = [
            (IntegerWord::Int, 32),
            (IntegerWord::Long, self.data_model.pointer_bits()),
            (IntegerWord::LongLong, 64),
        ];
        for (rank, bits) in candidates {
            if least >= 0 && most < 1 << bits {
                return Ok(self.types.integer(rank, false));
            }
            if least >= -(1 << (bits - 1)) && most < 1 << (bits - 1) {
                return Ok(self.types.integer(rank, true));
            }
        }
        Err(self.error("E0602", "no integer type holds all constants of this enumeration", span))
    }

    /// Constants that do not all fit an `int` have the type of the enumeration.
    fn declare_enumerators(&mut self, values: &[(&Name, i128)], ty: TypeId) {
        let all_fit = values.iter().all(|&(_, value)| i32::try_from(value).is_ok());
        if !all_fit {
            for &(name, value) in values {
                self.declare_enumerator(name, value, ty);
            }
        }
    }
}

pub(super) fn has_attribute(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.name.text.trim_matches('_') == name)
}

/// Whether two definitions of a struct say the same.
fn same_members(a: &Record, b: &Record) -> bool {
    let (Some(left), Some(right)) = (&a.fields, &b.fields) else { return false };
    let same = |(a, b): (&Field, &Field)| {
        a.name == b.name && a.ty == b.ty && a.offset == b.offset && a.bits == b.bits
    };
    a.is_union == b.is_union
        && a.size == b.size
        && left.len() == right.len()
        && left.iter().zip(right).all(same)
}
