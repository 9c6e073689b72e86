//! Long programs whose threads wait for each other and never undo what they did.
//!
//! Workers pass one stage after the other. Each stage has a shared flag, which is set once and for all, and some wait for the
//! flag of the stage before. So flags are set in many orders, but none before the one that it waits for.

use crate::choices::{Choices, SplitMix64};

/// A program of about so many lines and shared variables. All assertions hold.
pub fn stages(lines: usize, shared: usize, seed: u64) -> String {
    let n_stages = shared.max(4);
    let choices = &mut SplitMix64::new(seed);
    let flags: Vec<String> = (0..n_stages).map(|stage| format!("f{stage}")).collect();
    let mut text = vec![format!("// Any number of workers and {n_stages} stages.")];
    text.extend(flags.chunks(6).map(|some| format!("decl {};", some.join(", "))));
    text.push("void main() begin".to_owned());
    for some in flags.chunks(6) {
        text.push(format!("  {} := {};", some.join(", "), vec!["0"; some.len()].join(", ")));
    }
    text.extend(["  while * do", "    start_thread worker(*);", "  od;", "end", ""].map(str::to_owned));
    text.extend(["bool either(x, y) begin", "  if * then", "    return x;", "  fi;"].map(str::to_owned));
    text.extend(["  return y;", "end", "", "void worker(fast) begin", "  decl a, b;"].map(str::to_owned));
    text.push("  a, b := 0, fast;".to_owned());
    // What is left of the lines is spread over the stages.
    let rest = lines.saturating_sub(text.len()) / n_stages;
    for stage in 0..n_stages {
        one_stage(stage, rest, choices, &mut text);
    }
    text.push("end".to_owned());
    text.join("\n") + "\n"
}

/// A stage of about so many lines.
fn one_stage(stage: usize, lines: usize, choices: &mut SplitMix64, text: &mut Vec<String>) {
    text.push(format!("  // Stage {stage}."));
    let after: Vec<usize> = stage.checked_sub(1).filter(|_| choices.chance(60)).into_iter().collect();
    let end = text.len() + lines;
    text.push("  if * then".to_owned());
    text.extend(after.iter().map(|before| format!("    assume(f{before});")));
    text.push(format!("    f{stage} := 1;"));
    text.extend(after.iter().map(|before| format!("    assert(f{before});")));
    text.push("  fi;".to_owned());
    text.extend(after.iter().map(|before| format!("  assert(!f{stage} | f{before});")));
    while text.len() < end {
        text.extend(work(stage, choices));
    }
}

/// What a worker does by itself; it looks only at flags that are set.
fn work(stage: usize, choices: &mut SplitMix64) -> Vec<String> {
    let line = match choices.below(8) {
        0 => "  a := a | b;".to_owned(),
        1 => "  b := *;".to_owned(),
        2 => "  a, b := b, a;".to_owned(),
        3 => format!("  if * then assume(f{stage}); fi;"),
        4 => "  b := schoose[fast, a];".to_owned(),
        5 => "  skip;".to_owned(),
        6 => "  atomic_begin; a := !a; b := a; atomic_end;".to_owned(),
        _ => {
            return ["  if fast then", "    a := !a;", "  else", "    b := 0;", "  fi;"]
                .map(str::to_owned)
                .to_vec();
        }
    };
    // A call takes as many locations as a function has, so there are few.
    if choices.chance(4) { vec![line, "  a := either(a, b);".to_owned()] } else { vec![line] }
}
