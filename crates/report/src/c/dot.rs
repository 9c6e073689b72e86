//! The control-flow graphs of threads in the DOT language: a cluster for each function that threads run.

use crate::dot::quoted;
use throng_cfa::flow::{Effect, LocationId, LocationKind, Program, TemplateId};

/// The graphs of all threads.
pub fn graph(program: &Program) -> String {
    let mut text = String::from("digraph threads {\n  node [shape=box, fontname=monospace, fontsize=10];\n");
    text.push_str("  edge [fontname=monospace, fontsize=9];\n");
    for (index, template) in program.templates.iter().enumerate() {
        let name = quoted(&format!("thread function {}", template.name));
        text.push_str(&format!("  subgraph cluster_{index} {{\n    label={name};\n"));
        let of_template =
            |location: &LocationId| program.location(*location).template == TemplateId::new(index);
        for location in LocationId::all(program.locations.len()).filter(of_template) {
            text.push_str(&node(program, location, location == template.entry));
        }
        text.push_str("  }\n");
    }
    for edge in &program.edges {
        let site = program.site(edge.site);
        let mut label = format!("{}: {}", site.position.line, site.text);
        if let Some(Effect::Spawn { template, .. }) = &edge.effect {
            label.push_str(&format!("\nstarts {}", program.templates[template.index()].name));
        }
        let (from, to) = (edge.from.index(), edge.to.index());
        text.push_str(&format!("  l{from} -> l{to} [label={}];\n", quoted(&label)));
    }
    text.push_str("}\n");
    text
}

fn node(program: &Program, id: LocationId, is_entry: bool) -> String {
    let location = program.location(id);
    let line = program.site(location.site).position.line;
    let (label, style) = match location.kind {
        LocationKind::End => ("end".to_owned(), "shape=doublecircle"),
        LocationKind::Error(property) => {
            (program.properties[property.index()].text.clone(), "style=filled, fillcolor=\"#f4b6b6\"")
        }
        LocationKind::Inner if location.is_atomic => {
            (format!("line {line}"), "style=filled, fillcolor=\"#dde7f5\"")
        }
        LocationKind::Inner if is_entry => (format!("line {line}"), "style=bold"),
        LocationKind::Inner => (format!("line {line}"), ""),
    };
    let style = if style.is_empty() { String::new() } else { format!(", {style}") };
    format!("    l{} [label={}{style}];\n", id.index(), quoted(&label))
}
