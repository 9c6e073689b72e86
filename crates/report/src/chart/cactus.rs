//! Cactus plots: for each engine the times of the questions it decides, sorted. A curve that reaches further right
//! decides more; one that stays lower is faster.

use super::{Axis, Chart, Join, LEAST_SECONDS, Scale, Series};

/// What one engine decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// The engine.
    pub label: String,
    /// CPU seconds of the questions that it decided, in any order.
    pub seconds: Vec<f64>,
}

/// The cactus plot of some engines that were asked `n_questions` questions each.
pub fn cactus(engines: &[Decided], n_questions: usize) -> Chart {
    let series = engines.iter().map(|engine| {
        let mut seconds = engine.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let point = |(index, seconds): (usize, f64)| ((index + 1) as f64, seconds.max(LEAST_SECONDS));
        Series {
            label: format!("{} ({})", engine.label, seconds.len()),
            points: seconds.into_iter().enumerate().map(point).collect(),
            join: Join::Lines,
        }
    });
    Chart {
        title: format!("Questions decided, of {n_questions}"),
        x: Axis { title: "questions decided, the fastest first".to_owned(), scale: Scale::Linear },
        y: Axis { title: "CPU seconds for one question".to_owned(), scale: Scale::Logarithmic },
        series: series.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_sorted_and_none_is_below_the_axis() {
        let chart = cactus(&[Decided { label: "backward".to_owned(), seconds: vec![3.0, 0.0, 0.5] }], 7);
        assert_eq!(chart.series[0].points, [(1.0, 0.001), (2.0, 0.5), (3.0, 3.0)]);
        assert_eq!((&*chart.series[0].label, &*chart.title), ("backward (3)", "Questions decided, of 7"));
    }
}
