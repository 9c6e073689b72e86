//! Where values stand on an axis, and which of them are labelled.

use super::Scale;

/// Labelled values that an axis should have, roughly.
const WANTED_TICKS: f64 = 6.0;
/// Orders of magnitude of a logarithmic axis with lines between its labelled values.
const DECADES_WITH_MINOR_LINES: i32 = 6;
/// Orders of magnitude that a logarithmic axis shows at most; what is below is drawn at its lower end.
const MOST_DECADES: i32 = 12;

/// The part of an axis that a chart shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    scale: Scale,
    low: f64,
    high: f64,
}

/// A value with a line through the plot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    /// Nothing for the lines between labelled values.
    pub(super) label: Option<String>,
}

impl Range {
    /// A range that shows all of these values.
    pub(super) fn of(scale: Scale, values: impl Iterator<Item = f64> + Clone) -> Self {
        let values = values.filter(|value| value.is_finite());
        match scale {
            Scale::Linear => {
                let (low, high) = bounds(values).unwrap_or((0.0, 1.0));
                let low = low.min(0.0);
                let high = if high > low { high } else { low + 1.0 };
                let step = step_of(high - low);
                Self { scale, low: (low / step).floor() * step, high: (high / step).ceil() * step }
            }
            Scale::Logarithmic => {
                let (low, high) = bounds(values.filter(|&value| value > 0.0)).unwrap_or((1.0, 10.0));
                let top = high.log10().ceil() as i32;
                let bottom = (low.log10().floor() as i32).clamp(top - MOST_DECADES, top - 1);
                Self { scale, low: 10f64.powi(bottom), high: 10f64.powi(top) }
            }
        }
    }

    /// Where a value stands: 0 at the lower end, 1 at the upper.
    pub(super) fn position(&self, value: f64) -> f64 {
        let position = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic if value <= self.low => 0.0,
            Scale::Logarithmic => (value / self.low).log10() / (self.high / self.low).log10(),
        };
        position.clamp(0.0, 1.0)
    }

    /// The values to draw lines at, from the lowest to the highest.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        match self.scale {
            Scale::Linear => self.linear_ticks(),
            Scale::Logarithmic => self.logarithmic_ticks(),
        }
    }

    fn linear_ticks(&self) -> Vec<Tick> {
        let step = step_of(self.high - self.low);
        let count = ((self.high - self.low) / step).round() as i32;
        let tick = |index: i32| {
            let value = self.low + f64::from(index) * step;
            Tick { value, label: Some(label(value, step)) }
        };
        (0..=count).map(tick).collect()
    }

    fn logarithmic_ticks(&self) -> Vec<Tick> {
        let (bottom, top) = (self.low.log10().round() as i32, self.high.log10().round() as i32);
        let mut ticks = Vec::new();
        for exponent in bottom..=top {
            ticks.push(Tick { value: 10f64.powi(exponent), label: Some(power_label(exponent)) });
            if exponent < top && top - bottom <= DECADES_WITH_MINOR_LINES {
                let minor =
                    (2..10).map(|digit| Tick { value: f64::from(digit) * 10f64.powi(exponent), label: None });
                ticks.extend(minor);
            }
        }
        ticks
    }
}

/// The least and the greatest of some values.
fn bounds(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |bounds, value| match bounds {
        None => Some((value, value)),
        Some((low, high)) => Some((f64::min(low, value), f64::max(high, value))),
    })
}

/// The distance of labelled values on a linear axis: 1, 2 or 5 times a power of ten.
fn step_of(width: f64) -> f64 {
    let rough = (width / WANTED_TICKS).max(f64::MIN_POSITIVE);
    let magnitude = 10f64.powi(rough.log10().floor() as i32);
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * magnitude >= rough).unwrap_or(10.0);
    digit * magnitude
}

/// A value on a linear axis, with as many digits as the distance to its neighbours asks for.
fn label(value: f64, step: f64) -> String {
    let n_digits = usize::try_from(-step.log10().floor() as i32).unwrap_or(0);
    let text = format!("{value:.n_digits$}");
    // Zero may come out of the arithmetic with a sign.
    let text = if text.trim_start_matches('-').trim_matches(['0', '.']).is_empty() {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    };
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    format!("{}{fraction}", grouped(whole))
}

/// A number with commas between its thousands.
fn grouped(digits: &str) -> String {
    let n_digits = digits.trim_start_matches('-').len();
    let mut text = String::new();
    for (index, digit) in digits.trim_start_matches('-').chars().enumerate() {
        if index > 0 && (n_digits - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if digits.starts_with('-') { format!("−{text}") } else { text }
}

/// A power of ten, written out where that is short.
fn power_label(exponent: i32) -> String {
    match exponent {
        -4..0 => format!("0.{}1", "0".repeat(exponent.unsigned_abs() as usize - 1)),
        0..7 => grouped(&format!("1{}", "0".repeat(exponent.unsigned_abs() as usize))),
        _ => format!("1e{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, values: &[f64]) -> Vec<String> {
        Range::of(scale, values.iter().copied()).ticks().into_iter().filter_map(|tick| tick.label).collect()
    }

    #[test]
    fn linear_axes_start_at_zero_and_have_round_values() {
        assert_eq!(
            labels(Scale::Linear, &[3.0, 23_472.0]),
            ["0", "5,000", "10,000", "15,000", "20,000", "25,000"]
        );
        assert_eq!(labels(Scale::Linear, &[0.25]), ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25"]);
        assert_eq!(labels(Scale::Linear, &[-30.0, 30.0]), ["−30", "−20", "−10", "0", "10", "20", "30"]);
    }

    #[test]
    fn logarithmic_axes_have_powers_of_ten() {
        assert_eq!(labels(Scale::Logarithmic, &[0.004, 59.9]), ["0.001", "0.01", "0.1", "1", "10", "100"]);
        assert_eq!(labels(Scale::Logarithmic, &[1.0, 1e9]).last().unwrap(), "1e9");
    }

    #[test]
    fn an_axis_for_nothing_or_for_one_value_is_an_axis() {
        assert_eq!(labels(Scale::Linear, &[]).first().unwrap(), "0.0");
        assert_eq!(labels(Scale::Linear, &[0.0]).len(), 6);
        assert_eq!(labels(Scale::Logarithmic, &[]), ["1", "10"]);
        assert_eq!(labels(Scale::Logarithmic, &[1.0]), ["0.1", "1"]);
        assert_eq!(labels(Scale::Logarithmic, &[0.0, -3.0, f64::NAN]), ["1", "10"]);
    }

    #[test]
    fn positions_stay_within_the_axis() {
        let range = Range::of(Scale::Logarithmic, [0.0, 1.0, 1000.0].into_iter());
        assert_eq!([-1.0, 0.0, 1.0, 1000.0].map(|value| range.position(value)), [0.0, 0.0, 0.0, 1.0]);
        let range = Range::of(Scale::Linear, [0.0, 10.0].into_iter());
        assert_eq!([0.0, 5.0, 10.0].map(|value| range.position(value)), [0.0, 0.5, 1.0]);
    }

    #[test]
    fn huge_values_do_not_make_an_endless_axis() {
        assert!(labels(Scale::Linear, &[1e300]).len() < 20);
        assert!(labels(Scale::Logarithmic, &[1e-300, 1e300]).len() < 20);
    }
}
