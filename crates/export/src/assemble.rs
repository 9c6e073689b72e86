//! The file that comes out: what it is, the runtime, the program's text, the tables, and a `main`.

use crate::rewrite::{Rewritten, disjoint, has_own_locks};
use crate::schedule::{STARTER, Schedule};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use throng_base::Span;
use throng_c_front::hir::{self, Storage, TypeKind};
use throng_c_front::lower::{Options, Whole};
use throng_cfa::flow::{Program, PropertyKind};

/// The parts that the runtime has in common.
pub(crate) const COMMON: &str = include_str!("runtime/common.c");
const FORCE: &str = include_str!("runtime/force.c");

/// The built-ins that our `<stdatomic.h>` uses take structs as well; those of compilers do not, but have others that do.
const ATOMIC_RECORDS: &str = "\
#define __throng_unqualified(p) __typeof__((void)0, *(p))
#define __atomic_load_n(p, order) ({ __auto_type __throng_p = (p); \\
    __throng_unqualified(__throng_p) __throng_v; __atomic_load(__throng_p, &__throng_v, order); __throng_v; })
#define __atomic_store_n(p, v, order) ({ __auto_type __throng_p = (p); \\
    __throng_unqualified(__throng_p) __throng_v = (v); __atomic_store(__throng_p, &__throng_v, order); })
#define __atomic_exchange_n(p, v, order) ({ __auto_type __throng_p = (p); \\
    __throng_unqualified(__throng_p) __throng_v = (v), __throng_o; \\
    __atomic_exchange(__throng_p, &__throng_v, &__throng_o, order); __throng_o; })
#define __atomic_compare_exchange_n(p, e, v, weak, yes, no) ({ __auto_type __throng_p = (p); \\
    __throng_unqualified(__throng_p) __throng_v = (v); \\
    __atomic_compare_exchange(__throng_p, e, &__throng_v, weak, yes, no); })
";

/// Whether a struct or union is accessed atomically.
fn has_atomic_records(typed: &hir::Program) -> bool {
    typed.types.iter().any(|ty| ty.qualifiers.is_atomic && matches!(ty.kind, TypeKind::Record(_)))
}

/// What a file is made of.
pub(crate) struct Parts<'a> {
    pub(crate) typed: &'a hir::Program,
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    pub(crate) rewritten: &'a Rewritten,
    /// Where the user's text ends: our model of the library comes after it, and the library itself takes its place.
    end: usize,
}

impl<'a> Parts<'a> {
    /// The parts of a program.
    pub(crate) fn new(whole: &'a Whole, options: &'a Options, rewritten: &'a Rewritten) -> Self {
        let library = whole.units.iter().find(|unit| unit.is_library);
        let length = whole.typed.text.source().text().len();
        let end = library.map_or(length, |unit| unit.span.start as usize);
        Self { typed: &whole.typed, program: &whole.program, options, rewritten, end }
    }

    /// The program that forces an interleaving.
    pub(crate) fn forced(&self, schedule: &Schedule, head: &str) -> String {
        let (n_steps, n_values) = (schedule.steps.len(), schedule.values.len());
        let n_orders = schedule.orders.len();
        let n_points: usize = schedule.steps.iter().map(|step| step.points.len()).sum();
        let expected = schedule.property.map_or(usize::MAX, |property| self.same_property(property.index()));
        let mut out = head.to_owned();
        out.push_str(&own_locks(self.typed));
        out.push_str("struct __throng_step { unsigned thread, first, count; int result; };\n");
        out.push_str("struct __throng_value { unsigned thread, point, part; unsigned long long value; };\n");
        out.push_str("struct __throng_turn_of { unsigned thread, site; unsigned long long order; };\n");
        out.push_str("struct __throng_property { const char *text; int is_reach; };\n");
        let _ = writeln!(out, "static const struct __throng_step __throng_steps[{}];", n_steps + 1);
        let _ = writeln!(out, "static const struct __throng_value __throng_values[{}];", n_values + 1);
        let _ = writeln!(out, "static const struct __throng_turn_of __throng_orders[{}];", n_orders + 1);
        let _ = writeln!(out, "static const unsigned __throng_points[{}];", n_points + 1);
        out.push_str(&self.properties());
        let _ = writeln!(
            out,
            "enum {{ __throng_n_steps = {n_steps}, __throng_n_values = {n_values}, __throng_n_orders = {n_orders}, __throng_failing = {} }};\n\
             static const unsigned __throng_expected = {}u;\n",
            schedule.failing, expected as u32
        );
        out.push_str(COMMON);
        out.push_str(FORCE);
        out.push_str(&self.text());
        out.push_str(&self.externals());
        self.tables(schedule, &mut out);
        self.main(schedule, &mut out);
        out
    }

    /// The number that the text gives to a property: the first with its place.
    pub(crate) fn same_property(&self, index: usize) -> usize {
        let list = &self.program.properties;
        let place = |index: usize| &self.program.site(list[index].site).position;
        let is_label = list[index].text.starts_with("label ");
        (0..list.len())
            .find(|&other| {
                let is_here = if is_label {
                    list[other].text == list[index].text
                } else {
                    place(other) == place(index)
                };
                is_here && is_told(list[other].kind) == is_told(list[index].kind)
            })
            .unwrap_or(index)
    }

    /// What a property is called in messages.
    pub(crate) fn property_text(&self, index: usize) -> String {
        let property = &self.program.properties[index];
        let position = &self.program.site(property.site).position;
        format!("{} ({}:{})", property.text, position.file, position.line)
    }

    pub(crate) fn properties(&self) -> String {
        let mut out = String::from("static const struct __throng_property __throng_properties[] = {\n");
        for (index, property) in self.program.properties.iter().enumerate() {
            let is_reach = property.kind == PropertyKind::Reach;
            let _ =
                writeln!(out, "    {{ {}, {} }},", quoted(&self.property_text(index)), u8::from(is_reach));
        }
        out.push_str("    { \"\", 0 } };\n");
        out
    }

    /// The program's text without the headers of the system, which are included instead.
    pub(crate) fn text(&self) -> String {
        let text = &self.typed.text;
        let whole = text.source().text();
        let markers = text.markers();
        let is_user =
            |file: &str| markers.iter().any(|m| m.file == file && !m.is_system) && !file.starts_with('<');
        let mut headers = BTreeSet::new();
        let mut edits = self.rewritten.edits.clone();
        let mut before = "";
        for (index, marker) in markers.iter().enumerate() {
            let start = marker.offset as usize;
            let end = markers.get(index + 1).map_or(whole.len(), |next| next.offset as usize);
            let is_blank = whole[start..end].trim().is_empty();
            if is_user(&marker.file) {
                // In the midst of what is replaced, it is left out.
                if !is_blank {
                    let line = format!("\n# {} {}\n", marker.line, quoted(&marker.file));
                    edits.push((Span::new(start, start), line));
                }
            } else {
                // Our own headers stand for those of the system, the others are included by those that the user names.
                let is_header = marker.is_system && start < self.end;
                if is_header && (is_user(before) || marker.file.starts_with('<')) {
                    headers.insert(marker.file.clone());
                }
                edits.push((Span::new(start, end), String::new()));
            }
            before = &marker.file;
        }
        // The preprocessor's output has no pragmas left; what they say about the layout is put back.
        for &(offset, pack) in text.packs() {
            let pack = pack.map_or_else(String::new, |bytes| bytes.to_string());
            let at = offset as usize;
            edits.push((Span::new(at, at), format!("_Pragma(\"pack({pack})\") ")));
        }
        let mut out = String::new();
        for (name, _) in &self.rewritten.helpers {
            let _ = writeln!(out, "static void *{name}(void *);");
        }
        out.push_str("\n/* ---- the program ---- */\n");
        for header in headers {
            let _ = match header.strip_prefix('<') {
                Some(_) => writeln!(out, "#include {header}"),
                None => writeln!(out, "#include {}", quoted(&header)),
            };
        }
        if has_atomic_records(self.typed) {
            out.push_str(ATOMIC_RECORDS);
        }
        out.push_str("#define main __throng_main\n");
        let mut at = 0;
        for (edit, new) in disjoint(edits) {
            push_text(&mut out, &whole[at..edit.start as usize]);
            out.push_str(&new);
            at = edit.end as usize;
        }
        push_text(&mut out, &whole[at..]);
        out.push_str("\n#undef main\n");
        for (name, body) in &self.rewritten.helpers {
            let _ = writeln!(out, "static void *{name}(void *__throng_a) {body}");
        }
        out
    }

    /// Definitions of objects that are declared only.
    pub(crate) fn externals(&self) -> String {
        let mut out = String::new();
        for object in &self.typed.objects {
            let is_user = !self.typed.text.is_system(object.span.start);
            if object.is_external && object.storage == Storage::Static && is_user {
                let _ = writeln!(out, "__typeof__({0}) {0};", object.name);
            }
        }
        out
    }

    fn tables(&self, schedule: &Schedule, out: &mut String) {
        let mut points = Vec::new();
        let _ = writeln!(out, "\n/* ---- the schedule: thread, points, result ---- */");
        let n_steps = schedule.steps.len();
        let _ = writeln!(out, "static const struct __throng_step __throng_steps[{}] = {{", n_steps + 1);
        for step in &schedule.steps {
            let (first, count) = (points.len(), step.points.len());
            points.extend(step.points.iter().copied());
            let place = step.points.first().map_or_else(String::new, |&point| self.place(point));
            let _ =
                writeln!(out, "    {{ {}, {first}, {count}, {} }}, /* {place} */", step.thread, step.result);
        }
        out.push_str("    { 0, 0, 0, 0 } };\n");
        let list: String = points.iter().map(|point| format!("{point}, ")).collect();
        let _ = writeln!(out, "static const unsigned __throng_points[{}] = {{ {list}0 }};", points.len() + 1);
        let n_values = schedule.values.len();
        let _ = writeln!(out, "static const struct __throng_value __throng_values[{}] = {{", n_values + 1);
        for value in &schedule.values {
            let place = self.place(value.point);
            let _ = writeln!(
                out,
                "    {{ {}, {}, {}, {} }}, /* {place} */",
                value.thread, value.point, value.part, value.text
            );
        }
        out.push_str("    { 0, 0, 0, 0 } };\n");
        let n_orders = schedule.orders.len();
        let _ = writeln!(out, "static const struct __throng_turn_of __throng_orders[{}] = {{", n_orders + 1);
        for order in &schedule.orders {
            let _ = writeln!(out, "    {{ {}, {}, {:#x}ULL }},", order.thread, order.site, order.code);
        }
        out.push_str("    { 0, 0, 0 } };\n");
    }

    /// Where a point is, for a comment.
    pub(crate) fn place(&self, point: u32) -> String {
        let Some(&span) = self.rewritten.points.get((point as usize).wrapping_sub(1)) else {
            return "a thread starts".to_owned();
        };
        let position = self.typed.text.position(span.start);
        let words: Vec<&str> = self.typed.text.slice(span).split_whitespace().collect();
        let text: String =
            words.join(" ").replace("*/", "* /").replace("/*", "/ *").chars().take(60).collect();
        format!("line {}: {text}", position.line)
    }

    fn main(&self, schedule: &Schedule, out: &mut String) {
        for (number, started) in schedule.started.iter().enumerate() {
            let _ = writeln!(
                out,
                "static void *__throng_thread{number}(void *unused) {{ (void)unused; (void){}({}); return (void *)0; }}",
                started.function,
                started.arguments.join(", ")
            );
        }
        out.push_str("\nint main(int argc, char **argv) {\n    (void)argc, (void)argv;\n");
        for (name, value) in &schedule.start {
            let _ = writeln!(
                out,
                "    {{ unsigned long long v = {value}; __builtin_memcpy((void *)&({name}), &v, sizeof({name})); }}"
            );
        }
        if self.options.threads_run.is_empty() {
            out.push_str(&self.call_main(schedule.argc));
        } else {
            for number in 0..schedule.started.len() {
                let _ = writeln!(
                    out,
                    "    __throng_start({STARTER}, __throng_thread{number}, (void *)0, (void *)0);"
                );
            }
        }
        out.push_str("    __throng_finish();\n    return 0;\n}\n");
    }

    /// The call of the program's own `main`.
    pub(crate) fn call_main(&self, argc: Option<u128>) -> String {
        let main = self.typed.functions.iter().find(|f| f.name == "main" && f.body.is_some());
        let n_parameters = main.map_or(0, |main| main.parameters.len());
        let count = argc.map_or_else(|| "argc".to_owned(), |argc| (argc as u32).to_string());
        let arguments = ["", &count, &format!("{count}, argv"), &format!("{count}, argv, (char **)0")];
        format!("    __throng_main({});\n", arguments[n_parameters.min(3)])
    }
}

/// Adds text without the blanks that line markers have left.
fn push_text(out: &mut String, text: &str) {
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() && line.ends_with('\n') {
            out.push('\n');
        } else {
            out.push_str(line);
        }
    }
}

/// What the text tells of a property: assertions and calls, who holds a mutex, or nothing.
fn is_told(kind: PropertyKind) -> u8 {
    match kind {
        PropertyKind::Assertion | PropertyKind::Reach => 1,
        PropertyKind::Mutex => 2,
        _ => 0,
    }
}

/// Tells the runtime whether the text declares mutexes by itself.
pub(crate) fn own_locks(typed: &hir::Program) -> String {
    format!("enum {{ __throng_is_own = {} }};\n", u8::from(has_own_locks(typed)))
}

/// A string literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '?' => out.push_str("\\?"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
