//! The fuzz target of Boolean programs.

use throng_base::Source;
use throng_boolprog::{flow, parse, print};

/// `.bp` files. What parses survives printing: the printed text is the same program, with the same control flow or
/// with errors about names again.
pub fn boolprog(data: &[u8]) -> bool {
    let Ok(source) = Source::from_bytes("fuzz", data.to_vec()) else { return false };
    let Ok(tree) = parse(&source) else { return false };
    let printed = print(&tree);
    let source_again = Source::from_text("printed", &printed[..]);
    let again = parse(&source_again).unwrap_or_else(|errors| panic!("{} in:\n{printed}", errors[0]));
    assert_eq!(print(&again), printed, "the text changed in the round trip");
    let (graph, graph_again) = (flow::build(&source, tree), flow::build(&source_again, again));
    assert_eq!(graph.is_ok(), graph_again.is_ok(), "names changed in the round trip:\n{printed}");
    let (Ok(graph), Ok(graph_again)) = (graph, graph_again) else { return false };
    assert_eq!(graph.program.edges(), graph_again.program.edges(), "control flow changed:\n{printed}");
    for &edge in graph.program.edges() {
        assert_eq!(graph.program.edge_text(edge), graph_again.program.edge_text(edge));
    }
    true
}
