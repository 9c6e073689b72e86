//! How a race of engines went, in a sentence: who has the answer, and why the others do not.

use throng_engine::{Contestant, Fate, UnknownReason};

/// The sentence, with a line end; nothing if there was no race.
pub(crate) fn sentence(contest: &[Contestant]) -> String {
    let answered = contest.iter().find(|contestant| contestant.fate == Fate::Answered);
    let is_idle =
        |contestant: &&Contestant| contestant.fate == Fate::Searching && contestant.progress.expanded == 0;
    let rest = contest.iter().filter(|contestant| contestant.fate != Fate::Answered);
    let (idle, busy): (Vec<&Contestant>, Vec<&Contestant>) = rest.partition(is_idle);
    let mut others: Vec<String> = busy.into_iter().map(excuse).collect();
    // Who had hardly begun needs no sentence of its own.
    let names: Vec<&str> = idle.iter().map(|contestant| described(contestant.name)).collect();
    match &names[..] {
        [] => {}
        [name] => others.push(format!("{name} had hardly begun")),
        [first @ .., last] => others.push(format!("{} and {last} had hardly begun", first.join(", "))),
    }
    match (answered, others.is_empty()) {
        (None, true) => String::new(),
        (None, false) => format!("No engine has an answer: {}.\n", others.join("; ")),
        (Some(winner), true) => {
            format!("Answered by {}; no other engine was needed.\n", described(winner.name))
        }
        (Some(winner), false) => {
            format!("Answered by {}; {}.\n", described(winner.name), others.join("; "))
        }
    }
}

/// An engine as people know it.
fn described(name: &str) -> &str {
    if name == "root" { "the root analyses" } else { name }
}

/// Why an engine has no answer.
fn excuse(contestant: &Contestant) -> String {
    let name = described(contestant.name);
    let verb = if contestant.name == "root" { "were" } else { "was" };
    match &contestant.fate {
        Fate::Answered => format!("{name} has the answer"),
        Fate::Searching => {
            format!("{name} {verb} still searching ({} expanded)", contestant.progress.expanded)
        }
        Fate::GaveUp(UnknownReason::Inconclusive) => {
            format!("{name} {verb} inconclusive")
        }
        Fate::GaveUp(reason) => format!("{name} gave up ({reason})"),
        Fate::TakenOut => format!("{name} {verb} taken out to save memory"),
    }
}

/// A word for what became of an engine, for programs.
pub(crate) fn word(fate: &Fate) -> &'static str {
    match fate {
        Fate::Answered => "answered",
        Fate::Searching => "searching",
        Fate::GaveUp(_) => "gave-up",
        Fate::TakenOut => "taken-out",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_engine::Progress;

    fn contestant(name: &'static str, fate: Fate, expanded: u64) -> Contestant {
        Contestant { name, fate, progress: Progress { expanded, ..Progress::default() } }
    }

    #[test]
    fn a_race_is_told_in_one_sentence() {
        let contest = [
            contestant("widen", Fate::Searching, 70),
            contestant("backward", Fate::Answered, 9),
            contestant("ic3", Fate::TakenOut, 4),
            contestant("root", Fate::GaveUp(UnknownReason::Inconclusive), 0),
        ];
        assert_eq!(
            sentence(&contest),
            "Answered by backward; widen was still searching (70 expanded); ic3 was taken out to save memory; \
             the root analyses were inconclusive.\n"
        );
        assert_eq!(sentence(&contest[1..2]), "Answered by backward; no other engine was needed.\n");
        assert_eq!(sentence(&[]), "");
    }
}
