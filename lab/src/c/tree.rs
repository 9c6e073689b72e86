//! Programs as trees of text: which parts are statements and which are expressions, so that they can be made small without
//! a parser.
//!
//! [`shrink`] deletes statements, puts what is in them in their place, and replaces expressions by parts of them or by numbers, as long
//! as the program still fails. What is drawn so that nothing is undefined (masks of indices, divisors) is outside of the
//! nodes, so it stays.

use std::fmt::Write;

/// What a node can be replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By nothing of its own: a list, a program.
    Fixed,
    /// By nothing, or by the statements in it.
    Statement,
    /// By an expression in it, or by a number.
    Expression,
}

/// A part of a program.
#[derive(Clone, Debug)]
pub struct Node {
    kind: Kind,
    parts: Vec<Part>,
}

/// Text, or a part that can be replaced.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text.
    Text(String),
    /// A part that can be replaced.
    Node(Node),
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Part::Text(text.to_owned())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Part::Text(text)
    }
}

impl From<Node> for Part {
    fn from(node: Node) -> Self {
        Part::Node(node)
    }
}

/// A node of this kind with these parts.
macro_rules! node {
    ($kind:ident: $($part:expr),* $(,)?) => {
        $crate::c::tree::Node::new($crate::c::tree::Kind::$kind, vec![$($part.into()),*])
    };
}
pub(crate) use node;

impl Node {
    /// A node of this kind with these parts.
    pub fn new(kind: Kind, parts: Vec<Part>) -> Self {
        Self { kind, parts }
    }

    /// Adds a part at the end.
    pub fn push(&mut self, part: impl Into<Part>) {
        self.parts.push(part.into());
    }

    /// The text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(part) => {
                    let _ = text.write_str(part);
                }
                Part::Node(node) => node.write(text),
            }
        }
    }

    /// The nodes in it, nested ones too.
    fn count(&self) -> usize {
        self.children().map(|node| 1 + node.count()).sum()
    }

    fn children(&self) -> impl Iterator<Item = &Node> {
        self.parts.iter().filter_map(|part| match part {
            Part::Node(node) => Some(node),
            Part::Text(_) => None,
        })
    }

    /// The node with a number, counted from the outside in.
    fn numbered(&mut self, mut number: usize) -> Option<&mut Node> {
        for part in &mut self.parts {
            let Part::Node(node) = part else { continue };
            if number == 0 {
                return Some(node);
            }
            let count = 1 + node.count();
            if number < count {
                return node.numbered(number - 1);
            }
            number -= count;
        }
        None
    }

    /// By what it can be replaced, the boldest first.
    fn replacements(&self) -> Vec<Node> {
        let only = |part: Part| Node { kind: Kind::Fixed, parts: vec![part] };
        let inner = |kind: Kind| self.children().filter(move |node| node.kind == kind).cloned();
        match self.kind {
            Kind::Fixed => Vec::new(),
            Kind::Statement => {
                let mut list = vec![only("".into())];
                let hoisted: Vec<Part> = inner(Kind::Statement).map(Part::Node).collect();
                let nested = self.children().filter(|node| node.kind == Kind::Fixed);
                let nested = nested.map(|node| node.clone().into());
                let hoisted: Vec<Part> = hoisted.into_iter().chain(nested).collect();
                if !hoisted.is_empty() {
                    list.push(Node { kind: Kind::Fixed, parts: hoisted });
                }
                list
            }
            Kind::Expression if self.parts.len() == 1 && self.children().next().is_none() => Vec::new(),
            Kind::Expression => {
                let numbers =
                    ["0", "1"].map(|number| Node { kind: Kind::Expression, parts: vec![number.into()] });
                numbers.into_iter().chain(inner(Kind::Expression)).collect()
            }
        }
    }
}

/// The smallest program found that still fails, with at most so many attempts.
pub fn shrink(node: &Node, attempts: usize, mut fails: impl FnMut(&Node) -> bool) -> Node {
    let mut best = node.clone();
    let mut left = attempts;
    loop {
        let mut is_smaller = false;
        let mut number = 0;
        while let Some(replacements) = best.numbered(number).map(|node| node.replacements()) {
            let mut next = number + 1;
            for replacement in replacements {
                let mut smaller = best.clone();
                if let Some(place) = smaller.numbered(number) {
                    *place = replacement;
                }
                if left == 0 {
                    return best;
                }
                left -= 1;
                if fails(&smaller) {
                    best = smaller;
                    is_smaller = true;
                    next = number;
                    break;
                }
            }
            number = next;
        }
        if !is_smaller {
            return best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_deleted() {
        let sum = node!(Expression: "(", node!(Expression: "bad"), " + ", node!(Expression: "x"), ")");
        let inner = node!(Statement: "y = ", sum, ";\n");
        let program = node!(Fixed:
            node!(Statement: "a;\n"),
            node!(Statement: "if (c) {\n", inner, "}\n"),
            "end\n",
        );
        let small = shrink(&program, 1000, |node| node.text().contains("bad"));
        assert_eq!(small.text(), "y = bad;\nend\n");
    }

    #[test]
    fn attempts_are_counted() {
        let program = node!(Fixed: node!(Statement: "a;"), node!(Statement: "b;"));
        assert_eq!(shrink(&program, 1, |_| true).text(), "b;");
    }
}
