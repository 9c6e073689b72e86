//! The types of random programs: integers, arrays, structs, bit-fields and unions; and what is in objects of them.

use crate::choices::{Choices, SplitMix64};

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Int {
    pub(super) name: &'static str,
    pub(super) bits: u32,
}

const fn int(name: &'static str, bits: u32) -> Int {
    Int { name, bits }
}

/// The integer types that are drawn; the last ones are rare.
pub(super) const INTS: [Int; 15] = [
    int("_Bool", 1),
    int("char", 8),
    int("signed char", 8),
    int("unsigned char", 8),
    int("short", 16),
    int("unsigned short", 16),
    int("int", 32),
    int("unsigned", 32),
    int("long", 64),
    int("unsigned long", 64),
    int("long long", 64),
    int("unsigned long long", 64),
    int("enum z_colour", 32),
    int("__int128", 128),
    int("unsigned __int128", 128),
];

/// A type.
#[derive(Clone, Debug)]
pub(super) enum Type {
    Int(Int),
    Array(Box<Type>, usize),
    /// The struct or union with a number.
    Record(usize),
}

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// Empty if it has none.
    pub(super) name: String,
    pub(super) ty: Type,
    /// How wide, if it is a bit-field.
    pub(super) width: Option<u32>,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// `struct z_r0`, `union z_r1`.
    pub(super) name: String,
    pub(super) members: Vec<Member>,
    pub(super) is_union: bool,
    /// No padding, and every pattern of bits is a value: it may be looked at as bytes, and be in unions.
    pub(super) is_dense: bool,
}

/// A scalar in an object.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// How it is named.
    pub(super) path: String,
    pub(super) int: Int,
    /// Whether it is a bit-field: it has no address.
    pub(super) is_bits: bool,
}

/// All structs and unions.
#[derive(Clone, Debug, Default)]
pub(super) struct Types {
    pub(super) records: Vec<Record>,
}

/// Any integer type; those of 128 bits are rare.
pub(super) fn any_int(random: &mut SplitMix64) -> Int {
    let common = INTS.len() - 2;
    INTS[if random.chance(4) { common + random.below(2) } else { random.below(common) }]
}

/// An integer type that has a value for each pattern of bits.
fn full_int(random: &mut SplitMix64) -> Int {
    INTS[1 + random.below(11)]
}

impl Types {
    /// Draws a few structs and unions, each perhaps with those before it in it.
    pub(super) fn draw(random: &mut SplitMix64, n: usize) -> Self {
        let mut types = Self::default();
        for number in 0..n {
            let (members, is_union, is_dense) = match random.below(9) {
                0 | 1 => (types.plain(random), false, false),
                2 | 3 => (bit_fields(random), false, false),
                4 => (same(random), false, true),
                5 => (full_unit(random), false, true),
                _ => (types.union_members(random), true, false),
            };
            let word = if is_union { "union" } else { "struct" };
            let name = format!("{word} z_r{number}");
            types.records.push(Record { name, members, is_union, is_dense });
        }
        types
    }

    fn plain(&self, random: &mut SplitMix64) -> Vec<Member> {
        let n = 1 + random.below(4);
        let member = |number: usize, random: &mut SplitMix64| {
            let ty = match random.below(6) {
                0 => Type::Array(Box::new(Type::Int(any_int(random))), 2),
                1 | 2 if !self.records.is_empty() => Type::Record(random.below(self.records.len())),
                _ => Type::Int(any_int(random)),
            };
            Member { name: format!("m{number}"), ty, width: None }
        };
        (0..n).map(|number| member(number, random)).collect()
    }

    /// Members of a union: dense ones only, since each is read after any other was written.
    fn union_members(&self, random: &mut SplitMix64) -> Vec<Member> {
        let dense: Vec<usize> =
            (0..self.records.len()).filter(|&number| self.records[number].is_dense).collect();
        let n = 2 + random.below(3);
        let member = |number: usize, random: &mut SplitMix64| {
            let (ty, width) = match random.below(6) {
                0 => (Type::Array(Box::new(Type::Int(full_int(random))), 2), None),
                1 | 2 if !dense.is_empty() => (Type::Record(dense[random.below(dense.len())]), None),
                3 if random.chance(40) => (Type::Int(INTS[6 + random.below(2)]), Some(32)),
                _ => (Type::Int(full_int(random)), None),
            };
            Member { name: format!("u{number}"), ty, width }
        };
        (0..n).map(|number| member(number, random)).collect()
    }

    /// How an object of a type is declared.
    pub(super) fn declare(&self, ty: &Type, name: &str) -> String {
        match ty {
            Type::Int(int) => format!("{} {name}", int.name),
            Type::Array(element, length) => self.declare(element, &format!("{name}[{length}]")),
            Type::Record(number) => format!("{} {name}", self.records[*number].name),
        }
    }

    /// The definition of a struct or union.
    pub(super) fn definition(&self, record: &Record) -> String {
        let mut text = format!("{} {{", record.name);
        for member in &record.members {
            text.push(' ');
            text.push_str(&self.declare(&member.ty, &member.name));
            if let Some(width) = member.width {
                text.push_str(&format!(" : {width}"));
            }
            text.push(';');
        }
        text + " };\n"
    }

    /// The scalars in an object.
    pub(super) fn leaves(&self, path: &str, ty: &Type) -> Vec<Leaf> {
        match ty {
            Type::Int(int) => vec![Leaf { path: path.to_owned(), int: *int, is_bits: false }],
            Type::Array(element, length) => {
                (0..*length).flat_map(|index| self.leaves(&format!("{path}[{index}]"), element)).collect()
            }
            Type::Record(number) => {
                let members = self.records[*number].members.iter().filter(|member| !member.name.is_empty());
                let leaves = members.flat_map(|member| {
                    let mut leaves = self.leaves(&format!("{path}.{}", member.name), &member.ty);
                    if member.width.is_some() {
                        leaves.iter_mut().for_each(|leaf| leaf.is_bits = true);
                    }
                    leaves
                });
                leaves.collect()
            }
        }
    }

    /// Whether a struct or union is or has a union.
    pub(super) fn has_union(&self, number: usize) -> bool {
        let record = &self.records[number];
        let inner = |member: &Member| matches!(member.ty, Type::Record(inner) if self.has_union(inner));
        record.is_union || record.members.iter().any(inner)
    }

    /// Whether an object may be looked at as bytes.
    pub(super) fn is_dense(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(int) => int.bits > 1 && int.bits < 128 && !int.name.starts_with("enum"),
            Type::Array(element, _) => self.is_dense(element),
            Type::Record(number) => self.records[*number].is_dense,
        }
    }

    /// An initialiser, with designators and gaps.
    pub(super) fn initialiser(&self, random: &mut SplitMix64, ty: &Type) -> String {
        match ty {
            Type::Int(_) => literal(random),
            Type::Array(element, length) => {
                let mut items = Vec::new();
                for index in 0..*length {
                    if random.chance(40) {
                        items.push(format!("[{index}] = {}", self.initialiser(random, element)));
                    } else if items.len() == index && items.iter().all(|item: &String| !item.starts_with('['))
                    {
                        items.push(self.initialiser(random, element));
                    }
                }
                format!("{{ {} }}", if items.is_empty() { "0".to_owned() } else { items.join(", ") })
            }
            Type::Record(number) => {
                let record = &self.records[*number];
                let named = record.members.iter().filter(|member| !member.name.is_empty());
                let mut named: Vec<&Member> = named.collect();
                if record.is_union {
                    // What a smaller member leaves is unspecified but for static objects: the first is drawn mostly.
                    let first = random.below(named.len());
                    named.rotate_left(first);
                    named.truncate(1);
                } else if random.chance(30) {
                    named.reverse();
                }
                let count = 1 + random.below(named.len());
                let items = named
                    .iter()
                    .take(count)
                    .map(|member| format!(".{} = {}", member.name, self.initialiser(random, &member.ty)));
                format!("{{ {} }}", items.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Bit-fields of all kinds, with gaps, and perhaps ordinary members between them.
fn bit_fields(random: &mut SplitMix64) -> Vec<Member> {
    const BASES: [Int; 10] =
        [INTS[0], INTS[2], INTS[3], INTS[4], INTS[5], INTS[6], INTS[7], INTS[7], INTS[8], INTS[9]];
    let mut members = Vec::new();
    for number in 0..2 + random.below(5) {
        if random.chance(12) {
            let base = BASES[1 + random.below(BASES.len() - 1)];
            let width = if random.chance(50) { 0 } else { 1 + random.below(base.bits as usize) as u32 };
            members.push(Member { name: String::new(), ty: Type::Int(base), width: Some(width) });
        }
        let base = BASES[random.below(BASES.len())];
        // The types of bit-fields between `int` and `long` are not the same for all compilers.
        let bits = if base.bits > 32 && random.chance(80) { 32 } else { base.bits };
        let width = match random.below(8) {
            0 => None,
            1 => Some(base.bits),
            2 | 3 => Some(1 + random.below(base.bits.min(5) as usize) as u32),
            _ if bits > 32 => Some(bits),
            _ => Some(1 + random.below(bits as usize) as u32),
        };
        members.push(Member { name: format!("b{number}"), ty: Type::Int(base), width });
    }
    members
}

/// Members of one type.
fn same(random: &mut SplitMix64) -> Vec<Member> {
    let int = full_int(random);
    let member = |number: usize, random: &mut SplitMix64| {
        let is_array = random.chance(30);
        let ty = if is_array { Type::Array(Box::new(Type::Int(int)), 2) } else { Type::Int(int) };
        Member { name: format!("s{number}"), ty, width: None }
    };
    (0..2 + random.below(2)).map(|number| member(number, random)).collect()
}

/// Bit-fields that fill a unit.
fn full_unit(random: &mut SplitMix64) -> Vec<Member> {
    let pair = [4, 6, 8][random.below(3)];
    let mut left = INTS[pair].bits;
    let mut members = Vec::new();
    while left > 0 {
        let most = left.min(32);
        let width = if members.len() > 2 { most } else { 1 + random.below(most as usize) as u32 };
        let ty = Type::Int(INTS[pair + random.below(2)]);
        members.push(Member { name: format!("f{}", members.len()), ty, width: Some(width) });
        left -= width;
    }
    members
}

/// A constant.
pub(super) fn literal(random: &mut SplitMix64) -> String {
    const LITERALS: [&str; 26] = [
        "0",
        "1",
        "2",
        "3",
        "-1",
        "7",
        "100",
        "255",
        "128",
        "-128",
        "-129",
        "256",
        "65535",
        "-32768",
        "0x7fffffff",
        "2147483648u",
        "(-2147483647 - 1)",
        "'a'",
        "'\\xff'",
        "z_GREEN",
        "-7ll",
        "0xdeadbeefcafeull",
        "0x8000000000000000ull",
        "sizeof(struct z_bytes)",
        "0x12345678",
        "-5l",
    ];
    LITERALS[random.below(LITERALS.len())].to_owned()
}
