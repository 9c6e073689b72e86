//! Vertices over iterations, like Figures 22 and 25 of Kaiser's thesis: how the graph of a backward search grows, and
//! how it shrinks where candidates turn out to be coverable.

use super::{Axis, Chart, Join, Scale, Series};
use throng_engine::record::Sample;

/// Beyond this ratio between the longest and the shortest curve the shortest could not be seen on linear axes.
const LINEAR_RATIO: u64 = 30;

/// The curve of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// How it searched.
    pub label: String,
    /// Vertices over iterations.
    pub samples: Vec<Sample>,
    /// How it ended: a verdict.
    pub ending: String,
}

/// The chart of some searches for the same answer.
pub fn vertices(title: &str, searches: &[Growth]) -> Chart {
    let lengths = || searches.iter().filter_map(|search| Some(search.samples.last()?.iteration.max(1)));
    let (longest, shortest) = (lengths().max().unwrap_or(1), lengths().min().unwrap_or(1));
    let scale = if longest / shortest > LINEAR_RATIO { Scale::Logarithmic } else { Scale::Linear };
    let axis = |title: &str| Axis { title: title.to_owned(), scale };
    Chart {
        title: title.to_owned(),
        x: axis("iterations"),
        y: axis("vertices"),
        series: searches.iter().map(series).collect(),
    }
}

fn series(search: &Growth) -> Series {
    let point = |sample: &Sample| (sample.iteration as f64, sample.vertices as f64);
    // A curve that cannot be seen needs an explanation.
    let when = if search.samples.is_empty() { " at once" } else { "" };
    Series {
        label: format!("{}: {}{when}", search.label, search.ending),
        points: search.samples.iter().map(point).collect(),
        join: Join::Steps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(length: u64) -> Growth {
        let samples = (1..=length).map(|iteration| Sample { iteration, vertices: iteration / 2 });
        Growth { label: "widening".to_owned(), samples: samples.collect(), ending: "safe".to_owned() }
    }

    #[test]
    fn axes_are_logarithmic_where_a_curve_would_vanish_otherwise() {
        assert_eq!(vertices("", &[growth(10), growth(200)]).x.scale, Scale::Linear);
        assert_eq!(vertices("", &[growth(10), growth(2000)]).x.scale, Scale::Logarithmic);
        assert_eq!(vertices("", &[]).x.scale, Scale::Linear);
    }

    #[test]
    fn the_legend_says_how_a_search_ended() {
        let chart = vertices("", &[growth(1), growth(0)]);
        assert_eq!(chart.series[0].label, "widening: safe");
        assert_eq!(chart.series[1].label, "widening: safe at once");
    }
}
