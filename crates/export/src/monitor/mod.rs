//! A program that tests an invariant while it runs: the user's text with points (`crate::rewrite`), a scheduler that lets one
//! thread move at a time, chosen at random (`runtime/monitor.c`), and a look at the elements of the invariant whenever all
//! threads stand at locations that the proof is about.
//!
//! * *Where threads stand* (`places`): a thread that waits at a point is about to take an edge; the location that the edge
//!   starts from is where it stands. Where the same text is inlined several times that is not known, and nothing is looked at
//!   until it has moved on.
//! * *When* elements are looked at: an invariant is about the prepared program, whose threads stand at fewer locations
//!   (`throng_cfa::merge`). In states in which all threads stand at kept locations that are not atomic, both programs agree. A
//!   thread that has ended counts if it came to its end by an edge of the prepared program.
//! * *What* is looked at (`formula`, `variables`): elements whose predicates are about variables that the compiled
//!   program has. The others are counted, with the reason.

mod formula;
mod places;
mod variables;

use crate::assemble::{COMMON, Parts, own_locks, quoted};
use crate::export::{check_question, check_refused, check_units};
use crate::rewrite::Rewriter;
use crate::schedule::fills;
use formula::{ACTIVE, PASSIVE, formula};
use places::Places;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use throng_base::Diagnostic;
use throng_c_front::hir::DataModel;
use throng_c_front::lower::{Atomicity, Integers, Options, Whole};
use throng_cfa::flow::{Expression, ExpressionId, Expressions, LocationKind, Program, VariableId};
use throng_cfa::invariant::{Element, Invariant, Literal, Of, PredicateKind};
use variables::Known;

const MONITOR: &str = include_str!("../runtime/monitor.c");

/// A program that tests an invariant.
#[derive(Clone, Debug)]
pub struct Monitored {
    /// The file.
    pub text: String,
    /// Options for the compiler.
    pub flags: Vec<String>,
    /// How many elements it tests.
    pub monitored: usize,
    /// How many it does not test, by reason.
    pub left_out: BTreeMap<&'static str, usize>,
}

/// The program that tests an invariant of the prepared program. `options` are those with which the program was read.
pub fn monitor(
    whole: &Whole,
    prepared: &Program,
    invariant: &Invariant,
    options: &Options,
) -> Result<Monitored, Diagnostic> {
    check_units(whole)?;
    check_question(options)?;
    let refuse = |message: &str, hint: &str| Err(Diagnostic::error("E0917", message.to_owned()).hint(hint));
    if options.atomicity == Atomicity::Statement {
        let message =
            "a proof for statements as steps cannot be tested: real threads interleave within statements";
        return refuse(message, "prove it with `--atomicity access`");
    }
    if options.integers == Integers::Mathematical {
        let message = "a proof about numbers that never overflow cannot be tested: those of machines do";
        return refuse(message, "prove it without `--integers mathematical`");
    }
    if !options.threads_run.is_empty() {
        let message = "a proof about `--threads-run` cannot be tested: there is no main";
        return refuse(message, "write a main that starts the threads");
    }
    let mut known = Known::new(&whole.typed, &whole.program, prepared);
    let mut made = Made::default();
    let is_error = |location: &throng_cfa::flow::LocationId| {
        matches!(whole.program.location(*location).kind, LocationKind::Error(_))
    };
    for (number, element) in invariant.elements.iter().enumerate() {
        if element.threads.iter().any(is_error) {
            // The program itself tells when it comes there.
            made.by_assertions += 1;
            continue;
        }
        match made.element(number, element, invariant, &mut known) {
            Ok(()) => {}
            Err(why) => *made.left_out.entry(why).or_default() += 1,
        }
    }
    let fills = fills(&whole.program);
    let mut rewriter = Rewriter::new(&whole.typed, &whole.program, options, &fills);
    rewriter.is_free = true;
    rewriter.watched.clone_from(&known.watched);
    let rewritten = rewriter.all();
    check_refused(whole, &rewritten)?;
    let Some(places) = Places::new(whole, prepared, &rewritten, &mentioned(invariant)) else {
        let message = "two kinds of threads run the same function: who is where cannot be told";
        return refuse(message, "give them functions of their own");
    };
    made.drop_unseen(&places);
    let parts = Parts::new(whole, options, &rewritten);
    let text = file(whole, &parts, &made, &places, known.n_slots());
    let is_narrow = whole.typed.data_model == DataModel::Ilp32;
    let flags = is_narrow.then(|| "-m32".to_owned()).into_iter().collect();
    Ok(Monitored {
        text,
        flags,
        monitored: made.elements.len() + made.by_assertions,
        left_out: made.left_out,
    })
}

/// The variables that an invariant is about.
fn mentioned(invariant: &Invariant) -> FxHashSet<VariableId> {
    let roots = invariant.predicates.list.iter().map(|predicate| predicate.expression);
    variables(&invariant.predicates.expressions, roots).collect()
}

/// The variables of some expressions.
fn variables(
    expressions: &Expressions,
    roots: impl IntoIterator<Item = ExpressionId>,
) -> impl Iterator<Item = VariableId> {
    let all = expressions.subexpressions(roots).into_iter();
    all.filter_map(|id| match expressions.get(id) {
        Expression::Variable(v) | Expression::Element(v, _) | Expression::Passive(v) => Some(v),
        _ => None,
    })
}

/// The elements as C.
#[derive(Default)]
struct Made {
    functions: String,
    elements: Vec<(usize, Vec<usize>, String, String)>,
    left_out: BTreeMap<&'static str, usize>,
    n_functions: usize,
    /// Elements about errors: assertions test them.
    by_assertions: usize,
}

impl Made {
    /// An element: its number, its locations, the condition and what it is called.
    fn element(
        &mut self,
        number: usize,
        element: &Element,
        invariant: &Invariant,
        known: &mut Known<'_>,
    ) -> Result<(), &'static str> {
        if element.atomic == Some(true) {
            return Err("it is about atomic sections");
        }
        let mut conditions = Vec::new();
        for literal in &element.literals {
            // Counts come after the variables of the program.
            let predicate = invariant.predicates.get(literal.predicate).expression;
            let n_variables = known.program().variables.len();
            if variables(&invariant.predicates.expressions, [predicate]).any(|id| id.index() >= n_variables) {
                return Err("it is about how many threads stand somewhere");
            }
            conditions.push(self.literal(literal, invariant, known)?);
        }
        let condition = if conditions.is_empty() { "1".to_owned() } else { conditions.join(" && ") };
        let text = element.literals.iter().map(|literal| {
            let predicate = invariant.predicates.get(literal.predicate);
            let expressions = &invariant.predicates.expressions;
            let text =
                throng_cfa::invariant::expression_text(known.program(), expressions, predicate.expression);
            format!("{}({})", if literal.value { "" } else { "!" }, text.unwrap_or_default())
        });
        let locations: Vec<usize> = element.threads.iter().map(|location| location.index()).collect();
        let what = format!("threads at {locations:?} with {}", text.collect::<Vec<_>>().join(" && "));
        self.elements.push((number, locations, condition, what));
        Ok(())
    }

    fn literal(
        &mut self,
        literal: &Literal,
        invariant: &Invariant,
        known: &mut Known<'_>,
    ) -> Result<String, &'static str> {
        let predicate = invariant.predicates.get(literal.predicate);
        let text = formula(&invariant.predicates.expressions, known, predicate.expression)?;
        self.n_functions += 1;
        let number = self.n_functions;
        let _ = writeln!(
            self.functions,
            "static int __throng_p{number}(unsigned {ACTIVE}, unsigned {PASSIVE}) {{ \
             (void){ACTIVE}, (void){PASSIVE}; return (int)({text}); }}"
        );
        let scope = predicate.passive.as_ref().map(|party| &party.scope);
        let call = match (predicate.kind(), literal.of) {
            (PredicateKind::Shared, _) => format!("__throng_p{number}(0, 0)"),
            (PredicateKind::SingleThread, Of::Thread(a)) => format!("__throng_p{number}(t[{a}], 0)"),
            (PredicateKind::InterThread, Of::Pair(a, b)) => format!("__throng_p{number}(t[{a}], t[{b}])"),
            (PredicateKind::Universal, Of::State) => self.for_all(number, scope, "0"),
            (PredicateKind::InterThread, Of::Thread(a)) => self.for_all(number, scope, &format!("t[{a}]")),
            _ => return Err("it has a literal that is not understood"),
        };
        Ok(if literal.value { call } else { format!("!{call}") })
    }

    /// For all threads in the scope other than the active one.
    fn for_all(
        &mut self,
        number: usize,
        scope: Option<&Vec<throng_cfa::flow::LocationId>>,
        active: &str,
    ) -> String {
        let scope = scope.into_iter().flatten();
        let here: Vec<String> = scope
            .map(|location| format!("__throng_all[b].where == {}", places::code(location.index())))
            .collect();
        let here = if here.is_empty() { "0".to_owned() } else { here.join(" || ") };
        let _ = writeln!(
            self.functions,
            "static int __throng_f{number}(unsigned a) {{ unsigned b; for (b = 1; b <= __throng_threads; b++) \
             if (b != a && __throng_all[b].status == __throng_waits && ({here}) && !__throng_p{number}(a, b)) return 0; \
             return 1; }}"
        );
        format!("__throng_f{number}({active})")
    }

    /// Leaves out elements about locations where no thread is ever seen.
    fn drop_unseen(&mut self, places: &Places) {
        let before = self.elements.len();
        self.elements
            .retain(|(_, locations, _, _)| locations.iter().all(|&location| places.is_seen(location)));
        let n_dropped = before - self.elements.len();
        if n_dropped > 0 {
            *self
                .left_out
                .entry("it is about a place where the compiled program does not stop")
                .or_default() += n_dropped;
        }
    }

    fn text(&self) -> String {
        let mut out = self.functions.clone();
        out.push_str("static void __throng_elements(void) {\n    unsigned t[8];\n");
        for (number, locations, condition, what) in &self.elements {
            out.push_str("    ");
            for (place, &location) in locations.iter().enumerate() {
                let others: String =
                    (0..place).map(|other| format!(" && t[{place}] != t[{other}]")).collect();
                let _ = write!(
                    out,
                    "for (t[{place}] = 1; t[{place}] <= __throng_threads; t[{place}]++) \
                     if (__throng_all[t[{place}]].status == __throng_waits && __throng_all[t[{place}]].where == {}{others}) ",
                    places::code(location)
                );
            }
            let _ = writeln!(
                out,
                "{{ __throng_bad = 0; int is_so = {condition}; if (is_so && !__throng_bad) \
                 __throng_broken({number}, {}); }}",
                quoted(what)
            );
        }
        out.push_str("    (void)t;\n}\n");
        out
    }
}

fn file(whole: &Whole, parts: &Parts<'_>, made: &Made, places: &Places, n_slots: usize) -> String {
    let name = whole.units.first().map_or("a program", |unit| unit.file.as_str()).replace("*/", "* /");
    let n_codes = whole.program.templates.len();
    let objects = objects(whole);
    let mut out = format!(
        "/* Tests an invariant of {name} in random schedules. Written by throng.\n\n     cc -pthread THIS-FILE && ./a.out SEED\n\n   \
         {} elements of the invariant are tested. Exit code 43: one of them is not true; an assertion that fails\n   \
         ends it by `abort`; otherwise 0.\n*/\n",
        made.elements.len()
    );
    out.push_str(&own_locks(&whole.typed));
    out.push_str("struct __throng_property { const char *text; int is_reach; };\n");
    out.push_str("struct __throng_code { void *code; unsigned number; };\n");
    out.push_str("struct __throng_object { void *memory; unsigned long size, address; };\n");
    out.push_str(&parts.properties());
    let _ = writeln!(
        out,
        "enum {{ __throng_failing = 0, __throng_expected = -1, __throng_n_slots = {n_slots}, __throng_n_codes = {n_codes}, \
         __throng_n_objects = {}, __throng_main_code = {}, __throng_is_spurious = {} }};",
        objects.len(),
        whole.program.main.index(),
        u8::from(parts.options.spurious_wakeups)
    );
    let _ = writeln!(out, "static const struct __throng_code __throng_codes[{}];", n_codes + 1);
    let _ = writeln!(out, "static const struct __throng_object __throng_objects[{}];", objects.len() + 1);
    out.push_str(&places.tables());
    out.push_str(COMMON);
    out.push_str(MONITOR);
    out.push_str(&parts.text());
    out.push_str(&parts.externals());
    let _ = writeln!(out, "static const struct __throng_code __throng_codes[{}] = {{", n_codes + 1);
    for (number, template) in whole.program.templates.iter().enumerate() {
        let code = if number == whole.program.main.index() { "__throng_main" } else { &template.name };
        let _ = writeln!(out, "    {{ (void *){code}, {number} }},");
    }
    out.push_str("    { (void *)0, 0 } };\n");
    let _ = writeln!(out, "static const struct __throng_object __throng_objects[{}] = {{", objects.len() + 1);
    for (text, address) in &objects {
        let _ = writeln!(out, "    {{ (void *)&{text}, sizeof({text}), {address} }},");
    }
    out.push_str("    { (void *)0, 0, 0 } };\n\n/* ---- the invariant ---- */\n");
    out.push_str(&made.text());
    out.push_str(
        "\nextern unsigned long __throng_number(const char *, char **, int) __asm__(\"strtoul\");\n",
    );
    out.push_str("int main(int argc, char **argv) {\n    __throng_first(argc > 1 ? __throng_number(argv[1], (char **)0, 10) : 1);\n");
    out.push_str(&parts.call_main(Some(1)));
    out.push_str("    __throng_finish();\n    return 0;\n}\n");
    out
}

/// The objects of the program that pointers may point to, with their addresses in the model; only those of file scope.
fn objects(whole: &Whole) -> Vec<(String, u64)> {
    let inner = variables::inner(&whole.typed);
    let is_global = |name: &str| {
        let variables = whole.program.variables.iter();
        let mut own = variables.filter(|v| v.name.split(['.', '[']).next() == Some(name) && !v.is_ghost);
        let is_named = |object: &throng_c_front::hir::Object| object.name == name;
        own.next().is_some_and(|v| v.function.is_none() && v.scope == throng_cfa::flow::Scope::Shared)
            && whole.typed.objects.iter().filter(|object| is_named(object)).count() == 1
            && !inner.iter().any(|&object| is_named(&whole.typed.objects[object.index()]))
    };
    let list = whole.program.layout.objects.iter();
    list.filter(|(name, ..)| is_global(name)).map(|(name, address, _)| (name.clone(), *address)).collect()
}
