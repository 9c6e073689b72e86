//! Charts of curves as SVG: what benchmarks and searches look like.
//!
//! A chart is data ([`Chart`]) and its picture is a self-contained text: no scripts, no fonts, no links. Curves are told
//! apart by colour and by dashes, in a palette that colour-blind people can read; the legend stands beside the plot,
//! where it cannot cover anything. The same data gives the same bytes.
//!
//! * [`cactus`]: how many questions each engine decides in how much time.
//! * [`comparison`]: time and memory of two engines against each other, with a mark for each question.
//! * [`cutoffs`]: how many models have which cutoff, and what it takes to find everything in two ways.
//! * [`vertices`]: how the graph of a backward search grows and shrinks.
//!
//! Nothing here measures text: widths are estimated from the number of characters, which is enough for a legend.

mod axis;
pub mod cactus;
mod canvas;
pub mod comparison;
pub mod cutoffs;
mod frame;
mod svg;
mod times;
pub mod vertices;

/// Times below this are drawn as this: what a process costs that does nothing.
const LEAST_SECONDS: f64 = 0.001;

/// A chart: curves over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves, in the order of the legend.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What it counts, with the unit.
    pub title: String,
    /// How values are laid out.
    pub scale: Scale,
}

/// How values are laid out on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly, from zero or from the least value if that is negative.
    Linear,
    /// By orders of magnitude. What is not positive is drawn at the lower end.
    Logarithmic,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub label: String,
    /// Its points from left to right. Those that are not finite are left out.
    pub points: Vec<(f64, f64)>,
    /// How points are joined.
    pub join: Join,
}

/// How the points of a curve are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// By straight lines.
    Lines,
    /// By steps: a value holds until the next point.
    Steps,
}

impl Chart {
    /// The picture.
    pub fn to_svg(&self) -> String {
        svg::render(self)
    }
}
