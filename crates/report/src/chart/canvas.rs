//! A picture under construction: lines of SVG, and the colours, strokes and texts that all pictures share.

use std::fmt::{Arguments, Write};

/// Colours that colour-blind people can tell apart (Okabe and Ito), and dashes for who sees none. The lengths of the
/// lists have no common divisor, so that 35 curves look different.
pub(super) const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9"];
const DASHES: [&str; 5] = ["", "9 4", "2 3", "10 3 2 3", "16 5"];

/// The colour of axes and texts.
pub(super) const INK: &str = "#333333";

/// A guess of what a character needs.
const CHARACTER: f64 = 7.2;
/// Characters of a label in a legend; the rest is shown when one points at it.
const LABEL_LENGTH: usize = 40;
/// The sample of a line in a legend, and the distance of its lines.
const SAMPLE: f64 = 34.0;
pub(super) const LEGEND_LINE: f64 = 24.0;

/// A picture under construction.
pub(super) struct Canvas {
    text: String,
}

impl Canvas {
    /// An empty picture with a title for who cannot see it.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let mut canvas = Self { text: String::new() };
        canvas.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">"
        ));
        canvas.line(format_args!("<title>{}</title>", escaped(title)));
        canvas.line(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"));
        canvas
    }

    /// Adds a line of SVG.
    pub(super) fn line(&mut self, line: Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// A text whose middle stands at `x`.
    pub(super) fn centred(&mut self, x: f64, y: f64, attributes: &str, text: &str) {
        let text = escaped(text);
        self.line(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"{INK}\" {attributes}>{text}</text>"
        ));
    }

    /// A text that ends at `x`.
    pub(super) fn ended(&mut self, x: f64, y: f64, text: &str) {
        let text = escaped(text);
        self.line(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"{INK}\">{text}</text>"
        ));
    }

    /// A curve of a legend: a sample of its line, and its label.
    pub(super) fn legend_of_curve(&mut self, x: f64, y: f64, index: usize, label: &str) {
        let (end, stroke) = (x + SAMPLE, stroke(index));
        self.line(format_args!("<path d=\"M{x} {y}H{end}\" {stroke}/>"));
        self.legend_label(x, y, label);
    }

    /// The label of a line of a legend, to the right of its sample.
    pub(super) fn legend_label(&mut self, x: f64, y: f64, label: &str) {
        let (x, y) = (x + SAMPLE + 8.0, y + 4.5);
        let (short, whole) = (escaped(&shortened(label)), escaped(label));
        self.line(format_args!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"{INK}\">{short}<title>{whole}</title></text>"
        ));
    }

    /// The picture.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// The width of a legend with these labels.
pub(super) fn legend_width<'a>(labels: impl Iterator<Item = &'a str>) -> f64 {
    let longest = labels.map(|label| shortened(label).chars().count()).max();
    longest.map_or(0.0, |length| SAMPLE + 10.0 + length as f64 * CHARACTER)
}

/// Where the mark of a line of a legend stands.
pub(super) fn legend_mark(x: f64) -> f64 {
    x + SAMPLE / 2.0
}

/// Colour and dashes of a curve.
pub(super) fn stroke(index: usize) -> String {
    let (colour, dashes) = (COLOURS[index % COLOURS.len()], DASHES[index % DASHES.len()]);
    let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
    format!("stroke=\"{colour}\" stroke-width=\"2\"{dashes}")
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= LABEL_LENGTH {
        return label.to_owned();
    }
    let start: String = label.chars().take(LABEL_LENGTH - 1).collect();
    format!("{start}…")
}

/// A text of XML. Characters that XML cannot hold are replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            _ if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The names of the elements, if the text is one well-formed XML document.
    pub(in super::super) fn elements(text: &str) -> Vec<String> {
        let mut reader = quick_xml::Reader::from_str(text);
        let (mut names, mut open) = (Vec::new(), 0);
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Start(start) => {
                    open += 1;
                    names.push(start.name().as_ref().to_owned());
                }
                quick_xml::events::Event::Empty(start) => {
                    start.attributes().for_each(|attribute| drop(attribute.unwrap()));
                    names.push(start.name().as_ref().to_owned());
                }
                quick_xml::events::Event::End(_) => open -= 1,
                quick_xml::events::Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(open, 0);
        assert_eq!(names.first().map(String::as_str), Some("svg"));
        names
    }

    #[test]
    fn many_curves_look_different() {
        let strokes: std::collections::BTreeSet<String> = (0..35).map(stroke).collect();
        assert_eq!(strokes.len(), 35);
    }
}
