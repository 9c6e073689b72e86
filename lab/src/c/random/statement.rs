//! What is done: assignments, calls, jumps.

use super::expression::DEPTH;
use super::types::{Type, any_int};
use super::{Object, Within, Writer};
use crate::c::tree::{Node, node};

impl Writer {
    /// A few statements.
    pub(super) fn block(&mut self, depth: usize) -> Node {
        let mut block = node!(Fixed:);
        for _ in 0..1 + self.below(2) {
            let statement = self.statement(depth);
            block.push(statement);
        }
        block
    }

    /// A statement, with at most so many others around each other in it.
    pub(super) fn statement(&mut self, depth: usize) -> Node {
        let effects = self.effects.clone();
        let statement = self.any_statement(depth);
        self.effects = effects;
        statement
    }

    fn any_statement(&mut self, depth: usize) -> Node {
        self.left = self.left.saturating_sub(1);
        let depth = if self.left == 0 { 0 } else { depth };
        match self.below(if depth == 0 { 17 } else { 27 }) {
            0..=2 => node!(Statement: self.place(), " = ", self.full(DEPTH), ";\n"),
            3 => node!(Statement: self.compound(), ";\n"),
            4 | 5 => self.valued(),
            6 => self.call(),
            7 => self.records(),
            8 => self.mixed(),
            9..=11 => self.through_memory(),
            12 => {
                let pointers = self.pointers.clone();
                let target = self.int_address();
                match self.pick(&pointers) {
                    Some(pointer) => node!(Statement: format!("{pointer} = {target};\n")),
                    None => self.mixed(),
                }
            }
            13 => self.atomic(),
            14..=16 => self.with_fixture(),
            17 | 18 => self.odd_jump(depth - 1),
            19 | 20 => {
                let condition = self.full(2);
                let (first, second) = (self.block(depth - 1), self.block(depth - 1));
                if self.chance(60) {
                    node!(Statement: "if (", condition, ") {\n", first, "} else {\n", second, "}\n")
                } else {
                    node!(Statement: "if (", condition, ") {\n", first, "}\n")
                }
            }
            21 | 22 => self.counting(depth - 1),
            23 | 24 => self.switch(depth - 1),
            25 => self.jump(depth - 1),
            _ => self.scope(depth - 1),
        }
    }

    /// An address of an int.
    pub(super) fn int_address(&mut self) -> String {
        let ints = self.scalars.iter().filter(|leaf| leaf.int.name == "int" && !leaf.is_bits);
        let mut list: Vec<String> = ints.map(|leaf| format!("&{}", leaf.path)).collect();
        list.push("&z_run[3]".to_owned());
        list.push("&z_cell".to_owned());
        let index = self.below(list.len());
        list.swap_remove(index)
    }

    /// A value goes into the sum.
    fn mixed(&mut self) -> Node {
        node!(Statement: "z_mix(", self.full(DEPTH), ");\n")
    }

    /// An assignment with an operator.
    fn compound(&mut self) -> Node {
        let place = self.place();
        match self.below(4) {
            0 => {
                let operator = self.word(&["<<", ">>"]);
                node!(Fixed: place, format!(" {operator}= ("), self.full(2), ") & 31")
            }
            1 => {
                let operator = self.word(&["/", "%"]);
                node!(Fixed: place, format!(" {operator}= (("), self.full(2), ") & 15) + 2")
            }
            2 => {
                let form = self.word(&["++", "--"]);
                if self.chance(50) { node!(Fixed: place, form) } else { node!(Fixed: form, place) }
            }
            _ => {
                let operator = self.word(&["+", "-", "*", "&", "|", "^"]);
                node!(Fixed: place, format!(" {operator}= "), self.full(DEPTH - 1))
            }
        }
    }

    /// The value of an assignment goes into the sum.
    fn valued(&mut self) -> Node {
        match self.below(3) {
            0 => node!(Statement: "z_mix(", self.compound(), ");\n"),
            1 => node!(Statement: "z_mix(", self.place(), " = ", self.full(2), ");\n"),
            _ => {
                // Two assignments to one object would have no order.
                let (first, second) = (self.scalar(), self.scalar());
                if root(&first) == root(&second) {
                    return self.mixed();
                }
                node!(Statement: first, " = ", second, " = ", self.full(2), ";\n")
            }
        }
    }

    /// Structs are assigned, in chains, from functions and from literals.
    fn records(&mut self) -> Node {
        let objects = self.objects.clone();
        let records: Vec<Object> =
            objects.into_iter().filter(|object| matches!(object.ty, Type::Record(_))).collect();
        let Some(Object { name, ty: Type::Record(number) }) = self.pick(&records) else {
            return self.mixed();
        };
        let same =
            records.into_iter().filter(|object| matches!(object.ty, Type::Record(other) if other == number));
        let same: Vec<Object> = same.collect();
        let record = &self.types.records[number];
        let (record_name, is_union) = (record.name.clone(), self.types.has_union(number));
        let other = self.pick(&same).map_or(name.clone(), |object| object.name);
        let third = self.pick(&same).map_or(name.clone(), |object| object.name);
        let leaves = self.types.leaves("", &Type::Record(number));
        let leaf = self.pick(&leaves).map_or(String::new(), |leaf| leaf.path);
        match self.below(6) {
            0 => node!(Statement: format!("{name} = {other};\n")),
            1 if name != other => node!(Statement: format!("{name} = {other} = {third};\n")),
            2 if name != other => node!(Statement: format!("z_mix(({name} = {other}){leaf});\n")),
            3 if !is_union => {
                let value = self.types.initialiser(&mut self.random, &Type::Record(number));
                node!(Statement: format!("{name} = ({record_name}){value};\n"))
            }
            4 => {
                let pointer = self.fresh("r");
                let (at, value) = (leaf.replacen('.', "->", 1), self.full(2));
                node!(Statement:
                    format!("{{ {record_name} *{pointer} = &{name}; *{pointer} = {other}; {pointer}{at} = "),
                    value, format!("; z_mix({pointer}{at}); }}\n"),
                )
            }
            _ => self
                .record_call(number, &name, &other)
                .unwrap_or_else(|| node!(Statement: format!("{other} = {name};\n"))),
        }
    }

    /// Operations of atomic variables, by one thread.
    fn atomic(&mut self) -> Node {
        let (address, value) = (self.int_address(), self.expression(2));
        let name = self.word(&[
            "__atomic_fetch_add",
            "__atomic_sub_fetch",
            "__atomic_fetch_or",
            "__atomic_and_fetch",
            "__atomic_fetch_xor",
            "__atomic_exchange_n",
            "__sync_fetch_and_add",
            "__sync_bool_compare_and_swap",
        ]);
        if name == "__sync_bool_compare_and_swap" {
            let other = self.expression(1);
            return node!(Statement: format!("z_mix({name}({address}, "), other, ", ", value, "));\n");
        }
        let order = if name.starts_with("__sync") { "" } else { ", 5" };
        node!(Statement: format!("z_mix({name}({address}, "), value, format!("{order}));\n"))
    }

    /// A loop with a constant number of rounds.
    fn counting(&mut self, depth: usize) -> Node {
        let (counter, rounds) = (self.fresh("i"), 1 + self.below(3));
        let outer = self.within;
        self.within = Within { is_loop: true, is_switch: false };
        self.constants.push(counter.clone());
        let early = self.chance(40).then(|| {
            let word = self.word(&["break", "continue"]);
            node!(Statement: "if (", self.full(2), format!(") {word};\n"))
        });
        let mut body = node!(Fixed:);
        let first = self.statement(depth);
        body.push(first);
        if let Some(early) = early {
            body.push(early);
            let more = self.statement(depth);
            body.push(more);
        }
        self.constants.pop();
        self.within = outer;
        match self.below(4) {
            0 => {
                node!(Statement:
                    format!("{{ int {counter} = 0; do {{\n"), body,
                    format!("}} while (++{counter} < {rounds}); }}\n"),
                )
            }
            1 => {
                node!(Statement:
                    format!("{{ int {counter} = {rounds}; while ({counter}--) {{\n"), body, "} }\n",
                )
            }
            2 => {
                node!(Statement:
                    format!("for (unsigned char {counter} = {rounds}; {counter}-- > 0;) {{\n"), body,
                    "}\n",
                )
            }
            _ => {
                node!(Statement:
                    format!("for (int {counter} = 0; {counter} < {rounds}; {counter}++) {{\n"), body,
                    "}\n",
                )
            }
        }
    }

    /// A switch with cases that fall through, the default somewhere, and perhaps a case in a loop.
    fn switch(&mut self, depth: usize) -> Node {
        let value = self.full(2);
        let outer = self.within;
        self.within.is_switch = true;
        let counter = self.fresh("d");
        let mut body = node!(Fixed:);
        let default = self.below(4);
        for (place, case) in ["0", "1 ... 2", "3", "5"].into_iter().enumerate() {
            if place == default {
                let block = self.statement(depth);
                body.push(node!(Fixed: "default:\n", block));
            }
            let block = self.statement(depth);
            if place == 3 && self.chance(30) {
                let more = self.statement(depth);
                body.push(node!(Fixed:
                    format!("case {case}: do {{\n"), block, "case 6:\n", more,
                    format!("}} while (++{counter} < 3);\n"),
                ));
            } else {
                body.push(node!(Fixed: format!("case {case}:\n"), block));
            }
            if self.chance(50) {
                body.push(node!(Statement: "break;\n"));
            } else if outer.is_loop && self.chance(30) {
                body.push(node!(Statement: "continue;\n"));
            }
        }
        self.within = outer;
        node!(Statement: format!("{{ int {counter} = 0; switch (("), value, ") & 7) {\n", body, "} }\n")
    }

    /// Jumps forward or, a few times, back.
    fn jump(&mut self, depth: usize) -> Node {
        let (label, condition) = (self.fresh("at"), self.full(2));
        let outer = std::mem::take(&mut self.within);
        let block = self.block(depth);
        self.within = outer;
        if self.chance(50) {
            return node!(Statement:
                "if (", condition, format!(") goto {label};\n"), block, format!("{label}: ;\n"),
            );
        }
        let counter = self.fresh("n");
        node!(Statement:
            format!("{{ int {counter} = 0; {label}:\n"), block, format!("if (++{counter} < 3 && ("),
            condition, format!(")) goto {label}; }}\n"),
        )
    }

    /// A block with a variable of its own, perhaps one that hides another.
    fn scope(&mut self, depth: usize) -> Node {
        let int = any_int(&mut self.random);
        let name = if self.chance(30) { "l0".to_owned() } else { self.fresh("b") };
        let value = node!(Expression: super::types::literal(&mut self.random));
        let scalars = self.scalars.clone();
        self.scalars.retain(|leaf| leaf.path != name);
        self.scalars.push(super::Leaf { path: name.clone(), int, is_bits: true });
        let block = self.block(depth);
        self.scalars = scalars;
        node!(Statement:
            format!("{{ {} {name} = ", int.name), value, ";\n", block, format!("z_mix({name}); }}\n"),
        )
    }
}

/// The variable that a scalar is in.
fn root(place: &Node) -> String {
    place.text().split(['.', '[']).next().unwrap_or_default().to_owned()
}
