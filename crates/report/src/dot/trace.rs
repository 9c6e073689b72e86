//! A trace as a graph: a chain of configurations. A repeated segment is drawn once, with an edge that says how
//! often it happens.

use super::{Graph, INITIAL_COLOUR, MAX_NODES, TARGET_COLOUR, config_label};
use crate::replay::{Event, replay};
use crate::words::Words;
use throng_cert::Trace;
use throng_model::{ConfigRef, System};

const CAPTION: &str = "green: the start    red: covers a target";

/// The graph of a trace; `None` if it is not an execution of the system.
pub fn trace(system: &System, trace: &Trace) -> Option<String> {
    let words = Words { system };
    let moments = replay(system, trace)?;
    let mut graph = Graph::new("trace", "TB", &[CAPTION]);
    let is_bad = |config: ConfigRef<'_>| system.targets().iter().any(|target| target.view().le(config));
    let colour = |config: ConfigRef<'_>, otherwise| if is_bad(config) { TARGET_COLOUR } else { otherwise };
    let start = trace.initial.view();
    graph.node("c0", &config_label(words, start), &[("fillcolor", colour(start, INITIAL_COLOUR))]);
    for (index, moment) in moments.iter().take(MAX_NODES - 1).enumerate() {
        let (before, after) = (format!("c{index}"), format!("c{}", index + 1));
        let config = moment.after.view();
        graph.node(&after, &config_label(words, config), &[("fillcolor", colour(config, "white"))]);
        match moment.event {
            Event::Step(step) => graph.edge(&before, &after, &words.rule(step.rule), &[]),
            Event::Repeated { first, times } => {
                graph.edge(
                    &before,
                    &format!("c{first}"),
                    &format!("× {times}"),
                    &[("style", "dashed"), ("constraint", "false")],
                );
                graph.edge(&before, &after, &format!("after {times} times"), &[("style", "dashed")])
            }
        };
    }
    graph.leave_out(moments.len().saturating_sub(MAX_NODES - 1));
    Some(graph.finish())
}
