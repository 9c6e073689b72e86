//! What is done through pointers and with bytes.

use super::types::Type;
use super::{Object, Writer};
use crate::c::tree::{Node, node};

impl Writer {
    /// A statement that goes through memory.
    pub(super) fn through_memory(&mut self) -> Node {
        match self.below(9) {
            0 | 1 => self.bytes(),
            2 => self.copy(),
            3 => self.walk(),
            4 => self.container(),
            5 => self.rows(),
            6 => self.set(),
            7 => self.compare(),
            _ => self.move_within(),
        }
    }

    /// An object that may be looked at as bytes.
    fn dense(&mut self) -> Option<Object> {
        let objects = self.objects.iter().filter(|object| self.types.is_dense(&object.ty));
        let mut list: Vec<Object> = objects.cloned().collect();
        for leaf in self.scalars.iter().filter(|leaf| !leaf.is_bits) {
            if self.types.is_dense(&Type::Int(leaf.int)) {
                list.push(Object { name: leaf.path.clone(), ty: Type::Int(leaf.int) });
            }
        }
        self.pick(&list)
    }

    /// A byte of an object is read and written.
    fn bytes(&mut self) -> Node {
        let Some(object) = self.dense() else { return self.walk() };
        let (pointer, name) = (self.fresh("c"), object.name);
        let ty = self.word(&["unsigned char", "char", "signed char"]);
        let (index, value) = self.two(1, 2);
        let head = format!("{{ {ty} *{pointer} = ({ty} *)&{name} + (unsigned)(");
        let tail = match self.below(3) {
            0 => format!("; z_mix(*{pointer}); }}\n"),
            1 => format!("; z_mix((*{pointer})++); }}\n"),
            _ => format!("; z_mix({name}{}); }}\n", self.first_of(&object.ty)),
        };
        let operator = self.word(&["=", "=", "+=", "^="]);
        node!(Statement: head, index, format!(") % sizeof({name}); *{pointer} {operator} "), value, tail)
    }

    /// The path of a scalar in an object.
    fn first_of(&mut self, ty: &Type) -> String {
        let leaves = self.types.leaves("", ty);
        self.pick(&leaves).map_or(String::new(), |leaf| leaf.path)
    }

    /// An object is copied into another of its type.
    fn copy(&mut self) -> Node {
        let objects = self.objects.clone();
        let Some(Object { name, ty }) = self.pick(&objects) else { return self.walk() };
        let declared = self.types.declare(&ty, "");
        let same = objects
            .iter()
            .filter(|object| self.types.declare(&object.ty, "") == declared && object.name != name);
        let same: Vec<Object> = same.cloned().collect();
        let function = self.word(&["memcpy", "memmove", "z_copy", "__builtin_memcpy"]);
        match self.pick(&same) {
            Some(other) => {
                node!(Statement: format!("{function}(&{name}, &{}, sizeof {name});\n", other.name))
            }
            None => {
                let (other, path) = (self.fresh("y"), self.first_of(&ty));
                let object = self.types.declare(&ty, &other);
                let value = self.full(1);
                node!(Statement:
                    format!("{{ {object}; {function}(&{other}, &{name}, sizeof {other}); {other}{path} = "),
                    value, format!("; {function}(&{name}, &{other}, sizeof {other}); }}\n"),
                )
            }
        }
    }

    /// A pointer walks through an array.
    fn walk(&mut self) -> Node {
        let (pointer, a, b, value) = (self.fresh("w"), self.full(1), self.full(1), self.full(2));
        let head = node!(Fixed:
            format!("{{ int *{pointer} = &z_run[("), a, format!(") & 3]; {pointer} += ("), b, ") & 3; ",
        );
        let tail = match self.below(6) {
            0 => node!(Fixed: format!("*{pointer}++ = "), value, format!("; z_mix({pointer} - z_run); }}\n")),
            1 => {
                node!(Fixed:
                    format!("{pointer}[1] = "), value, format!("; z_mix({pointer} < z_run + 4); }}\n"),
                )
            }
            2 => node!(Fixed: format!("(*{pointer})++; z_mix(*++{pointer} = "), value, "); }\n"),
            3 => {
                node!(Fixed:
                    format!("z_mix(*{pointer}++ + ("), value,
                    format!(")); z_mix(*{pointer}--); z_mix(*{pointer}); }}\n"),
                )
            }
            4 => {
                node!(Fixed:
                    format!("1[{pointer}] -= "), value,
                    format!("; z_mix(&{pointer}[1] - {pointer}); z_mix({pointer} == &z_run[2]); }}\n"),
                )
            }
            _ => {
                node!(Fixed:
                    format!("int *e{pointer} = z_run + 8; while ({pointer} < e{pointer}) *{pointer}++ += "),
                    value, "; }\n",
                )
            }
        };
        node!(Statement: head, tail)
    }

    /// From a member to its struct.
    fn container(&mut self) -> Node {
        let objects = self.objects.iter().filter(
            |object| matches!(object.ty, Type::Record(number) if !self.types.records[number].is_union),
        );
        let objects: Vec<Object> = objects.cloned().collect();
        let Some(Object { name, ty: Type::Record(number) }) = self.pick(&objects) else { return self.rows() };
        let record = self.types.records[number].clone();
        let named = record.members.iter().filter(|member| !member.name.is_empty() && member.width.is_none());
        let named: Vec<String> = named.map(|member| member.name.clone()).collect();
        let Some(member) = self.pick(&named) else { return self.rows() };
        let path = self.first_of(&Type::Record(number)).replacen('.', "->", 1);
        let (record, pointer, value) = (record.name, self.fresh("s"), self.full(2));
        node!(Statement:
            format!("{{ {record} *{pointer} = z_CONTAINER(&{name}.{member}, {record}, {member}); {pointer}{path} = "),
            value, format!("; z_mix({pointer}{path}); }}\n"),
        )
    }

    /// A pointer to an element of an array: a row, a struct or an integer.
    fn rows(&mut self) -> Node {
        let arrays = self.objects.iter().filter(|object| matches!(object.ty, Type::Array(..)));
        let arrays: Vec<Object> = arrays.cloned().collect();
        let Some(Object { name, ty: Type::Array(element, length) }) = self.pick(&arrays) else {
            return self.walk();
        };
        let pointer = self.fresh("p");
        let declared = self.types.declare(&element, &format!("(*{pointer})"));
        let path = self.first_of(&element);
        let (index, value) = self.two(1, 2);
        let at = match self.below(3) {
            0 => format!("(*{pointer}){path}"),
            1 => format!("{pointer}[0]{path}"),
            _ => format!("({name} + ({pointer} - {name}))[0]{path}"),
        };
        node!(Statement:
            format!("{{ {declared} = {name} + (("), index, format!(") & {}); {at} = ", length - 1), value,
            format!("; z_mix({pointer} - {name}); z_mix({pointer}[0]{path}); }}\n"),
        )
    }

    /// All bytes of an object are set.
    fn set(&mut self) -> Node {
        if let (Some(object), true) = (self.dense(), self.chance(60)) {
            let name = object.name;
            return node!(Statement:
                format!("memset(&{name}, "), self.full(1), format!(", sizeof {name});\n"),
            );
        }
        let objects = self.objects.clone();
        match self.pick(&objects) {
            Some(Object { name, .. }) => node!(Statement: format!("memset(&{name}, 0, sizeof({name}));\n")),
            None => node!(Statement: "memset(z_run + 1, 255, 2 * sizeof(int));\n"),
        }
    }

    /// Bytes are compared.
    fn compare(&mut self) -> Node {
        let (a, b, c) = (self.expression(1), self.expression(1), self.expression(1));
        let operator = self.word(&["<", ">", "==", "!="]);
        node!(Statement:
            "z_mix(memcmp(z_run + ((", a, ") & 3), z_run + ((", b, ") & 3), (", c,
            format!(") & 15) {operator} 0);\n"),
        )
    }

    /// Bytes are moved to where some of them are.
    fn move_within(&mut self) -> Node {
        let (a, b, n) = (self.expression(1), self.expression(1), 1 + self.below(4));
        if self.chance(50) {
            return node!(Statement:
                "memmove(z_run + ((", a, ") & 3), z_run + ((", b, format!(") & 3), {n} * sizeof(int));\n"),
            );
        }
        let n = self.below(16);
        node!(Statement:
            "memmove((char *)z_run + ((", a, ") & 7), (char *)z_run + ((", b, format!(") & 7), {n});\n"),
        )
    }
}
