//! The documentation page of the closed world.

use super::{Entry, Meaning, assembly, attributes, builtins, functions, models, pragmas, types};
use std::fmt::Write;

/// The text of `docs/c-world.md`.
pub fn page() -> String {
    let mut out = String::from(
        "# What C programs may use\n\n\
         Attributes, pragmas, built-ins, functions of the library and instructions that throng knows, with what each means \
         or why it means nothing. What is not here is refused with a code: `throng explain E0836` (attributes), `E0837` \
         (pragmas), `E0707` (built-ins), `E0710` (functions), `E0704` (instructions). \
         A function that the program defines itself means what its body says, but for those that keep their meaning, as the \
         table says.\n\n\
         This page is generated from the tables in `crates/c-front/src/world`; a test compares it \
         (`THRONG_BLESS=1 cargo test -p throng-c-front world` writes it anew). Each line has a program that the tests read.\n",
    );
    table(&mut out, "Attributes", "attribute", attributes::ATTRIBUTES);
    table(&mut out, "Pragmas", "pragma", pragmas::PRAGMAS);
    table(&mut out, "Built-ins", "`__builtin_…`", builtins::BUILTINS);
    out.push_str(
        "\nThe families `__atomic_…`, `__sync_…` and `__c11_atomic_…` are modelled as sequentially consistent, whatever order \
         is given.\n",
    );
    table(&mut out, "Instructions", "`asm` without operands", assembly::TEMPLATES);
    out.push_str(
        "\nAn `asm` with an empty template and operands: what is only an output becomes arbitrary, or gets the input that is \
         tied to it; what is read and written stays. Everything else is refused where threads come.\n",
    );
    table(&mut out, "Directives outside of functions", "directive", assembly::DIRECTIVES);
    table(&mut out, "Types", "type", types::TYPES);
    out.push_str("\n## Functions without a body\n\n| function | what a call does |\n|---|---|\n");
    for call in functions::FUNCTIONS {
        let _ = writeln!(out, "| `{}` | {} |", call.name, functions::describe(call));
    }
    out.push_str(
        "\n## Functions with a body of ours\n\n\
         They are written in C, in `crates/c-front/library`, and read like the program.\n\n| unit | functions |\n|---|---|\n",
    );
    for model in models::MODELS {
        let names: Vec<String> = model.functions.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(out, "| `{}` | {} |", model.name, names.join(", "));
    }
    out
}

fn table(out: &mut String, title: &str, head: &str, entries: &[Entry]) {
    let _ = write!(out, "\n## {title}\n\n| {head} | |\n|---|---|\n");
    for entry in entries {
        let text = match entry.meaning {
            Meaning::Modelled(what) => what.to_owned(),
            Meaning::Harmless(why) => format!("no meaning: {why}"),
            Meaning::Refused(hint) => format!("refused: {hint}"),
        };
        let name = if entry.name.is_empty() { "(empty)" } else { entry.name };
        let _ = writeln!(out, "| `{name}` | {text} |");
    }
}
