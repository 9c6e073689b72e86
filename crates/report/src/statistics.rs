//! What engines count, in words: a title for each counter and the groups in which they are shown.
//!
//! JSON has the names that engines give; `docs/statistics.md` says what each means, and a test compares it with the
//! table here. A counter that is not in the table is shown by its name, in a group of its own.

use throng_engine::Statistics;

/// A group of counters with its title: names, and what they are called for people.
type Group = (&'static str, &'static [(&'static str, &'static str)]);

/// All counters that engines and reductions have.
const GROUPS: [Group; 10] = [
    (
        "bounded search",
        &[
            ("threads_tried", "threads at most"),
            ("threads_complete", "threads with which there is no error, however many steps"),
            ("steps_tried", "steps at most"),
            ("states", "states"),
            ("edges_taken", "edges taken"),
            ("thread_rows", "different states of threads"),
            ("solver_queries", "questions to the solver"),
        ],
    ),
    (
        "search backwards",
        &[
            ("iterations", "vertices expanded"),
            ("predecessors", "predecessors computed"),
            ("vertices", "vertices in the end"),
            ("vertices_at_most", "vertices at most"),
            ("vertices_ever", "vertices ever added"),
            ("elements", "elements in the end"),
            ("elements_ever", "elements ever added"),
            ("frontier", "waiting to be expanded"),
            ("threads_at_most", "threads at most"),
        ],
    ),
    (
        "cuts",
        &[
            ("cuts", "cuts"),
            ("targets_unconnected", "targets that are not connected"),
            ("targets_left", "targets that neither settles"),
            ("pruned_by_cuts", "configurations that break one"),
        ],
    ),
    (
        "candidates",
        &[
            ("candidates", "tried"),
            ("candidates_good", "in the proof"),
            ("candidates_bad", "coverable"),
            ("coverable_by_oracle", "  reported by the oracle first"),
            ("coverable_by_search", "  found out by the search itself"),
            ("oracle_share_percent", "  share of the oracle in percent"),
            ("backtracks", "backtracks"),
            ("covered", "elements of D"),
        ],
    ),
    (
        "frames",
        &[
            ("frames", "frames"),
            ("obligations", "obligations"),
            ("blocked", "times one was blocked"),
            ("propagated", "times a lemma moved up"),
            ("threads_dropped", "threads dropped from lemmas"),
            ("counterexamples_blocked", "counterexamples to generalisation blocked"),
            ("lemmas_for_ever", "lemmas that hold for ever"),
        ],
    ),
    (
        "paths",
        &[
            ("components", "components of shared states"),
            ("simple_loops", "  that are simple loops"),
            ("spaghetti", "  that are more than that"),
            ("paths_without_loops", "paths without loops"),
            ("paths_with_real_loops", "paths with simple loops of real edges"),
            ("paths_with_loops", "paths with other simple loops"),
            ("paths_with_spaghetti", "other paths"),
            ("path_points", "points walked through"),
            ("paths_cut_short", "  from which nothing was feasible"),
            ("path_summaries", "summaries decided"),
            ("slices", "slices searched"),
        ],
    ),
    (
        "search forwards",
        &[
            ("nodes", "nodes"),
            ("nodes_ever", "nodes ever added"),
            ("nodes_at_most", "nodes at most"),
            ("maximal", "maximal nodes"),
            ("accelerations", "accelerated nodes"),
            ("accelerations_stored", "accelerations kept"),
            ("nodes_expanded", "nodes expanded"),
            ("successors", "successors computed"),
            ("nodes_discarded", "waiting in vain: others covered them"),
            ("ancestors_compared", "comparisons with ancestors"),
            ("nodes_waiting", "waiting to be expanded"),
            ("potentials", "linear programs for estimates"),
        ],
    ),
    (
        "made on demand",
        &[
            ("shared_states_met", "shared states"),
            ("local_states_met", "local states"),
            ("rules_met", "rules"),
            ("rules_translated", "rules of the system with a state for every valuation"),
            ("refinements", "searches repeated with more values"),
        ],
    ),
    (
        "proof, as it was found",
        &[
            ("proof_elements", "elements"),
            ("threads_in_proof", "threads at most"),
            ("longest_path", "longest path"),
        ],
    ),
    (
        "removed before the search",
        &[
            ("reduced_unreachable_thread_states", "unreachable thread states"),
            ("reduced_unfireable_rules", "rules that never fire"),
            ("reduced_unreachable_targets", "unreachable targets"),
            ("reduced_irrelevant_rules", "irrelevant rules"),
            ("reduced_irrelevant_locals", "irrelevant local states"),
            ("reduced_dominated_rules", "dominated rules"),
            ("reduced_unbounded_locals", "unbounded local states"),
            ("reduced_agglomerated_locals", "local states only passed through"),
            ("reduced_agglomerated_rules", "rules that pass through them"),
            ("reduced_fixpoint_given_up", "thread states not computed (1: too many)"),
        ],
    ),
];

/// The names of all counters, in the order in which they are shown.
pub fn names() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().flat_map(|(_, counters)| counters.iter().map(|(name, _)| *name))
}

/// The counters in groups, every line ended. Nets have tokens, places and transitions.
pub(crate) fn render(statistics: &Statistics, is_net: bool) -> String {
    let value_of = |name: &str| statistics.iter().find(|(other, _)| *other == name).map(|(_, value)| value);
    let mut groups: Vec<(&str, Vec<(String, u64)>)> = GROUPS
        .iter()
        .map(|(title, counters)| {
            let present = counters.iter().filter_map(|(name, words)| Some((name, words, value_of(name)?)));
            (*title, present.map(|(_, words, value)| (of_net(words, is_net), value)).collect())
        })
        .collect();
    let others = statistics.iter().filter(|(name, _)| !is_known(name));
    groups.push(("other", others.map(|(name, value)| (name.replace('_', " "), value)).collect()));
    let lines = groups.iter().flat_map(|(_, lines)| lines);
    let width = lines.map(|(words, _)| words.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (title, lines) in groups.iter().filter(|(_, lines)| !lines.is_empty()) {
        text.push_str(&format!("  {title}\n"));
        for (words, value) in lines {
            text.push_str(&format!("    {words:width$}  {value}\n"));
        }
    }
    text
}

fn is_known(name: &str) -> bool {
    names().any(|known| known == name)
}

fn of_net(words: &str, is_net: bool) -> String {
    if !is_net {
        return words.to_owned();
    }
    words
        .replace("thread states", "places")
        .replace("threads", "tokens")
        .replace("local states", "places")
        .replace("rules", "transitions")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_is_documented_in_the_same_group() {
        let document = include_str!("../../../docs/statistics.md");
        let mut group = "";
        let mut documented = Vec::new();
        for line in document.lines() {
            if let Some(title) = line.strip_prefix("## ") {
                group = title;
            } else if let Some(name) = line.strip_prefix("| `").and_then(|rest| rest.split('`').next()) {
                documented.push((group.to_lowercase(), name));
            }
        }
        let known: Vec<(String, &str)> = GROUPS
            .iter()
            .flat_map(|(title, counters)| counters.iter().map(|(name, _)| (title.to_string(), *name)))
            .collect();
        assert_eq!(documented, known);
    }

    #[test]
    fn counters_are_grouped_and_unknown_ones_shown_by_name() {
        let mut statistics = Statistics::default();
        statistics.push("longest_path", 3);
        statistics.push("iterations", 7);
        statistics.push("moon_phase", 4);
        let expected = "  search backwards\n    vertices expanded  7\n  \
                          proof, as it was found\n    longest path       3\n  \
                          other\n    moon phase         4\n";
        assert_eq!(render(&statistics, false), expected);
    }

    #[test]
    fn nets_have_tokens() {
        let mut statistics = Statistics::default();
        statistics.push("threads_at_most", 2);
        assert_eq!(render(&statistics, true), "  search backwards\n    tokens at most  2\n");
    }
}
