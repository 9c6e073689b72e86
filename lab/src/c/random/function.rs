//! Functions: those that change global variables, and those that only compute.

use super::expression::DEPTH;
use super::types::{INTS, Leaf, Type, any_int};
use super::{Object, Writer};
use crate::c::tree::{Node, node};

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Function {
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It changes global variables: two numbers and a pointer to an int.
    Changes,
    /// It computes with two numbers.
    Computes,
    /// It computes a struct from a struct and a number.
    Record(usize),
}

impl Writer {
    /// Declares a function that may call those before it.
    pub(super) fn function(&mut self, number: usize) -> Node {
        match self.below(4) {
            0 => self.computing(number),
            1 => self.on_records(number),
            _ => self.changing(number),
        }
    }

    fn changing(&mut self, number: usize) -> Node {
        let (result, b) = (any_int(&mut self.random).name, any_int(&mut self.random));
        let name = format!("z_f{number}");
        let parameters = [("a", INTS[6]), ("b", b)];
        let body = self.body(&parameters, 2);
        let value = self.full(DEPTH - 1);
        self.functions.push(Function { name: name.clone(), kind: Kind::Changes });
        node!(Fixed:
            format!("static {result} {name}(int a, {} b, int *p) {{\n", b.name), body,
            "    *p += a;\n    return ", value, ";\n}\n",
        )
    }

    /// Nothing but its parameters is read.
    fn computing(&mut self, number: usize) -> Node {
        self.clear();
        self.constants = vec!["a".to_owned(), "b".to_owned()];
        let mut text = node!(Fixed:);
        let (first, second) = (any_int(&mut self.random).name, any_int(&mut self.random).name);
        for place in 0..2 {
            let result = any_int(&mut self.random).name;
            let value = self.full(DEPTH);
            text.push(node!(Fixed:
                format!("static {result} z_p{number}_{place}({first} a, {second} b) {{ return "), value,
                "; }\n",
            ));
            // Through a table, both have to have one type.
            text.push(format!("static long z_q{number}_{place}({first} a, {second} b) {{ return z_p{number}_{place}(b, a); }}\n"));
            self.functions.push(Function { name: format!("z_p{number}_{place}"), kind: Kind::Computes });
        }
        text.push(format!(
            "static long (*const z_t{number}[2])({first}, {second}) = {{ z_q{number}_0, z_q{number}_1 }};\n"
        ));
        self.functions.push(Function { name: format!("z_t{number}[z_cell & 1]"), kind: Kind::Computes });
        text
    }

    fn on_records(&mut self, number: usize) -> Node {
        let record = self.below(self.types.records.len());
        let name = self.types.records[record].name.clone();
        self.clear();
        self.constants = vec!["a".to_owned()];
        let leaves = self.types.leaves("s", &Type::Record(record));
        self.scalars = leaves.clone();
        self.objects = vec![Object { name: "s".to_owned(), ty: Type::Record(record) }];
        let Some(leaf) = self.pick(&leaves) else { return self.computing(number) };
        let value = self.full(DEPTH);
        self.functions.push(Function { name: format!("z_s{number}"), kind: Kind::Record(record) });
        node!(Fixed:
            format!("static {name} z_s{number}({name} s, int a) {{ {} = ", leaf.path), value,
            "; return s; }\n",
        )
    }

    fn clear(&mut self) {
        self.scalars.clear();
        self.objects.clear();
        self.constants.clear();
        self.pointers.clear();
        self.effects.clear();
    }

    /// Declarations and statements of a function.
    pub(super) fn body(&mut self, parameters: &[(&str, super::types::Int)], n_statements: usize) -> Node {
        self.clear();
        (self.scalars, self.objects) = self.globals.clone();
        self.long_objects();
        let mut text = node!(Fixed:);
        for &(name, int) in parameters {
            self.scalars.push(Leaf { path: name.to_owned(), int, is_bits: false });
        }
        for number in 0..1 + self.below(2) {
            let (int, value) = (any_int(&mut self.random), self.full(2));
            text.push(node!(Statement: format!("    {} l{number} = ", int.name), value, ";\n"));
            self.scalars.push(Leaf { path: format!("l{number}"), int, is_bits: false });
        }
        if !parameters.is_empty() {
            self.pointers.push("p".to_owned());
            text.push(node!(Statement: "    static short calls = 5; z_mix(calls++);\n"));
        }
        let record = self.below(self.types.records.len());
        let copied = self.types.declare(&Type::Record(record), "own");
        // What the initialiser of a union that is no static object leaves is unspecified.
        let value = if self.chance(50) || self.types.has_union(record) {
            format!("z_v{record}")
        } else {
            self.types.initialiser(&mut self.random, &Type::Record(record))
        };
        text.push(node!(Statement: format!("    {copied} = {value};\n")));
        self.objects.push(Object { name: "own".to_owned(), ty: Type::Record(record) });
        let leaves = self.types.leaves("own", &Type::Record(record));
        self.scalars.extend(leaves);
        text.push(node!(Statement: "    int mine = 1, *q = &mine;\n"));
        self.scalars.push(Leaf { path: "mine".to_owned(), int: INTS[6], is_bits: false });
        self.pointers.push("q".to_owned());
        let (k0, k1) = (any_int(&mut self.random).name, self.word(&["int", "unsigned char"]));
        text.push(node!(Statement:
            format!("    {k0} k0 = 1; {k1} k1 = 250; struct {{ unsigned f : 5; int s : 6; }} kb = {{ 9, -3 }};\n"),
        ));
        self.effects = ["k0", "k1", "kb.f", "kb.s"].map(str::to_owned).to_vec();
        self.left = 3 * n_statements;
        for _ in 0..1 + self.below(n_statements) {
            let statement = self.statement(2);
            text.push(statement);
        }
        for (number, effect) in self.effects.clone().iter().enumerate() {
            text.push(
                node!(Statement: format!("    z_mix({effect}{});\n", if number == 0 { " + *q" } else { "" })),
            );
        }
        text
    }

    /// A call as a statement: what is changed is changed between statements.
    pub(super) fn call(&mut self) -> Node {
        let functions = self.functions.iter().filter(|function| function.kind == Kind::Changes);
        let functions: Vec<Function> = functions.cloned().collect();
        let Some(Function { name, .. }) = self.pick(&functions) else {
            return node!(Statement: "z_mix(", self.full(DEPTH), ");\n");
        };
        let effects = self.effects.clone();
        let (a, b) = (self.expression(2), self.expression(2));
        self.effects = effects;
        let address = self.int_address();
        if self.chance(50) {
            return node!(Statement: format!("z_mix({name}("), a, ", ", b, format!(", {address}));\n"));
        }
        node!(Statement: self.scalar(), format!(" = {name}("), a, ", ", b, format!(", {address});\n"))
    }

    /// A call of a function that only computes.
    pub(super) fn pure_call(&mut self, d: usize) -> Node {
        // Inside of a function that computes nothing but its parameters can be named.
        let is_pure = self.objects.len() < 2;
        let functions = self.functions.iter().filter(|function| match function.kind {
            Kind::Computes => !is_pure || !function.name.contains('['),
            Kind::Record(_) => !is_pure,
            Kind::Changes => false,
        });
        let functions: Vec<Function> = functions.cloned().collect();
        match self.pick(&functions) {
            Some(Function { name, kind: Kind::Computes }) => {
                node!(Expression: format!("{name}("), self.expression(d), ", ", self.expression(d), ")")
            }
            Some(Function { name, kind: Kind::Record(number) }) => {
                let leaves = self.types.leaves("", &Type::Record(number));
                let leaf = self.pick(&leaves).map_or(String::new(), |leaf| leaf.path);
                let (a, b) = (self.expression(d), self.expression(d));
                if self.chance(50) {
                    return node!(Expression:
                        format!("{name}({name}(z_v{number}, "), a, "), ", b, format!("){leaf}"),
                    );
                }
                node!(Expression:
                    format!("({name}(z_v{number}, "), a, format!("){leaf} - {name}(z_v{number}, "), b,
                    format!("){leaf})"),
                )
            }
            _ => self.leaf(),
        }
    }

    /// A struct is assigned what a function computes from it.
    pub(super) fn record_call(&mut self, number: usize, to: &str, from: &str) -> Option<Node> {
        let functions = self.functions.iter().filter(|function| function.kind == Kind::Record(number));
        let functions: Vec<Function> = functions.cloned().collect();
        let Function { name, .. } = self.pick(&functions)?;
        let value = self.full(2);
        Some(node!(Statement: format!("{to} = {name}({name}({from}, 1), "), value, ");\n"))
    }
}
