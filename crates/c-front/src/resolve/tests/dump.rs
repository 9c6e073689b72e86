//! The typed program in a compact form: `{a + (long) b: long}` without spaces where none are needed.

use crate::hir::*;
use crate::resolve::operators::symbol;

pub(super) fn body(program: &Program, name: &str) -> String {
    let function =
        program.functions.iter().find(|function| function.name == name).expect("the function is there");
    let dump = Dump { program, function };
    dump.statements(function.body.as_deref().expect("it has a body"))
}

/// The stores of a global variable.
pub(super) fn initial(program: &Program, name: &str) -> String {
    let object = program.objects.iter().find(|object| object.name == name).expect("the variable is there");
    let function = program.functions.first().expect("there is a function");
    let dump = Dump { program, function };
    dump.stores(&object.initial)
}

struct Dump<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Dump<'_> {
    fn statements(&self, statements: &[Statement]) -> String {
        statements.iter().map(|statement| self.statement(statement)).collect::<Vec<_>>().join(" ")
    }

    fn statement(&self, statement: &Statement) -> String {
        match &statement.kind {
            StatementKind::Expression(e) => format!("{};", self.value(e)),
            StatementKind::Declare(object, None) => format!("let {};", self.object(*object)),
            StatementKind::Declare(object, Some(stores)) => {
                format!("let {} = {};", self.object(*object), self.stores(stores))
            }
            StatementKind::Block(body) => format!("{{ {} }}", self.statements(body)),
            StatementKind::If { condition, then, otherwise } => {
                let (then, otherwise) = (self.statements(then), self.statements(otherwise));
                format!("if {} {{ {then} }} else {{ {otherwise} }}", self.value(condition))
            }
            StatementKind::Loop { condition, is_do, step, body } => {
                let condition = condition.as_ref().map_or(String::new(), |e| self.value(e));
                let step = step.as_ref().map_or(String::new(), |e| self.value(e));
                let word = if *is_do { "do" } else { "loop" };
                format!("{word} [{condition};{step}] {{ {} }}", self.statements(body))
            }
            StatementKind::Switch { value, body } => {
                format!("switch {} {{ {} }}", self.value(value), self.statements(body))
            }
            StatementKind::Case(a, b) if a == b => format!("case {a}:"),
            StatementKind::Case(a, b) => format!("case {a}..{b}:"),
            StatementKind::Default => "default:".to_owned(),
            StatementKind::Label(label) => format!("{}:", self.function.labels[label.index()].name),
            StatementKind::Goto(label) => format!("goto {};", self.function.labels[label.index()].name),
            StatementKind::Break => "break;".to_owned(),
            StatementKind::Continue => "continue;".to_owned(),
            StatementKind::Return(None) => "return;".to_owned(),
            StatementKind::Return(Some(e)) => format!("return {};", self.value(e)),
            StatementKind::Unmodelled(unmodelled) => format!("{}!;", unmodelled.code),
        }
    }

    fn stores(&self, stores: &[Store]) -> String {
        let stores: Vec<String> = stores
            .iter()
            .map(|store| {
                let path: String = store
                    .path
                    .iter()
                    .map(|step| match step {
                        Step::Field(index) => format!(".{index}"),
                        Step::Element(index) => format!("[{index}]"),
                    })
                    .collect();
                format!("{path}={}", self.value(&store.value))
            })
            .collect();
        format!("{{{}}}", stores.join(","))
    }

    fn object(&self, object: ObjectId) -> String {
        self.program.objects[object.index()].name.clone()
    }

    /// A short name of a type: `i32`, `u8`, `*i32`.
    pub(super) fn ty(&self, ty: TypeId) -> String {
        short_type(self.program, ty)
    }

    fn value(&self, e: &Expression) -> String {
        let ty = self.ty(e.ty);
        match &e.kind {
            ExpressionKind::Constant(value) => format!("{value}:{ty}"),
            ExpressionKind::Load(place) => self.place(place),
            ExpressionKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExpressionKind::FunctionAddress(f) => format!("&{}", self.program.functions[f.index()].name),
            ExpressionKind::Negate(a) => format!("-{}", self.value(a)),
            ExpressionKind::BitNot(a) => format!("~{}", self.value(a)),
            ExpressionKind::Not(a) => format!("!{}", self.value(a)),
            ExpressionKind::Binary(op, a, b) => {
                format!("({} {} {}):{ty}", self.value(a), symbol(*op), self.value(b))
            }
            ExpressionKind::Offset { pointer, index, size, is_negative } => {
                let sign = if *is_negative { '-' } else { '+' };
                format!("({} {sign} {size}*{})", self.value(pointer), self.value(index))
            }
            ExpressionKind::Difference(a, b, size) => {
                format!("(({} - {})/{size}):{ty}", self.value(a), self.value(b))
            }
            ExpressionKind::And(a, b) => format!("({} && {})", self.value(a), self.value(b)),
            ExpressionKind::Or(a, b) => format!("({} || {})", self.value(a), self.value(b)),
            ExpressionKind::Conditional(c, a, b) => {
                format!("({} ? {} : {}):{ty}", self.value(c), self.value(a), self.value(b))
            }
            ExpressionKind::Elvis(a, b) => format!("({} ?: {}):{ty}", self.value(a), self.value(b)),
            ExpressionKind::Comma(a, b) => format!("({}, {})", self.value(a), self.value(b)),
            ExpressionKind::Convert(a) => format!("({ty}){}", self.value(a)),
            ExpressionKind::Assign(place, a) => format!("{} = {}", self.place(place), self.value(a)),
            ExpressionKind::Update { place, operator, value, computed, size, is_postfix } => {
                let scale = size.map_or(String::new(), |size| format!("{size}*"));
                let post = if *is_postfix { "post " } else { "" };
                let computed = self.ty(*computed);
                format!(
                    "{post}{} {}={computed} {scale}{}",
                    self.place(place),
                    symbol(*operator),
                    self.value(value)
                )
            }
            ExpressionKind::Call(callee, arguments) => {
                let callee = match callee {
                    Callee::Direct(f) => self.program.functions[f.index()].name.clone(),
                    Callee::Indirect(e) => format!("*{}", self.value(e)),
                };
                format!("{callee}({}):{ty}", self.values(arguments))
            }
            ExpressionKind::Builtin(builtin, arguments) => {
                format!("{builtin:?}({}):{ty}", self.values(arguments))
            }
            ExpressionKind::Block(statements, value) => {
                let value = value.as_ref().map_or(String::new(), |e| self.value(e));
                format!("({{ {} {value} }})", self.statements(statements))
            }
            ExpressionKind::Unmodelled(unmodelled, operands) => {
                format!("{}!({}):{ty}", unmodelled.code, self.values(operands))
            }
        }
    }

    fn values(&self, values: &[Expression]) -> String {
        values.iter().map(|e| self.value(e)).collect::<Vec<_>>().join(", ")
    }

    fn place(&self, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Object(object) => self.object(*object),
            PlaceKind::Dereference(e) => format!("*{}", self.value(e)),
            PlaceKind::Member(inner, index) => {
                let name = match &self.program.types[inner.ty.index()].kind {
                    TypeKind::Record(id) => self.program.records[id.index()]
                        .fields
                        .as_ref()
                        .and_then(|fields| fields[*index as usize].name.clone()),
                    _ => panic!("a member of something that has none"),
                };
                format!("{}.{}", self.place(inner), name.unwrap_or_else(|| index.to_string()))
            }
            PlaceKind::Element(inner, index) => format!("{}[{}]", self.place(inner), self.value(index)),
            PlaceKind::Value(e) => format!("<{}>", self.value(e)),
        }
    }
}

pub(super) fn short_type(program: &Program, ty: TypeId) -> String {
    let ty = &program.types[ty.index()];
    let mut name = match &ty.kind {
        TypeKind::Void => "void".to_owned(),
        TypeKind::Bool => "bool".to_owned(),
        TypeKind::Integer { bits, is_signed, rank } => {
            let letter = if *is_signed { 'i' } else { 'u' };
            let long = if *rank == crate::syntax::IntegerWord::LongLong { "ll" } else { "" };
            format!("{letter}{bits}{long}")
        }
        TypeKind::Floating { bytes, .. } => format!("f{}", 8 * bytes),
        TypeKind::Pointer(to) => format!("*{}", short_type(program, *to)),
        TypeKind::Array { element, length } => {
            format!(
                "[{}{}]",
                length.map_or(String::new(), |n| format!("{n} ")),
                short_type(program, *element)
            )
        }
        TypeKind::Record(id) => program.records[id.index()].name.clone(),
        TypeKind::Function { result, parameters, is_variadic } => {
            let mut list: Vec<String> = parameters.iter().map(|&ty| short_type(program, ty)).collect();
            if *is_variadic {
                list.push("...".to_owned());
            }
            format!("fn({})->{}", list.join(","), short_type(program, *result))
        }
        TypeKind::VaList => "va_list".to_owned(),
    };
    if let Some(opaque) = ty.opaque {
        name = format!("{opaque:?}");
    }
    for (is_set, word) in [
        (ty.qualifiers.is_const, "const "),
        (ty.qualifiers.is_volatile, "volatile "),
        (ty.qualifiers.is_atomic, "atomic "),
    ] {
        if is_set {
            name.insert_str(0, word);
        }
    }
    name
}
