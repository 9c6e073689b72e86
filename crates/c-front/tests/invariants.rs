//! Texts of predicates: what is printed is read back, what people write is understood, mistakes have a column.

use arbtest::arbitrary::{Result as Drawn, Unstructured};
use throng_c_front::lower::{Options, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::{
    BinaryOperator, Expression, ExpressionId, Expressions, LocationId, Program, Scope, TemplateId,
    UnaryOperator, ValueType, Variable, VariableId,
};
use throng_cfa::invariant::*;

fn program(text: &str) -> Program {
    let declarations = "typedef unsigned long pthread_t; \
        int pthread_create(pthread_t *, void *, void *(*)(void *), void *); int __VERIFIER_nondet_int(void); \
        void __CPROVER_predicate(int); void reach_error(void); ";
    let text = format!("{declarations}{text}");
    match read_text("a.c", &text, &Preprocessing::default(), &Options::default()) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{}", errors.iter().map(|error| format!("{error}\n")).collect::<String>()),
    }
}

/// A program with variables of many kinds: two templates that both have an `l`, odd names, rows of scalars.
fn sample() -> Program {
    let mut program = program(
        "int x; unsigned y; unsigned char c; signed char d; _Bool b; long w; int row[4]; int single[1]; \
        enum color { RED, GREEN = 7 } color; \
        struct { int next; char tag[2]; } ring[3]; struct { int head; } queue; int mine; \
        void *worker(void *p) { int l = x; int own = y; signed char e = d; mine = own + e; \
            if (ring[l].next) row[l] = 1; ring[l].tag[1] = c; single[0] = l; queue.head = l; \
            if (b && w > color) reach_error(); return p; } \
        int main(void) { int l; pthread_t t; pthread_create(&t, 0, worker, 0); l = x; mine = l; color = RED; return 0; }",
    );
    let ghost = |name: &str, scope: Scope, bits: u32| Variable {
        name: name.to_owned(),
        function: None,
        scope,
        bits,
        ty: ValueType::Integer { is_signed: false },
        length: 1,
        initial: None,
        address: None,
        is_ghost: true,
    };
    let worker = template_named(&program, "worker").expect("there is such a template");
    let color = program.variables.iter_mut().find(|variable| variable.name == "color").expect("it is there");
    color.ty = ValueType::Enumeration(vec![("RED".to_owned(), 0), ("GREEN".to_owned(), 7)]);
    for name in
        ["waits for", "sc.buffer[i]", "it's \\ odd", "take_ticket()", "true", "u32", "lock.s", "lock.s"]
    {
        let bits = if name.len() % 2 == 0 { 13 } else { 1 };
        program.variables.push(ghost(name, Scope::Local(worker), bits));
        program.variables.push(ghost(name, Scope::Shared, 32));
        if name != "lock.s" {
            program.variables.pop();
        }
    }
    program
}

fn template(program: &Program, name: &str) -> TemplateId {
    template_named(program, name).expect("there is such a template")
}

fn both(program: &Program) -> Context {
    let worker = template(program, "worker");
    Context { active: Some(worker), passive: Some(worker), is_all: false }
}

/// A text as it is printed once read.
fn printed(program: &Program, context: Context, text: &str) -> Result<String, String> {
    let mut e = program.expressions.clone();
    let id = parse_predicate(program, &mut e, context, text).map_err(|error| error.with_column(text))?;
    expression_text(program, &e, id)
}

/// A random well-formed expression over the variables of `worker` as active and as passive thread.
fn random(
    u: &mut Unstructured<'_>,
    program: &Program,
    e: &mut Expressions,
    bits: u32,
    depth: u32,
) -> Drawn<ExpressionId> {
    const WIDTHS: [u32; 7] = [1, 8, 13, 32, 33, 64, 128];
    let worker = template(program, "worker");
    let kind = if depth == 0 { u.int_in_range(0..=2)? } else { u.int_in_range(0..=10)? };
    let fits = |u: &mut Unstructured<'_>,
                is_right: &dyn Fn(&Variable) -> bool|
     -> Drawn<Option<VariableId>> {
        let ids = (0..program.variables.len()).map(VariableId::new);
        let fitting: Vec<VariableId> =
            ids.filter(|&id| program.variable(id).bits == bits && is_right(program.variable(id))).collect();
        if fitting.is_empty() { Ok(None) } else { Ok(Some(*u.choose(&fitting)?)) }
    };
    let is_own = |v: &Variable| v.scope == Scope::Shared || v.scope == Scope::Local(worker);
    let found = match kind {
        0 => {
            let value: u128 = if u.arbitrary()? { u.int_in_range(0..=3)? } else { u.arbitrary()? };
            let value = if u.arbitrary()? { value.wrapping_neg() } else { value };
            return Ok(e.constant(value, bits));
        }
        1 => fits(u, &|v| v.length == 1 && is_own(v))?.map(Expression::Variable),
        2 => fits(u, &|v| v.length == 1 && v.scope == Scope::Local(worker))?.map(Expression::Passive),
        3 => {
            let variable = fits(u, &is_own)?;
            let width = *u.choose(&WIDTHS)?;
            let index = random(u, program, e, width, depth - 1)?;
            variable.map(|variable| Expression::Element(variable, index))
        }
        4 => Some(Expression::ThisThread),
        5 => {
            let operator = if u.arbitrary()? { UnaryOperator::Not } else { UnaryOperator::Negate };
            Some(Expression::Unary(operator, random(u, program, e, bits, depth - 1)?))
        }
        6 => {
            let condition = random(u, program, e, 1, depth - 1)?;
            let a = random(u, program, e, bits, depth - 1)?;
            Some(Expression::IfThenElse(condition, a, random(u, program, e, bits, depth - 1)?))
        }
        7 => {
            let narrow = *u.choose(&WIDTHS)?;
            let operand = random(u, program, e, narrow, depth - 1)?;
            (narrow < bits).then_some(Expression::Extend { operand, is_signed: u.arbitrary()? })
        }
        8 => {
            let wide = *u.choose(&WIDTHS)?;
            let operand = random(u, program, e, wide, depth - 1)?;
            let low = if wide < bits { 0 } else { u.int_in_range(0..=wide - bits)? };
            (wide >= bits).then_some(Expression::Extract { operand, low })
        }
        _ => {
            let operator = *u.choose(&OPERATORS)?;
            let width = if operator.is_comparison() { *u.choose(&WIDTHS)? } else { bits };
            let a = random(u, program, e, width, depth - 1)?;
            let b = random(u, program, e, width, depth - 1)?;
            (bits == 1 || !operator.is_comparison()).then_some(Expression::Binary(operator, a, b))
        }
    };
    Ok(match found {
        Some(expression) => e.insert(expression, bits),
        None => e.constant(u.arbitrary()?, bits),
    })
}

const OPERATORS: [BinaryOperator; 18] = [
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::UnsignedDivide,
    BinaryOperator::UnsignedRemainder,
    BinaryOperator::SignedDivide,
    BinaryOperator::SignedRemainder,
    BinaryOperator::And,
    BinaryOperator::Or,
    BinaryOperator::Xor,
    BinaryOperator::ShiftLeft,
    BinaryOperator::ShiftRightLogical,
    BinaryOperator::ShiftRightArithmetic,
    BinaryOperator::Equal,
    BinaryOperator::UnsignedLess,
    BinaryOperator::UnsignedLessOrEqual,
    BinaryOperator::SignedLess,
    BinaryOperator::SignedLessOrEqual,
];

#[test]
fn what_is_printed_is_read_back_as_the_same_expression() {
    let program = sample();
    let context = both(&program);
    arbtest::arbtest(|u| {
        let mut e = program.expressions.clone();
        let bits = *u.choose(&[1, 8, 13, 32, 64])?;
        let depth = u.int_in_range(0..=5)?;
        let id = random(u, &program, &mut e, bits, depth)?;
        let text = expression_text(&program, &e, id).unwrap();
        match parse_expression(&program, &mut e, context, &text) {
            Ok(back) => assert_eq!(back, id, "{text}"),
            Err(error) => panic!("{text}: {}", error.with_column(&text)),
        }
        if bits == 1 {
            let scope = Vec::new();
            let passive = Some(Party { template: template(&program, "worker"), scope });
            let predicate = Predicate { expression: id, active: context.active, passive };
            assert_eq!(check_predicate(&program, &e, &predicate), Ok(()), "{text}");
        }
        Ok(())
    })
    .budget_ms(2000);
}

#[test]
fn the_programs_own_conditions_are_read_back() {
    let program = sample();
    let main = template(&program, "main");
    let mut compared = 0;
    for edge in &program.edges {
        let template = program.location(edge.from).template;
        let context = Context { active: Some(template), passive: Some(main), is_all: false };
        let mut e = program.expressions.clone();
        if let Ok(text) = expression_text(&program, &e, edge.guard) {
            assert_eq!(parse_expression(&program, &mut e, context, &text).unwrap(), edge.guard, "{text}");
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn people_write_c() {
    let program = sample();
    let context = both(&program);
    for (written, read) in [
        ("x", "x != 0"),
        ("b", "b"),
        ("!x", "x == 0"),
        ("!b", "!b"),
        ("x<y", "x <u y"),
        ("x > -1", "-1 <s x"),
        ("own <= 0x10 && !(y >= 3)", "(own <=s 16) && (!(3 <=u y))"),
        ("x == 1 || x == 2 || x == 3", "(x == 1) || (x == 2) || (x == 3)"),
        ("x + 2 * 3 - 1 == own$", "((x + 6) - 1) == own$"),
        ("c < d", "u32(c) <s s32(d)"),
        ("c < x", "u32(c) <s x"),
        ("x < w", "s64(x) <s w"),
        ("y < w", "u64(y) <s w"),
        ("w / 2 == x % 3", "(w /s 2) == s64(x %s 3)"),
        ("y >> 1 == x >> 1", "(y >>u 1) == (x >>s 1)"),
        ("ring[own].next != NULL", "ring[own].next != 0"),
        ("row[3] == 'ring[].tag[]'[5]", "row[3] == s32('ring[].tag[]'[5])"),
        ("queue.head == single[0]", "queue.head == 'single[]'"),
        ("color == GREEN", "color == 7"),
        ("b ? x : y", "(b ? x : y) != 0"),
        ("this_thread == 1", "this_thread(64) == 1"),
        ("'waits for' == 'waits for'$", "'waits for' == 'waits for'$"),
        ("u8(x) == 1 && bits(x, 8, 8) == c", "(bits(x, 0, 8) == 1) && (bits(x, 8, 8) == c)"),
        ("true != b", "true != b"),
        ("- 1 == x", "-1 == x"),
    ] {
        assert_eq!(printed(&program, context, written), Ok(read.to_owned()), "{written}");
        let again = printed(&program, context, read);
        assert_eq!(again, Ok(read.to_owned()), "{written}: {read}");
    }
}

#[test]
fn mistakes_have_a_column() {
    let program = sample();
    let context = both(&program);
    for (text, column, part) in [
        ("x ==", 5, "ends too early"),
        ("x = 1", 3, "has no meaning"),
        ("x == 1)", 7, "an operator or the end"),
        ("(x == 1", 8, "expected `)`"),
        ("x == zzz", 6, "no variable is called `zzz`"),
        ("x == QUEUE.head", 6, "perhaps `queue.head`"),
        ("1 + lock.s", 5, "`lock.s#"),
        ("x$ == 1", 1, "is shared"),
        ("own#999 == 1", 1, "variable 999 is not called `own`"),
        ("c < 300", 5, "300 does not fit into 8 bits"),
        ("c == -129", 6, "-129 does not fit"),
        ("1 == 2", 1, "how wide"),
        ("row == 1", 1, "4 scalars"),
        ("row[4] == 1", 5, "an index below 4"),
        ("x == f(1)", 6, "cannot call `f`"),
        ("bits(x, 30, 3) == 1", 1, "not within 32 bits"),
        ("u129(x) == 1", 1, "129 bits"),
        ("x == 08", 6, "not a number"),
        ("x == 'no end", 6, "does not end"),
        ("ä == 1", 1, "`ä` has no meaning"),
        ("ring[1].tag[1] == 1", 1, "'ring[].tag[]'[7]"),
        ("x == 340282366920938463463374607431768211456", 6, "128 bits"),
        ("", 1, "ends too early"),
    ] {
        let error = printed(&program, context, text).expect_err(text);
        assert!(error.starts_with(&format!("column {column}:")) && error.contains(part), "{text}: {error}");
    }
    let shared = Context::default();
    let error = printed(&program, shared, "x == own").unwrap_err();
    assert_eq!(
        error,
        "column 6: the thread that this is about has no variable `own` (there is `own` (local to worker, of worker))"
    );
    assert!(printed(&program, shared, "this_thread == 1").is_err());
}

#[test]
fn nesting_is_limited_and_chains_are_not() {
    let program = sample();
    let context = both(&program);
    for (open, close) in
        [("(", ")"), ("!", ""), ("x == 1 && (", ")"), ("row[", "]"), ("b ? x : ", ""), ("u64(", ")")]
    {
        let text = format!("{}x{}", open.repeat(100_000), close.repeat(100_000));
        let error = printed(&program, context, &text).expect_err(open);
        assert!(error.contains("nested more than 200 deep"), "{open}: {error}");
    }
    let chain = vec!["x == 1"; 5000].join(" && ");
    assert!(printed(&program, context, &chain).is_ok());

    let mut e = program.expressions.clone();
    let x = parse_expression(&program, &mut e, context, "x").unwrap();
    let mut deep = |levels: usize| {
        let mut id = x;
        for _ in 0..levels {
            let bits = e.bits(id);
            id = e.insert(Expression::Unary(UnaryOperator::Negate, id), bits);
        }
        let text = expression_text(&program, &e, id)?;
        assert_eq!(parse_expression(&program, &mut e, context, &text), Ok(id));
        Ok::<(), String>(())
    };
    assert_eq!(deep(MAX_DEPTH - 1), Ok(()));
    assert_eq!(deep(MAX_DEPTH), Err("it is nested more than 200 deep".to_owned()));
    // Each level has the one below twice.
    let mut id = x;
    for _ in 0..100 {
        let bits = e.bits(id);
        id = e.insert(Expression::Binary(BinaryOperator::Subtract, id, id), bits);
    }
    assert!(expression_text(&program, &e, id).unwrap_err().contains("longer"));
}

#[test]
fn any_text_is_read_or_refused() {
    let program = sample();
    let context = both(&program);
    let words = [
        "x",
        "y",
        "own",
        "$",
        "#3",
        "'waits for'",
        "(",
        ")",
        "[",
        "]",
        "<u ",
        " <s ",
        "==",
        "!",
        "~",
        "-",
        "1",
        "300",
        "?",
        ":",
        "u64(",
        "bits(",
        ",",
        "row",
        ".",
        "&&",
        "<<",
        "true",
        "this_thread",
        "'",
        "\\",
        "//",
        "ä",
        "all worker:",
        "\n",
    ];
    arbtest::arbtest(|u| {
        let mut text = String::new();
        for _ in 0..u.int_in_range(0..=12)? {
            text.push_str(u.choose(&words)?);
            if u.arbitrary()? {
                text.push(' ');
            }
        }
        let _ = printed(&program, context, &text);
        let mut predicates = Predicates::new(program.expressions.clone());
        let _ = read_predicates(&program, "p.txt", &text, &mut predicates);
        for predicate in &predicates.list {
            assert_eq!(check_predicate(&program, &predicates.expressions, predicate), Ok(()), "{text}");
        }
        Ok(())
    })
    .budget_ms(1000);
}

#[path = "invariants/files.rs"]
mod files;
