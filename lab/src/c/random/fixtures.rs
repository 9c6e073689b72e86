//! What is declared in the same way in every program that has it, since drawing its shape would find nothing: atomic structs, layouts
//! that attributes change, members of unnamed structs and unions, long arrays, functions that call themselves, that are called before
//! `main`, that count their calls. What is done with them is drawn.

use super::expression::DEPTH;
use super::types::{INTS, Int, Leaf, Type};
use super::{Object, Writer};
use crate::c::tree::{Node, node};

/// Which of them a program has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fixtures {
    pub(super) atomic: bool,
    pub(super) layout: bool,
    pub(super) unnamed: bool,
    pub(super) long: bool,
    pub(super) calls: bool,
    pub(super) recursive: bool,
}

/// A struct without padding, of a size that processors copy at once.
const ATOMIC: &str = "\
struct z_pair { int a; short b; unsigned short c; };
_Atomic struct z_pair z_ap = { 1, -2, 3 };
static _Atomic(struct z_pair) z_aq;
struct z_pair z_pl = { 4, 5, 6 };
";

const LAYOUT: &str = "\
struct __attribute__((packed)) z_packed { char a; int b; short c; unsigned d : 3; long e; } z_pk = { 1, -2, 3, 5, -7 };
struct z_aligned { char a; _Alignas(8) signed char b; short c __attribute__((aligned(16))); char d; } z_al = { .c = 9 };
#pragma pack(push, 2)
struct z_squeezed { char a; int b; long c; } z_sq = { .b = 70000 };
#pragma pack(pop)
typedef int z_wide __attribute__((aligned(8)));
struct z_spread { char a; z_wide b; char c; } z_sp;
";

const UNNAMED: &str = "\
struct z_unnamed {
    short k;
    union { int w; unsigned char b[4]; struct { unsigned lo : 16, hi : 16; }; };
    struct { signed char x; struct { short y, z; }; };
} z_un = { .b = { 1, [3] = 0x80 }, .z = 6 }, z_um = { 2, { 77 }, { 1, { 2, 3 } } };
";

const LONG: &str = "static short z_long[300] = { 3, [255] = 8, [256 ... 259] = -4, [299] = 1 };\n";

const CALLS: &str = "\
static unsigned z_count = 1;
static unsigned z_next(void) { return ++z_count; }
static int z_add3(int a, int b, int c) { return a + 2 * b + 3 * c; }
static int z_twice(int a) { return a * 2; }
static int z_less(int a) { return a - 7; }
static int (*z_by)(int) = z_twice;
struct z_ops { int (*f)(int); int n; } z_op = { z_less, 2 };
static int z_partly(int a) { if (a & 1) return a; z_mix(a); }
static void z_clean(int *p) { z_mix(*p + 1); }
__attribute__((constructor(102))) static void z_later(void) { z_count = z_count * 3 + 1; }
__attribute__((constructor(101))) static void z_early(void) { z_count += 4; }
static char z_text[8] = \"ab\\0cd\";
static const char *const z_words[3] = { \"one\", \"tw\" \"o\", \"\\x41\\0z\" };
";

const INT: Int = INTS[6];

impl Writer {
    /// Declares some of them.
    pub(super) fn fixtures(&mut self) -> Node {
        self.fixed = Fixtures {
            atomic: self.chance(25),
            layout: self.chance(25),
            unnamed: self.chance(25),
            long: self.chance(15),
            calls: self.chance(50),
            recursive: self.chance(30),
        };
        let mut text = node!(Fixed:);
        let Fixtures { atomic, layout, unnamed, long, calls, .. } = self.fixed;
        // Nothing points to what attributes put at odd addresses, nor into unnamed members.
        let mut add = |declared: &str, leaves: &[(&str, Int)], is_bits: bool| {
            text.push(declared);
            let leaves = leaves.iter().map(|&(path, int)| Leaf { path: path.to_owned(), int, is_bits });
            self.globals.0.extend(leaves);
        };
        if atomic {
            add(ATOMIC, &[("z_pl.a", INT), ("z_pl.b", INTS[4]), ("z_pl.c", INTS[5])], false);
        }
        if layout {
            add(
                LAYOUT,
                &[
                    ("z_pk.a", INTS[1]),
                    ("z_pk.b", INT),
                    ("z_pk.c", INTS[4]),
                    ("z_pk.d", INTS[7]),
                    ("z_pk.e", INTS[8]),
                    ("z_al.b", INTS[2]),
                    ("z_al.c", INTS[4]),
                    ("z_sq.b", INT),
                    ("z_sq.c", INTS[8]),
                    ("z_sp.b", INT),
                    ("z_sp.c", INTS[1]),
                ],
                true,
            );
        }
        if unnamed {
            add(
                UNNAMED,
                &[
                    ("z_un.k", INTS[4]),
                    ("z_un.w", INT),
                    ("z_un.b[1]", INTS[3]),
                    ("z_un.hi", INTS[7]),
                    ("z_un.y", INTS[4]),
                    ("z_um.w", INT),
                    ("z_um.lo", INTS[7]),
                    ("z_um.z", INTS[4]),
                ],
                true,
            );
        }
        if long {
            add(LONG, &[("z_long[0]", INTS[4]), ("z_long[257]", INTS[4]), ("z_long[299]", INTS[4])], false);
        }
        if calls {
            // What counts calls is read by nobody else, since there would be an order between the two.
            add(CALLS, &[("z_op.n", INT), ("z_text[1]", INTS[1])], false);
        }
        text
    }

    /// Functions that call themselves, or each other; how deep is a constant.
    pub(super) fn recursive(&mut self) -> Node {
        self.scalars.clear();
        self.objects.clear();
        self.pointers.clear();
        self.effects.clear();
        self.constants = ["n", "a", "v"].map(str::to_owned).to_vec();
        let (first, second, last) = (self.full(DEPTH - 1), self.full(DEPTH - 1), self.full(1));
        let third = self.full(1);
        self.constants = vec!["n".to_owned(), "a".to_owned()];
        let (own, base) = self.two(2, 1);
        let ty = super::any_int(&mut self.random).name;
        // Numbers count down in different ways; variables of a call are used after those of the calls in it.
        let step = self.word(&["n - 1", "n / 2", "n - 2"]);
        node!(Fixed:
            format!("static long z_odd(int n, {ty} a);\n"),
            format!("static long z_even(int n, {ty} a) {{\n    int v = "), own, ", kept[2] = { a, n };\n",
            "    if (n <= 0) return ", base, format!(";\n    long r = z_odd({step}, ({ty})("), first,
            "));\n    kept[n & 1] += v;\n    return r + kept[0] * 3 + kept[1] + v + (", last,
            format!(");\n}}\nstatic long z_odd(int n, {ty} a) {{\n    int v = n ^ 5;\n    if (n <= 0) return v;\n    z_mix(v);\n"),
            "    return z_even(n - 1, ", second, ") - v + (", third, ");\n}\n",
            "static int z_sum_to(int n) { return n ? n + z_sum_to(n - 1) : 0; }\n",
            "static unsigned z_fib(int n) {\n    if (n < 2) return n;\n    unsigned a = z_fib(n - 1);\n",
            "    return a + z_fib(n - 2);\n}\n",
        )
    }

    /// Something with one of them.
    pub(super) fn with_fixture(&mut self) -> Node {
        let Fixtures { atomic, layout, unnamed, long, calls, recursive } = self.fixed;
        let mut kinds = Vec::new();
        for (is_there, kind) in
            [(atomic, 0), (layout, 1), (unnamed, 2), (long, 3), (calls, 4), (calls, 5), (recursive, 6)]
        {
            if is_there {
                kinds.push(kind);
            }
        }
        match self.pick(&kinds) {
            Some(0) => self.atomic_struct(),
            Some(1) => self.laid_out(),
            Some(2) => self.in_unnamed(),
            Some(3) => self.in_long(),
            Some(4) => self.calling(),
            Some(5) => self.text(),
            Some(_) => self.recursing(),
            None => node!(Statement: "z_mix(", self.full(2), ");\n"),
        }
    }

    fn atomic_struct(&mut self) -> Node {
        let name = self.word(&["z_ap", "z_aq"]);
        let (a, b) = self.two(2, 1);
        let local = self.fresh("as");
        // Functions that take atomic structs through pointers are refused: few of them are enough to see when they are not.
        let most = if self.chance(10) { 7 } else { 3 };
        match self.below(most) {
            0 => {
                node!(Statement:
                    format!("{{ struct z_pair {local} = {name}; {local}.b = "), a,
                    format!("; {name} = {local}; z_mix({local}.b); }}\n"),
                )
            }
            1 => node!(Statement: format!("{name} = (struct z_pair){{ "), a, ", .c = ", b, " };\n"),
            2 => node!(Statement: format!("z_pl = z_ap = z_aq; z_mix(z_pl.a + (long)("), a, "));\n"),
            3 => {
                node!(Statement:
                    format!("{{ struct z_pair {local}; __atomic_load(&{name}, &{local}, 5); z_mix({local}.a); z_mix({local}.c - ("),
                    a, ")); }\n",
                )
            }
            4 => {
                node!(Statement:
                    format!("{{ struct z_pair {local} = {{ "), a, ", 1, ", b,
                    format!(" }}; __atomic_exchange(&{name}, &z_pl, &{local}, 5); z_mix({local}.b); }}\n"),
                )
            }
            5 => {
                node!(Statement:
                    format!("{{ struct z_pair {local} = {name}, n{local} = z_pl; {local}.a += ("), a,
                    format!(") & 1; z_mix(__atomic_compare_exchange(&{name}, &{local}, &n{local}, 0, 5, 5)); z_mix({local}.a); }}\n"),
                )
            }
            _ => node!(Statement: format!("__atomic_store(&{name}, &z_pl, 5); z_pl.a = "), a, ";\n"),
        }
    }

    fn laid_out(&mut self) -> Node {
        let value = self.full(2);
        match self.below(5) {
            0 => {
                let member = self.word(&["b", "c", "e"]);
                node!(Statement: format!("z_pk.{member} += "), value, format!("; z_mix(z_pk.{member});\n"))
            }
            1 => node!(Statement:
                "z_mix(sizeof(struct z_packed) + 3 * sizeof(struct z_aligned) + 5 * sizeof(struct z_squeezed) + 7 * sizeof(z_sp) + z_OFFSET(struct z_aligned, c) * (",
                value, "));\n"),
            2 => {
                let member = self.word(&["a", "b", "c", "d"]);
                node!(Statement: format!("z_mix(z_OFFSET(struct z_aligned, {member})); z_al.{member} = "), value, ";\n")
            }
            3 => {
                let copy = self.fresh("pk");
                node!(Statement:
                    format!("{{ struct z_packed {copy} = z_pk; {copy}.d = "), value,
                    format!("; z_pk = {copy}; z_mix({copy}.e + {copy}.d); }}\n"),
                )
            }
            _ => {
                let pointer = self.fresh("sq");
                node!(Statement:
                    format!("{{ struct z_squeezed *{pointer} = &z_sq; {pointer}->c = {pointer}->b - ("), value,
                    format!("); z_mix((char *)&{pointer}->c - (char *)&{pointer}->b); z_mix(_Alignof(struct z_spread)); }}\n"),
                )
            }
        }
    }

    fn in_unnamed(&mut self) -> Node {
        let (value, index) = self.two(2, 1);
        let pointer = self.fresh("un");
        match self.below(4) {
            0 => {
                node!(Statement: "z_un.b[(", index, ") & 3] = ", value, "; z_mix(z_un.w); z_mix(z_un.lo);\n")
            }
            1 => {
                node!(Statement:
                    format!("{{ struct z_unnamed *{pointer} = (("), index,
                    format!(") & 1) ? &z_un : &z_um; {pointer}->hi = "), value,
                    format!("; {pointer}->y++; z_mix({pointer}->b[2] + {pointer}->w); }}\n"),
                )
            }
            2 => node!(Statement: "z_um = z_un; z_um.lo -= ", value, "; z_mix(z_um.w + z_um.x);\n"),
            _ => {
                node!(Statement:
                    "z_un = (struct z_unnamed){ .x = 3, .w = ", value, ", .y = 4 }; z_mix(z_un.hi ^ z_un.z);\n",
                )
            }
        }
    }

    fn in_long(&mut self) -> Node {
        let (value, index) = self.two(2, 1);
        let (counter, sum) = (self.fresh("i"), self.fresh("m"));
        match self.below(4) {
            0 => node!(Statement: "z_long[(", index, ") & 255] = ", value, ";\n"),
            1 => node!(Statement: "z_mix(z_long[44 + ((", index, ") & 255)] += ", value, ");\n"),
            2 => {
                node!(Statement:
                    format!("{{ long {sum} = 0; for (int {counter} = 0; {counter} < 300; {counter} += 1 + ("),
                    index, format!(" & 7)) {sum} += z_long[{counter}] * {counter}; z_mix({sum}); }}\n"),
                )
            }
            _ => {
                node!(Statement:
                    format!("{{ short *{counter} = z_long + 250; {counter}[("), index, ") & 31] ^= ", value,
                    format!("; z_mix(*({counter} + 9) - {counter}[-1]); }}\n"),
                )
            }
        }
    }

    /// Calls whose order is open, though all orders give the same; through pointers; with what is not returned.
    fn calling(&mut self) -> Node {
        let (a, b) = self.two(2, 1);
        let name = self.fresh("cf");
        match self.below(9) {
            0 => node!(Statement: "z_mix((z_next() + z_next()) * (", a, "));\n"),
            1 => node!(Statement: "z_mix(z_next() * z_next() ^ (", a, "));\n"),
            2 => node!(Statement: "z_mix(z_add3(", a, ", z_next(), ", b, "));\n"),
            3 => node!(Statement: "z_by = (", a, ") ? z_twice : &z_less; z_mix((*z_by)(", b, "));\n"),
            4 => node!(Statement: "z_op.f = z_by; z_mix((**z_op.f)(", a, ") + z_op.n);\n"),
            5 => {
                node!(Statement:
                    format!("{{ int (**{name})(int) = &z_op.f; struct z_ops o{name} = {{ z_twice, "), a,
                    format!(" }}; z_mix((*{name})(o{name}.n)); z_op = o{name}; z_mix(z_op.f("), b, ")); }\n",
                )
            }
            6 => node!(Statement: "z_partly(", a, "); z_mix(z_partly((", b, ") | 1));\n"),
            7 => {
                let target = self.below(8);
                node!(Statement:
                    format!("{{ unsigned long {name} = (unsigned long)&z_run[{target}] | (("), a,
                    format!(") & 3); z_mix({name} & 3); *(int *)({name} & ~3ul) += "), b,
                    format!("; if ({name} & 1) z_mix(((int *)({name} - ({name} & 3)))[0]); }}\n"),
                )
            }
            _ => {
                let depth = 1 + self.below(2);
                let inner = self.block(depth - 1);
                node!(Statement:
                    format!("{{ __attribute__((cleanup(z_clean))) int {name} = "), a,
                    format!("; int o{name} __attribute__((__cleanup__(z_clean))) = "), b, ";\n", inner,
                    format!("{name}++; }}\n"),
                )
            }
        }
    }

    /// Texts, and what the library does with them.
    fn text(&mut self) -> Node {
        let (a, b) = self.two(1, 1);
        let name = self.fresh("tx");
        match self.below(8) {
            0 => node!(Statement: "z_mix(__builtin_strlen(z_words[(", a, ") & 1]) + (", b, "));\n"),
            1 => {
                node!(Statement:
                    format!("for (const char *{name} = z_words[(("), a,
                    format!(") & 3) % 3]; *{name}; {name}++) z_mix(*{name} ^ ("), b, "));\n",
                )
            }
            2 => node!(Statement: "z_text[(", a, ") & 7] = ", b, "; z_mix(z_text[0] + z_text[3]);\n"),
            3 => {
                node!(Statement:
                    format!("{{ char {name}[6] = \"x\\377z\"; {name}[("), a, ") & 3] += ", b,
                    format!("; z_mix({name}[1]); z_mix(sizeof {name} + {name}[5]); }}\n"),
                )
            }
            4 => {
                let function = self.word(&["popcount", "parity", "ffs", "bswap32"]);
                node!(Statement: format!("z_mix(__builtin_{function}("), a, "));\n")
            }
            5 => {
                let function = self.word(&["clzll", "ctzll"]);
                node!(Statement: format!("z_mix(__builtin_{function}(("), a, ") | 0x100ull));\n")
            }
            6 => {
                let (function, ty) = (self.word(&["add", "sub", "mul"]), super::any_int(&mut self.random));
                // What the library does for 128 bits is another library's.
                let ty = if ty.bits == 128 || ty.bits == 1 || ty.name.starts_with("enum") { INT } else { ty };
                node!(Statement:
                    format!("{{ {} {name}; z_mix(__builtin_{function}_overflow((int)(", ty.name), a,
                    "), (long)(", b, format!("), &{name})); z_mix({name}); }}\n"),
                )
            }
            _ => {
                node!(Statement:
                    format!("{{ unsigned short {name}[] = u\"q\\u00e9r\"; z_mix({name}[("), a,
                    format!(") & 3] + sizeof {name} / sizeof *{name}); z_mix(L\"mn\"[("), b, ") & 1]); }\n",
                )
            }
        }
    }

    fn recursing(&mut self) -> Node {
        let (depth, value) = (self.below(6), self.full(2));
        match self.below(4) {
            0 => node!(Statement: format!("z_mix(z_even({depth}, "), value, "));\n"),
            1 => node!(Statement: self.scalar(), format!(" = z_odd({depth}, "), value, ");\n"),
            2 => node!(Statement: format!("z_mix(z_sum_to({depth}) + ("), value, "));\n"),
            _ => node!(Statement: format!("z_mix(z_fib({}) ^ (", depth.min(5)), value, "));\n"),
        }
    }

    /// An object for each array that is too long to look at all of it.
    pub(super) fn long_objects(&mut self) {
        if self.fixed.long && self.chance(30) {
            // Only its first elements are indexed.
            let ty = Type::Array(Box::new(Type::Int(INTS[4])), 256);
            self.objects.push(Object { name: "z_long".to_owned(), ty });
        }
    }
}
