//! Random C programs of one thread without undefined behaviour, as far as `-fwrapv` defines it.
//!
//! They compute with all integer types, structs, arrays, pointers and function calls, and leave everything in global
//! variables `g0`, `g1`, …, whose final values are what is compared. Whatever could be undefined is excluded by
//! construction: divisors are from 1 to 16, shift distances from 0 to 7, indices are masked, loops count to a constant,
//! and no expression has two side effects without a sequence point between them.

use crate::choices::Choices;
use std::fmt::Write;

/// The integer types that are drawn.
const TYPES: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// How deep expressions are nested.
const DEPTH: usize = 4;
/// How long arrays are: a power of two, for masks.
const LENGTH: usize = 4;

/// A program, and the scalars whose final values are compared: each a C expression and the name that the control-flow
/// graph has for it, with the number of the scalar.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The program, without anything that prints.
    pub text: String,
    /// What is compared: the expression, the variable's name, and the number of the scalar.
    pub observed: Vec<(String, String, usize)>,
}

struct Writer<'c> {
    choices: &'c mut dyn Choices,
    text: String,
    /// Scalars that can be read and written here.
    scalars: Vec<String>,
    /// Pointers that point to a scalar of type `int`.
    pointers: Vec<String>,
    /// Functions that may be called: those before this one, which take two ints and a pointer to an int.
    functions: usize,
    labels: usize,
    loops: usize,
    indent: usize,
}

/// Draws a program.
pub fn generate(choices: &mut dyn Choices) -> Generated {
    let mut writer = Writer {
        choices,
        text: String::new(),
        scalars: Vec::new(),
        pointers: Vec::new(),
        functions: 0,
        labels: 0,
        loops: 0,
        indent: 0,
    };
    let observed = writer.globals();
    let globals = writer.scalars.clone();
    for index in 0..1 + writer.choices.below(3) {
        writer.function(index, &globals);
    }
    writer.main(&globals, &observed);
    Generated { text: writer.text, observed }
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * self.indent);
    }

    fn pick<'a>(&mut self, list: &'a [String]) -> &'a str {
        &list[self.choices.below(list.len())]
    }

    fn ty(&mut self) -> &'static str {
        TYPES[self.choices.below(TYPES.len())]
    }

    /// Declares global variables; returns what is observed.
    fn globals(&mut self) -> Vec<(String, String, usize)> {
        let mut observed = Vec::new();
        self.line("enum colour { RED, GREEN = 5, BLUE };");
        self.line("struct inner { short low; unsigned char bytes[4]; };");
        self.line("struct outer { int x; struct inner in; enum colour c; };");
        for index in 0..4 + self.choices.below(4) {
            let ty = self.ty();
            let value = self.literal();
            self.line(&format!("{ty} g{index} = {value};"));
            self.scalars.push(format!("g{index}"));
            observed.push((format!("g{index}"), format!("g{index}"), 0));
        }
        let ty = self.ty();
        let (a, b) = (self.literal(), self.literal());
        self.line(&format!("{ty} array[{LENGTH}] = {{ {a}, [2] = {b} }};"));
        self.line("struct outer s = { .in = { .bytes = { 1, 2 } }, .x = -3 };");
        self.line("struct outer pair[2];");
        self.line("int cell;");
        for element in 0..LENGTH {
            observed.push((format!("array[{element}]"), "array[]".to_owned(), element));
            observed.push((format!("s.in.bytes[{element}]"), "s.in.bytes[]".to_owned(), element));
        }
        for (place, name, element) in [
            ("s.x", "s.x", 0),
            ("s.in.low", "s.in.low", 0),
            ("s.c", "s.c", 0),
            ("cell", "cell", 0),
            ("pair[0].x", "pair[].x", 0),
            ("pair[1].x", "pair[].x", 1),
            ("pair[1].in.low", "pair[].in.low", 1),
        ] {
            observed.push((place.to_owned(), name.to_owned(), element));
            self.scalars.push(place.to_owned());
        }
        observed
    }

    /// A function of two ints and a pointer.
    fn function(&mut self, index: usize, globals: &[String]) {
        let result = self.ty();
        self.line(&format!("static {result} f{index}(int a, unsigned char b, int *p) {{"));
        self.body(globals, &["a", "b"], Some("p"), 3);
        let value = self.expression(DEPTH - 1);
        self.indent = 1;
        self.line(&format!("return {value};"));
        self.indent = 0;
        self.line("}");
        self.functions = index + 1;
    }

    fn main(&mut self, globals: &[String], observed: &[(String, String, usize)]) {
        self.line("int main(void) {");
        // What is never written is a constant, and no variable in the graph.
        self.indent = 1;
        observed.iter().for_each(|(place, _, _)| self.line(&format!("{place} |= 0;")));
        self.body(globals, &[], None, 6);
        self.indent = 1;
        self.line("return 0;");
        self.indent = 0;
        self.line("}");
    }

    /// Declarations and statements of a function.
    fn body(&mut self, globals: &[String], parameters: &[&str], pointer: Option<&str>, n_statements: usize) {
        self.indent = 1;
        self.scalars = globals.to_vec();
        self.scalars.extend(parameters.iter().map(|&name| name.to_owned()));
        self.pointers = pointer.map(str::to_owned).into_iter().collect();
        self.loops = 0;
        for index in 0..1 + self.choices.below(3) {
            let (ty, value) = (self.ty(), self.expression(2));
            self.line(&format!("{ty} l{index} = {value};"));
            self.scalars.push(format!("l{index}"));
        }
        self.line("int own = 1; struct outer copy = s;");
        self.line("int *q = &own;");
        self.scalars.extend(["own", "copy.x", "copy.in.low"].map(str::to_owned));
        self.pointers.push("q".to_owned());
        for _ in 0..2 + self.choices.below(n_statements) {
            self.statement(2);
        }
        let scalar = self.pick(globals).to_owned();
        self.line(&format!("{scalar} = own + copy.x + *q;"));
    }

    fn block(&mut self, depth: usize) {
        self.indent += 1;
        for _ in 0..1 + self.choices.below(2) {
            self.statement(depth - 1);
        }
        self.indent -= 1;
    }

    fn statement(&mut self, depth: usize) {
        match self.choices.below(if depth == 0 { 8 } else { 15 }) {
            0 | 1 => {
                let (place, value) = (self.place(), self.expression(DEPTH));
                self.line(&format!("{place} = {value};"));
            }
            2 => {
                let (place, value) = (self.place(), self.expression(DEPTH - 1));
                let operator = ["+", "-", "*", "&", "|", "^"][self.choices.below(6)];
                self.line(&format!("{place} {operator}= {value};"));
            }
            3 => {
                let place = self.place();
                let form = ["++", "--"][self.choices.below(2)];
                let is_postfix = self.choices.chance(50);
                self.line(&if is_postfix { format!("{place}{form};") } else { format!("{form}{place};") });
            }
            4 => {
                let (place, value) = (self.place(), self.expression(2));
                let by = self.choices.below(8);
                let operator = ["<<", ">>"][self.choices.below(2)];
                self.line(&format!("{place} {operator}= {by};"));
                self.line(&format!("{place} /= ({value} & 15) + 1;"));
            }
            5 if self.functions > 0 => {
                // The order of a call and of an index to the left of it is not specified: no index.
                let (place, function) = (self.scalar(), self.choices.below(self.functions));
                let (a, b) = (self.expression(2), self.expression(2));
                let pointer = ["&cell", "&own", "q", "&s.x", "&pair[1].x"][self.choices.below(5)];
                self.line(&format!("{place} = f{function}({a}, {b}, {pointer});"));
            }
            6 => {
                let target = ["&cell", "&own", "&s.x", "&pair[0].x"][self.choices.below(4)];
                self.line(&format!("q = {target};"));
            }
            7 => {
                let line = [
                    "copy = s;",
                    "s = copy;",
                    "pair[1] = s;",
                    "pair[0] = pair[1];",
                    "s.c = BLUE;",
                    "s.in = copy.in;",
                ];
                let line = line[self.choices.below(6)];
                self.line(line);
            }
            8 | 9 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.block(depth);
                if self.choices.chance(60) {
                    self.line("} else {");
                    self.block(depth);
                }
                self.line("}");
            }
            10 => self.counting(depth),
            11 => self.switch(depth),
            12 => {
                let label = self.labels;
                self.labels += 1;
                let condition = self.condition();
                self.line(&format!("if ({condition}) goto over{label};"));
                self.statement(depth - 1);
                self.line(&format!("over{label}: ;"));
            }
            13 => {
                let (place, value) = (self.place(), self.expression(2));
                let other = self.expression(2);
                self.line(&format!("{place} = ({{ int t = {value}; t ? t : (int)({other}); }});"));
            }
            _ => {
                let (first, second) = (self.scalar(), self.scalar());
                let value = self.expression(2);
                self.line(&format!("{first} = ({second} = {value}, {second} + 1);"));
            }
        }
    }

    /// A loop with a constant number of rounds.
    fn counting(&mut self, depth: usize) {
        let (counter, rounds) = (self.loops, 1 + self.choices.below(4));
        self.loops += 1;
        let is_do = self.choices.chance(30);
        let head = if is_do {
            format!("{{ int i{counter} = 0; do {{")
        } else {
            format!("for (int i{counter} = 0; i{counter} < {rounds}; i{counter}++) {{")
        };
        self.line(&head);
        if self.choices.chance(40) {
            let condition = self.condition();
            let word = if is_do { "break" } else { ["break", "continue"][self.choices.below(2)] };
            self.line(&format!("    if ({condition}) {word};"));
        }
        self.block(depth);
        if is_do {
            self.line(&format!("}} while (++i{counter} < {rounds}); }}"));
        } else {
            self.line("}");
        }
    }

    fn switch(&mut self, depth: usize) {
        let value = self.expression(2);
        self.line(&format!("switch (({value}) & 7) {{"));
        for case in [0_usize, 1, 2, 5] {
            self.line(&format!("case {case}:"));
            self.block(depth);
            if self.choices.chance(60) {
                self.line("    break;");
            }
        }
        self.line("default:");
        self.block(depth);
        self.line("}");
    }

    /// Something that can be assigned.
    fn place(&mut self) -> String {
        match self.choices.below(8) {
            0 => {
                let index = self.index();
                format!("array[{index}]")
            }
            1 => {
                let index = self.index();
                format!("s.in.bytes[{index}]")
            }
            2 => {
                let pointers = self.pointers.clone();
                format!("(*{})", self.pick(&pointers))
            }
            3 => {
                let value = self.expression(1);
                format!("pair[({value}) & 1].x")
            }
            _ => self.scalar(),
        }
    }

    fn scalar(&mut self) -> String {
        let scalars = self.scalars.clone();
        self.pick(&scalars).to_owned()
    }

    fn index(&mut self) -> String {
        let value = self.expression(1);
        format!("({value}) & {}", LENGTH - 1)
    }

    /// A condition, perhaps with an assignment after a sequence point.
    fn condition(&mut self) -> String {
        let (a, b) = (self.expression(2), self.expression(2));
        match self.choices.below(4) {
            0 => format!("{a} && {b}"),
            1 => format!("{a} || !({b})"),
            2 => {
                let place = self.scalar();
                format!("({a}) && ({place} = {b})")
            }
            _ => a,
        }
    }

    fn literal(&mut self) -> String {
        const LITERALS: [&str; 16] = [
            "0",
            "1",
            "2",
            "-1",
            "7",
            "100",
            "255",
            "-128",
            "65535",
            "0x7fffffff",
            "2147483648u",
            "'a'",
            "GREEN",
            "-7ll",
            "0xdeadbeefcafeull",
            "sizeof(struct outer)",
        ];
        LITERALS[self.choices.below(LITERALS.len())].to_owned()
    }

    /// A value without side effects.
    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.choices.chance(15) {
            return if self.choices.chance(60) { self.place_to_read() } else { self.literal() };
        }
        match self.choices.below(10) {
            0 => {
                let operator = ["-", "~", "!", "+"][self.choices.below(4)];
                format!("{operator}({})", self.expression(depth - 1))
            }
            1 => {
                let ty = self.ty();
                format!("({ty})({})", self.expression(depth - 1))
            }
            2 => {
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                let operator = ["<<", ">>"][self.choices.below(2)];
                format!("(({a}) {operator} (({b}) & 7))")
            }
            3 => {
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                let operator = ["/", "%"][self.choices.below(2)];
                format!("(({a}) {operator} ((({b}) & 15) + 1))")
            }
            4 => {
                let (a, b, c) =
                    (self.expression(depth - 1), self.expression(depth - 1), self.expression(depth - 1));
                format!("(({a}) ? ({b}) : ({c}))")
            }
            5 | 6 => {
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                let operator = ["<", "<=", ">", ">=", "==", "!=", "&&", "||"][self.choices.below(8)];
                format!("(({a}) {operator} ({b}))")
            }
            _ => {
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                let operator = ["+", "-", "*", "&", "|", "^"][self.choices.below(6)];
                format!("(({a}) {operator} ({b}))")
            }
        }
    }

    /// Something that can be read, without nested expressions.
    fn place_to_read(&mut self) -> String {
        match self.choices.below(8) {
            0 => format!("array[{}]", self.choices.below(LENGTH)),
            1 => format!("s.in.bytes[{}]", self.choices.below(LENGTH)),
            2 if !self.pointers.is_empty() => {
                let pointers = self.pointers.clone();
                format!("*{}", self.pick(&pointers))
            }
            _ => self.scalar(),
        }
    }
}
