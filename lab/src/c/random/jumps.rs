//! Jumps that are rarely written: into loops, out of statement expressions, and switches of odd forms.

use super::Writer;
use crate::c::tree::{Node, node};

impl Writer {
    /// One of them.
    pub(super) fn odd_jump(&mut self, depth: usize) -> Node {
        match self.below(6) {
            0 => self.entered_loop(depth),
            1 => self.out_of_expression(depth),
            2 => self.within_expression(),
            3 => self.wide_switch(depth),
            4 => self.literal_in_loop(),
            _ => self.past_cleanup(depth),
        }
    }

    /// A loop that is entered in the middle.
    fn entered_loop(&mut self, depth: usize) -> Node {
        let (label, counter, condition) = (self.fresh("in"), self.fresh("n"), self.full(2));
        let (first, second) = (self.inside(depth), self.inside(depth));
        let head = self.word(&["while", "for"]);
        let head =
            if head == "for" { format!("for (; {counter} < 2;)") } else { format!("while ({counter} < 2)") };
        node!(Statement:
            format!("{{ int {counter} = 0; if ("), condition, format!(") goto {label};\n{head} {{\n"), first,
            format!("{label}: {counter}++;\n"), second, "} }\n",
        )
    }

    /// A statement that no jump leads out of.
    fn inside(&mut self, depth: usize) -> Node {
        let outer = std::mem::take(&mut self.within);
        let statement = self.statement(depth);
        self.within = outer;
        statement
    }

    /// A statement expression that is left by a jump, which takes what is around it along.
    fn out_of_expression(&mut self, depth: usize) -> Node {
        let (counter, condition, value) = (self.fresh("n"), self.full(2), self.full(1));
        let (place, after) = (self.scalar(), self.inside(depth));
        let word = self.word(&["break", "continue"]);
        node!(Statement:
            format!("for (int {counter} = 0; {counter} < 3; {counter}++) {{\n"), place,
            " = ({ if (", condition, format!(") {word}; "), value, "; });\n", after, "}\n",
        )
    }

    /// A statement expression with a label of its own.
    fn within_expression(&mut self) -> Node {
        let (label, counter) = (self.fresh("se"), self.fresh("n"));
        let (condition, value) = self.two(1, 2);
        node!(Statement:
            format!("z_mix(({{ int {counter} = 0; long v{counter} = 0; {label}: v{counter} += "), value,
            format!("; if (++{counter} < 3 && ("), condition,
            format!(")) goto {label}; v{counter} + {counter}; }}));\n"),
        )
    }

    /// A switch over something else than an int, with ranges, negative numbers and a declaration before all cases.
    fn wide_switch(&mut self, depth: usize) -> Node {
        let (value, name) = (self.full(2), self.fresh("sw"));
        let outer = self.within;
        self.within.is_switch = true;
        let (first, second, third) = (self.statement(depth), self.statement(depth), self.statement(depth));
        self.within = outer;
        match self.below(3) {
            0 => {
                node!(Statement:
                    "switch ((signed char)(", value, format!(")) {{ int {name}; case -128 ... -1: {name} = 3;\n"),
                    first, format!("z_mix({name}); break; case 'a': default:\n"), second,
                    "break; case 1: case 3 ... 7:\n", third, "}\n",
                )
            }
            1 => {
                node!(Statement:
                    "switch ((unsigned long long)(", value,
                    ")) { case 0xffffffffffffffffull:\n", first, "break; case 0x100000000ull ... 0xfffffffffffull:\n",
                    second, "case 0:\n", third, "}\n",
                )
            }
            _ => node!(Statement: "switch (!(", value, ")) case 1: {\n", first, "}\n"),
        }
    }

    /// A literal with an address, which is made anew in each round.
    fn literal_in_loop(&mut self) -> Node {
        let (counter, pointer) = (self.fresh("n"), self.fresh("cl"));
        let ((a, b), c) = (self.two(1, 1), self.full(1));
        let ty = self.word(&["int", "short", "unsigned char", "long"]);
        node!(Statement:
            format!("for (int {counter} = 0; {counter} < 2; {counter}++) {{ {ty} *{pointer} = ({ty}[3]){{ "), a,
            ", [2] = ", b, format!(" }}; {pointer}[1] += {pointer}[0]++; {pointer}[("), c,
            format!(") & 1] ^= {counter}; z_mix({pointer}[0] + {pointer}[1] * 3l + {pointer}[2]); }}\n"),
        )
    }

    /// A scope with a clean-up that is left early.
    fn past_cleanup(&mut self, depth: usize) -> Node {
        if !self.fixed.calls {
            return self.within_expression();
        }
        let (name, label) = (self.fresh("cu"), self.fresh("out"));
        let (a, condition) = self.two(1, 2);
        let first = self.inside(depth);
        if self.chance(50) {
            return node!(Statement:
                format!("{{ int __attribute__((cleanup(z_clean))) {name} = "), a, ";\nif (", condition,
                format!(") goto {label};\n"), first, format!("{name} = 2; }}\n{label}: ;\n"),
            );
        }
        let word = self.word(&["break", "continue"]);
        node!(Statement:
            format!("for (int {label} = 0; {label} < 2; {label}++) {{ int __attribute__((cleanup(z_clean))) {name} = "),
            a, ";\nif (", condition, format!(") {word};\n"), first, format!("{name} += {label}; }}\n"),
        )
    }
}
