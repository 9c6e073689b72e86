//! Sizes, offsets, values and types of constant expressions, compared with the system's GCC where there is one: our numbers become
//! static assertions that it has to accept.

use super::{dump, resolve_texts};
use crate::hir::{DataModel, Program, TypeKind};
use std::io::Write;
use std::process::{Command, Stdio};

/// Whether GCC accepts a text; `None` if there is no GCC for this machine.
fn accepted(text: &str, model: DataModel) -> Option<Result<(), String>> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return None;
    }
    let width = if model == DataModel::Lp64 { "-m64" } else { "-m32" };
    let mut child = Command::new("gcc")
        .arg(width)
        .args(["-std=gnu11", "-fsyntax-only", "-w", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    Some(if output.status.success() { Ok(()) } else { Err(message) })
}

/// Random structs, from a small generator of numbers.
fn random_struct(seed: u64, index: usize) -> String {
    let mut state =
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (index as u64 + 1).wrapping_mul(0xd1b5_4a32_d192_ed03);
    let mut next = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let scalars = [
        "char",
        "short",
        "int",
        "long",
        "unsigned char",
        "unsigned",
        "long long",
        "double",
        "float",
        "void *",
        "_Bool",
    ];
    let integers = [
        ("char", 8),
        ("unsigned short", 16),
        ("int", 32),
        ("unsigned", 32),
        ("long", 32),
        ("unsigned long long", 64),
    ];
    let mut members = String::new();
    for member in 0..1 + next(7) {
        let line = match next(6) {
            0 | 1 => format!("{} m{member};", scalars[next(11) as usize]),
            2 => format!("{} m{member}[{}];", scalars[next(11) as usize], 1 + next(4)),
            3 | 4 => {
                let (word, bits) = integers[next(6) as usize];
                match next(6) {
                    0 => format!("{word} : {};", next(bits)),
                    _ => format!("{word} m{member} : {};", 1 + next(bits)),
                }
            }
            _ => format!("union {{ char a{member}; {} b{member}; }};", scalars[next(11) as usize]),
        };
        members.push_str(&line);
    }
    let word = if next(5) == 0 { "union" } else { "struct" };
    let packed = if next(5) == 0 { "__attribute__((packed))" } else { "" };
    format!("{word} s{index} {{ int first; {members} }} {packed};")
}

fn program(text: &str, model: DataModel) -> Program {
    resolve_texts(&[text], model)
        .map(|(program, _)| program)
        .unwrap_or_else(|errors| panic!("{}", super::lines(&errors)))
}

fn layout_assertions(program: &Program) -> String {
    let mut text = String::new();
    for record in program.records.iter().filter(|record| record.name.starts_with('s')) {
        let word = if record.is_union { "union" } else { "struct" };
        let name = format!("{word} {}", record.name);
        let (size, alignment) = (record.size, record.alignment);
        text.push_str(&format!(
            "_Static_assert(sizeof({name}) == {size} && _Alignof({name}) == {alignment}, \"{name}\");\n"
        ));
        for field in record.fields.iter().flatten() {
            if let (Some(member), None) = (&field.name, field.bits) {
                let offset = field.offset;
                text.push_str(&format!(
                    "_Static_assert(__builtin_offsetof({name}, {member}) == {offset}, \"{name}.{member}\");\n"
                ));
            }
        }
    }
    text
}

#[test]
fn layouts_agree_with_gcc() {
    let structs: Vec<String> = (0..400).map(|index| random_struct(7, index)).collect();
    let text = structs.join("\n");
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let assertions = layout_assertions(&program(&text, model));
        assert!(assertions.lines().count() > 800);
        if let Some(Err(message)) = accepted(&format!("{text}\n{assertions}"), model) {
            panic!("{}", message.lines().take(20).collect::<Vec<_>>().join("\n"));
        }
    }
}

/// Constant expressions at the edges of types.
fn constants() -> Vec<String> {
    let operands = [
        "0",
        "1",
        "-1",
        "2147483647",
        "(-2147483647-1)",
        "0xffffffffu",
        "1L",
        "-1L",
        "0x7fffffffffffffffL",
        "~0UL",
        "1ULL",
        "(char)200",
        "(unsigned char)200",
        "(short)-7",
        "(unsigned short)65535",
        "(_Bool)5",
        "'x'",
        "sizeof(long)",
        "(int)0x80000001",
        "E",
        "F",
    ];
    let mut texts = Vec::new();
    for a in operands {
        for operator in ["-", "~", "!", "+", "(char)", "(unsigned short)", "(_Bool)", "(long)", "(unsigned)"]
        {
            texts.push(format!("{operator}({a})"));
        }
        for b in operands {
            for operator in ["*", "+", "-", "<", ">=", "==", "&", "^", "|", "&&", "||"] {
                texts.push(format!("({a}) {operator} ({b})"));
            }
            texts.push(format!("({a}) ? ({b}) : ({a})"));
            texts.push(format!("({a}) / (({b}) | 1)"));
            texts.push(format!("({a}) % (({b}) | 1)"));
            texts.push(format!("({a}) << (({b}) & 7)"));
            texts.push(format!("({a}) >> (({b}) & 31)"));
        }
    }
    texts
}

/// The name in C of the type that we give an expression.
fn c_type(ty: &crate::hir::Type) -> Option<&'static str> {
    Some(match &ty.kind {
        TypeKind::Bool => "_Bool",
        TypeKind::Integer { bits: 8, is_signed: true, .. } => "char",
        TypeKind::Integer { bits: 8, is_signed: false, .. } => "unsigned char",
        TypeKind::Integer { bits: 16, is_signed: true, .. } => "short",
        TypeKind::Integer { bits: 16, is_signed: false, .. } => "unsigned short",
        TypeKind::Integer { rank: crate::syntax::IntegerWord::Int, is_signed, .. } => {
            if *is_signed {
                "int"
            } else {
                "unsigned"
            }
        }
        TypeKind::Integer { rank: crate::syntax::IntegerWord::Long, is_signed, .. } => {
            if *is_signed {
                "long"
            } else {
                "unsigned long"
            }
        }
        TypeKind::Integer { rank: crate::syntax::IntegerWord::LongLong, is_signed, .. } => {
            if *is_signed {
                "long long"
            } else {
                "unsigned long long"
            }
        }
        _ => return None,
    })
}

#[test]
fn constants_agree_with_gcc() {
    check_constants(DataModel::Lp64);
    check_constants(DataModel::Ilp32);
}

fn check_constants(model: DataModel) {
    let constants = constants();
    // Each is the value of a variable of its own type, so that both are seen.
    let mut text = "enum { E = -3, F = 7 };\n".to_owned();
    for (index, constant) in constants.iter().enumerate() {
        text.push_str(&format!("__auto_type v{index} = {constant};\n"));
    }
    text.push_str("void f(void) {}");
    let program = program(&text, model);
    let mut assertions = "enum { E = -3, F = 7 };\n".to_owned();
    for (index, constant) in constants.iter().enumerate() {
        let object = &program.objects[index];
        assert_eq!(object.name, format!("v{index}"));
        let initial = dump::initial(&program, &object.name);
        let value = initial.trim_start_matches("{=").split(':').next().expect("a number").to_owned();
        let name = c_type(&program.types[object.ty.index()]).expect("an integer");
        assertions.push_str(&format!(
            "_Static_assert(({constant}) == ({name}){value}ull, \"{constant} is not {value}\");\n\
             _Static_assert(_Generic(({constant}), {name}: 1, default: 0), \"{constant} is not {name}\");\n"
        ));
    }
    assert!(constants.len() > 5000);
    if let Some(Err(message)) = accepted(&assertions, model) {
        panic!("{}", message.lines().take(40).collect::<Vec<_>>().join("\n"));
    }
}
