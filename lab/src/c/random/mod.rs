//! Random C programs of one thread without undefined behaviour, as far as `-fwrapv` defines it.
//!
//! They compute with all integer types, bit-fields, structs, unions, arrays, pointers into them, bytes of objects, function
//! calls, jumps and macros, and leave everything in global variables: `z_sum`, into which values are mixed on the way, and
//! `z_o0`, `z_o1`, …, the final values of all scalars. These are what is compared. Whatever could be undefined is excluded by
//! construction: divisors are not zero and quotients fit, shift distances are smaller than the width, indices are masked, loops count
//! to a constant, no expression has two side effects on one object or a side effect and a read of it without a sequence point between
//! them, and bytes are looked at only where there is no padding and every pattern of bits is a value.
//!
//! * `types` draws structs and unions, and says which scalars are in an object;
//! * `expression` draws values, `statement` what is done, `memory` what is done through pointers and with bytes, `function` functions,
//!   `jumps` jumps of odd forms;
//! * `fixtures` has what need not be drawn: layouts, atomic structs, recursion, texts.
//!
//! All names at file scope begin with `z_`, so that several programs can be put into one file.

mod expression;
mod fixtures;
mod function;
mod jumps;
mod memory;
mod statement;
mod types;

use super::tree::{Node, node};
use crate::choices::{Choices, SplitMix64};
use fixtures::Fixtures;
use function::Function;
use types::{Leaf, Type, Types, any_int};

/// Where a statement for the end of `main` can be put.
pub const END: &str = "/* end */";

/// A program, and the variables whose final values are compared.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The program, without anything that prints.
    pub tree: Node,
    /// What is compared: global variables of type `unsigned long long`.
    pub observed: Vec<String>,
}

impl Generated {
    /// The text of the program.
    pub fn text(&self) -> String {
        self.tree.text()
    }
}

/// A variable that is more than a scalar.
#[derive(Clone, Debug)]
struct Object {
    name: String,
    ty: Type,
}

/// Where statements may jump.
#[derive(Clone, Copy, Debug, Default)]
struct Within {
    is_loop: bool,
    is_switch: bool,
}

struct Writer {
    random: SplitMix64,
    types: Types,
    /// Global scalars and objects.
    globals: (Vec<Leaf>, Vec<Object>),
    /// Scalars that can be read and written here.
    scalars: Vec<Leaf>,
    /// Structs, unions and arrays that can be used here.
    objects: Vec<Object>,
    /// Scalars that can only be read here.
    constants: Vec<String>,
    /// Pointers to an int that point to something.
    pointers: Vec<String>,
    functions: Vec<Function>,
    /// Variables for side effects in expressions, each not used otherwise in the same expression.
    effects: Vec<String>,
    /// Numbers of labels and of local variables, so that each has a name of its own.
    fresh: usize,
    within: Within,
    fixed: Fixtures,
    /// How many statements of the function are left, so that programs stay small.
    left: usize,
}

/// What every program begins with.
const PROLOGUE: &str = "\
void *memcpy(void *, const void *, unsigned long);
void *memmove(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long);
#define z_ADD(a, b) ((a) + (b))
#define z_MAX(a, b) ((a) > (b) ? (a) : (b))
#define z_CAT(a, b) a##b
#define z_NAME(a) z_CAT(z_, a)
#define z_FIRST(a, ...) (a)
#define z_LENGTH(s) (sizeof(#s) - 1)
#if defined(z_ADD) && (1 ? 2 : 0) == 2 && -1 < 0
#define z_OFFSET(t, m) __builtin_offsetof(t, m)
#else
#error this is not reached
#endif
#define z_CONTAINER(p, t, m) ((t *)((char *)(p) - z_OFFSET(t, m)))
enum z_colour { z_RED, z_GREEN = 5, z_BLUE };
struct z_bytes { short low; unsigned char bytes[4]; };
unsigned long long z_sum;
static void z_mix(unsigned long long v) { z_sum = z_sum * 31 + v; }
static void z_copy(void *to, const void *from, unsigned long n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    while (n--) *t++ = *f++;
}
";

/// Draws a program.
pub fn generate(seed: u64) -> Generated {
    let mut random = SplitMix64::new(seed);
    let n_records = 1 + random.below(4);
    let types = Types::draw(&mut random, n_records);
    let mut writer = Writer {
        random,
        types,
        globals: Default::default(),
        scalars: Vec::new(),
        objects: Vec::new(),
        constants: Vec::new(),
        pointers: Vec::new(),
        functions: Vec::new(),
        effects: Vec::new(),
        fresh: 0,
        within: Within::default(),
        fixed: Fixtures::default(),
        left: 0,
    };
    let mut program = node!(Fixed: PROLOGUE);
    let declarations = writer.declarations();
    program.push(declarations);
    let fixtures = writer.fixtures();
    program.push(fixtures);
    if writer.fixed.recursive {
        let recursive = writer.recursive();
        program.push(recursive);
    }
    for number in 0..1 + writer.below(3) {
        let function = writer.function(number);
        program.push(function);
    }
    let (main, observed) = writer.main();
    program.push(main);
    Generated { tree: program, observed }
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.random.chance(percent)
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() { None } else { Some(list[self.random.below(list.len())].clone()) }
    }

    fn word(&mut self, list: &[&'static str]) -> &'static str {
        list[self.random.below(list.len())]
    }

    fn fresh(&mut self, what: &str) -> String {
        self.fresh += 1;
        format!("{what}{}", self.fresh)
    }

    /// Declares types and global variables.
    fn declarations(&mut self) -> Node {
        let mut text = node!(Fixed:);
        for record in &self.types.records {
            text.push(node!(Statement: self.types.definition(record)));
        }
        for number in 0..3 + self.below(4) {
            let int = any_int(&mut self.random);
            let qualifier = self.word(&["", "", "", "", "static ", "volatile ", "_Atomic "]);
            // Atomic operations on 128 bits are in another library.
            let qualifier = if int.bits == 128 { "" } else { qualifier };
            let initial = types::literal(&mut self.random);
            let name = format!("z_g{number}");
            let value = if self.chance(70) { format!(" = {initial}") } else { String::new() };
            text.push(node!(Statement: format!("{qualifier}{} {name}{value};\n", int.name)));
            let is_bits = !qualifier.is_empty() && qualifier != "static ";
            // Qualified objects are treated as bit-fields: nothing points to them.
            self.globals.0.push(Leaf { path: name, int, is_bits });
        }
        let int = any_int(&mut self.random);
        let mut objects = vec![("z_array".to_owned(), Type::Array(Box::new(Type::Int(int)), 4))];
        let int = any_int(&mut self.random);
        let rows = Type::Array(Box::new(Type::Array(Box::new(Type::Int(int)), 2)), 2);
        objects.push(("z_rows".to_owned(), rows));
        for number in 0..self.types.records.len() {
            objects.push((format!("z_v{number}"), Type::Record(number)));
            match self.below(4) {
                0 => objects.push((format!("z_w{number}"), Type::Record(number))),
                1 => {
                    objects.push((format!("z_w{number}"), Type::Array(Box::new(Type::Record(number)), 2)));
                }
                _ => {}
            }
        }
        for (name, ty) in objects {
            let declared = self.types.declare(&ty, &name);
            let value = if self.chance(60) {
                format!(" = {}", self.types.initialiser(&mut self.random, &ty))
            } else {
                String::new()
            };
            text.push(node!(Statement: format!("{declared}{value};\n")));
            let leaves = self.types.leaves(&name, &ty);
            self.globals.0.extend(leaves);
            self.globals.1.push(Object { name, ty });
        }
        text.push("int z_cell = 3, z_run[8] = { 1, -2, 3, [5] = 9 };\n");
        let int = types::INTS[6];
        self.globals.0.push(Leaf { path: "z_cell".to_owned(), int, is_bits: false });
        text
    }

    /// What `main` does, and then all values, each in a variable of its own.
    fn main(&mut self) -> (Node, Vec<String>) {
        let body = self.body(&[], 4 + 2);
        let mut leaves: Vec<Leaf> = self.globals.0.clone();
        for index in 0..8 {
            let path = format!("z_run[{index}]");
            leaves.push(Leaf { path, int: types::INTS[6], is_bits: false });
        }
        // Too many of them cost more than they find.
        while leaves.len() > 30 {
            let index = self.below(leaves.len());
            leaves.swap_remove(index);
        }
        let mut observed = vec!["z_sum".to_owned()];
        let (mut declared, mut assigned) = (node!(Fixed:), node!(Fixed:));
        for (number, leaf) in leaves.iter().enumerate() {
            let name = format!("z_o{number}");
            declared.push(format!("unsigned long long {name};\n"));
            let value =
                if leaf.int.bits == 128 { format!("{0} ^ {0} >> 64", leaf.path) } else { leaf.path.clone() };
            assigned.push(node!(Statement: format!("    {name} = {value};\n")));
            observed.push(name);
        }
        let end = format!("    {END}\n    return 0;\n}}\n");
        (node!(Fixed: declared, "int main(void) {\n", body, assigned, end), observed)
    }
}
