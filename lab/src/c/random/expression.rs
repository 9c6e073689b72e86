//! Values.

use super::types::{self, Leaf, Type, any_int};
use super::{Object, Writer};
use crate::c::tree::{Node, node};

/// How deep expressions are nested.
pub(super) const DEPTH: usize = 3;

impl Writer {
    /// The value of a full expression: side effects in it are on variables of their own.
    pub(super) fn full(&mut self, depth: usize) -> Node {
        let effects = self.effects.clone();
        let value = self.expression(depth);
        self.effects = effects;
        value
    }

    /// Two values that may stand in one full expression: no side effect is on the same variable.
    pub(super) fn two(&mut self, first: usize, second: usize) -> (Node, Node) {
        let effects = self.effects.clone();
        let values = (self.expression(first), self.expression(second));
        self.effects = effects;
        values
    }

    /// A value, each side effect in it on a variable that is used nowhere else until the end of the full expression.
    pub(super) fn expression(&mut self, depth: usize) -> Node {
        if depth == 0 || self.chance(12) {
            return self.leaf();
        }
        let d = depth - 1;
        match self.below(22) {
            0 => {
                let operator = self.word(&["-", "~", "!", "+"]);
                node!(Expression: operator, "(", self.expression(d), ")")
            }
            1 | 2 => {
                let ty = any_int(&mut self.random).name;
                node!(Expression: format!("({ty})("), self.expression(d), ")")
            }
            3 | 4 => self.shift(d),
            5 => self.division(d),
            6 => {
                node!(Expression:
                    "((", self.expression(d), ") ? (", self.expression(d), ") : (", self.expression(d),
                    "))",
                )
            }
            7 | 8 => {
                let operator = self.word(&["<", "<=", ">", ">=", "==", "!="]);
                self.binary(operator, d)
            }
            9 => {
                let operator = self.word(&["&&", "||"]);
                self.binary(operator, d)
            }
            10 | 11 => self.effect(d),
            12 => node!(Expression: "((", self.expression(d), ") ?: (", self.expression(d), "))"),
            13 => node!(Expression: "((void)(", self.expression(d), "), (", self.expression(d), "))"),
            14 => self.statement_expression(d),
            15 => self.record_value(d),
            16 => {
                let name = self.word(&["z_ADD", "z_MAX"]);
                node!(Expression: name, "(", self.expression(d), ", ", self.expression(d), ")")
            }
            17 => self.oddity(d),
            18 => self.pure_call(d),
            _ => {
                let operator = self.word(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                self.binary(operator, d)
            }
        }
    }

    fn binary(&mut self, operator: &str, d: usize) -> Node {
        node!(Expression: "((", self.expression(d), format!(") {operator} ("), self.expression(d), "))")
    }

    /// The distance is below the width of what is shifted.
    fn shift(&mut self, d: usize) -> Node {
        let operator = self.word(&["<<", ">>"]);
        let (cast, mask) =
            [("", 31), ("", 7), ("(long)", 63), ("(unsigned long long)", 63), ("(__int128)", 127)]
                [if self.chance(95) { self.below(4) } else { 4 }];
        node!(Expression:
            format!("({cast}("), self.expression(d), format!(") {operator} (("), self.expression(d),
            format!(") & {mask}))"),
        )
    }

    /// The divisor is neither 0 nor -1.
    fn division(&mut self, d: usize) -> Node {
        let operator = self.word(&["/", "%"]);
        let (a, b) = (self.expression(d), self.expression(d));
        match self.below(3) {
            0 => node!(Expression: "((", a, format!(") {operator} ((("), b, ") & 15) + 1))"),
            1 => node!(Expression: "((", a, format!(") {operator} (int)((("), b, ") & 15) - 17))"),
            _ => node!(Expression: "((", a, format!(") {operator} ((unsigned long)("), b, ") | 1))"),
        }
    }

    /// A side effect on a variable of its own, and its value.
    fn effect(&mut self, d: usize) -> Node {
        if self.effects.is_empty() {
            return self.leaf();
        }
        let index = self.below(self.effects.len());
        let variable = self.effects.swap_remove(index);
        match self.below(6) {
            0 => node!(Expression: format!("({variable}++)")),
            1 => node!(Expression: format!("(--{variable})")),
            2 => node!(Expression: format!("({variable} = "), self.expression(d), ")"),
            3 => {
                let operator = self.word(&["+", "-", "*", "^", "|", "&"]);
                node!(Expression: format!("({variable} {operator}= "), self.expression(d), ")")
            }
            4 => {
                let operator = self.word(&["<<", ">>"]);
                node!(Expression: format!("({variable} {operator}= ("), self.expression(d), ") & 7)")
            }
            _ => {
                let operator = self.word(&["/", "%"]);
                node!(Expression: format!("({variable} {operator}= (("), self.expression(d), ") & 7) + 2)")
            }
        }
    }

    fn statement_expression(&mut self, d: usize) -> Node {
        let (name, ty) = (self.fresh("t"), any_int(&mut self.random).name);
        let first = self.expression(d);
        let operator = self.word(&["+", "-", "^"]);
        let second = self.expression(d);
        node!(Expression:
            format!("({{ {ty} {name} = "), first, format!("; {name}{operator}= "), second,
            format!("; {name}; }})"),
        )
    }

    /// A scalar of a compound literal, of a conditional of structs, or an element of a literal.
    fn record_value(&mut self, d: usize) -> Node {
        if self.chance(30) {
            let (a, b, c) = (self.expression(d), self.expression(d), self.expression(d));
            return node!(Expression:
                "((short[]){ (short)(", a, "), [2] = (short)(", b, ") }[(", c, ") & 1])",
            );
        }
        let objects = self.objects.clone();
        let records = objects.iter().filter(|object| matches!(object.ty, Type::Record(_)));
        let records: Vec<Object> = records.cloned().collect();
        let Some(Object { name, ty }) = self.pick(&records) else { return self.leaf() };
        let Type::Record(number) = ty else { return self.leaf() };
        let leaves = self.types.leaves("", &ty);
        let Some(leaf) = self.pick(&leaves) else { return self.leaf() };
        let record = self.types.records[number].name.clone();
        if self.chance(50) && !self.types.has_union(number) {
            let value = self.types.initialiser(&mut self.random, &ty);
            return node!(Expression: format!("(({record}){value}){}", leaf.path));
        }
        let same = |object: &&Object| matches!(object.ty, Type::Record(other) if other == number);
        let others: Vec<Object> = objects.iter().filter(same).cloned().collect();
        let other = self.pick(&others).map_or(name.clone(), |object| object.name);
        node!(Expression: "((", self.expression(d), format!(") ? {name} : {other}){}", leaf.path))
    }

    /// What is rarely written.
    fn oddity(&mut self, d: usize) -> Node {
        let a = self.expression(d);
        match self.below(10) {
            0 => node!(Expression: "z_FIRST(", a, ", 1, 2)"),
            1 => node!(Expression: "z_LENGTH(a + \"b\")"),
            2 => node!(Expression: "(sizeof(+(", a, ")) + _Alignof(int))"),
            3 => {
                node!(Expression:
                    "_Generic(+(", a, "), int: 1, unsigned: 2, long: 3, unsigned long: 4, default: 5)",
                )
            }
            4 => node!(Expression: "((__typeof__(+(", a.clone(), ")))(", a, "))"),
            7..=9 => self.layout(),
            5 => node!(Expression: "(z_NAME(cell) + z_OFFSET(struct z_bytes, bytes))"),
            _ => node!(Expression: "(\"wxyz\"[(", a, ") & 3])"),
        }
    }

    /// The size of a struct or union, or the offset of a member.
    fn layout(&mut self) -> Node {
        let number = self.below(self.types.records.len());
        let record = &self.types.records[number];
        let name = record.name.clone();
        let whole = |member: &&types::Member| member.width.is_none();
        let members: Vec<String> =
            record.members.iter().filter(whole).map(|member| member.name.clone()).collect();
        match self.pick(&members) {
            Some(member) if self.chance(50) => node!(Expression: format!("z_OFFSET({name}, {member})")),
            _ => node!(Expression: format!("sizeof({name})")),
        }
    }

    /// A constant or what a variable holds.
    pub(super) fn leaf(&mut self) -> Node {
        if self.chance(30) || self.scalars.is_empty() && self.constants.is_empty() {
            return node!(Expression: types::literal(&mut self.random));
        }
        let n_constants = self.constants.len();
        let index = self.below(n_constants + 2 + 2 * self.scalars.len());
        if index < n_constants {
            return node!(Expression: self.constants[index].clone());
        }
        if index < n_constants + 2 {
            let pointers = self.pointers.clone();
            if let Some(pointer) = self.pick(&pointers) {
                return node!(Expression: format!("(*{pointer})"));
            }
        }
        let scalars = std::mem::take(&mut self.scalars);
        let leaf = self.pick(&scalars);
        self.scalars = scalars;
        match leaf {
            Some(leaf) => self.read(&leaf),
            None => node!(Expression: types::literal(&mut self.random)),
        }
    }

    /// A read of a scalar.
    fn read(&mut self, leaf: &Leaf) -> Node {
        node!(Expression: leaf.path.clone())
    }

    /// A scalar that can be assigned, perhaps with a computed index or through a pointer.
    pub(super) fn place(&mut self) -> Node {
        match self.below(8) {
            0 => {
                let pointers = self.pointers.clone();
                match self.pick(&pointers) {
                    Some(pointer) => node!(Fixed: format!("(*{pointer})")),
                    None => self.scalar(),
                }
            }
            1 | 2 => self.element(),
            _ => self.scalar(),
        }
    }

    /// A scalar with a name.
    pub(super) fn scalar(&mut self) -> Node {
        let scalars = std::mem::take(&mut self.scalars);
        let leaf = self.pick(&scalars);
        self.scalars = scalars;
        node!(Fixed: leaf.map_or("z_cell".to_owned(), |leaf| leaf.path))
    }

    /// An element whose index is computed.
    fn element(&mut self) -> Node {
        let objects = self.objects.clone();
        let arrays: Vec<Object> =
            objects.into_iter().filter(|object| matches!(object.ty, Type::Array(..))).collect();
        let Some(Object { name, ty: Type::Array(element, length) }) = self.pick(&arrays) else {
            return node!(Fixed: "z_run[(", self.expression(1), ") & 7]");
        };
        let leaves = self.types.leaves("", &element);
        let Some(leaf) = self.pick(&leaves) else { return self.scalar() };
        let index = self.expression(1);
        if let Type::Array(_, inner) = *element {
            return node!(Fixed:
                format!("{name}[("), index, format!(") & {}][(", length - 1), self.expression(1),
                format!(") & {}]", inner - 1),
            );
        }
        node!(Fixed: format!("{name}[("), index, format!(") & {}]{}", length - 1, leaf.path))
    }
}
