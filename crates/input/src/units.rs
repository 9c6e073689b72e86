//! Durations and sizes on the command line: `500ms`, `60s`, `2m`, `1h`; `512MiB`, `4GB`, `4G`.

use std::time::Duration;

/// Units of time in seconds; a plain number is in seconds.
const TIME_UNITS: [(&str, f64); 6] =
    [("", 1.0), ("ms", 0.001), ("s", 1.0), ("m", 60.0), ("min", 60.0), ("h", 3600.0)];

/// Units of memory in bytes; a plain number is in bytes. `4G` is what `4GiB` is.
const SIZE_UNITS: [(&str, f64); 14] = [
    ("", 1.0),
    ("b", 1.0),
    ("k", 1024.0),
    ("kib", 1024.0),
    ("kb", 1e3),
    ("m", 1_048_576.0),
    ("mib", 1_048_576.0),
    ("mb", 1e6),
    ("g", 1_073_741_824.0),
    ("gib", 1_073_741_824.0),
    ("gb", 1e9),
    ("t", 1_099_511_627_776.0),
    ("tib", 1_099_511_627_776.0),
    ("tb", 1e12),
];

/// Reads a duration.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = quantity(text, &TIME_UNITS, "a duration such as `500ms`, `60s`, `2m` or `1h`")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "that is too long".to_owned())
}

/// Reads a size in bytes.
pub fn size(text: &str) -> Result<u64, String> {
    let bytes = quantity(text, &SIZE_UNITS, "a size such as `512MiB` or `4GiB`")?;
    // Floats hold sizes up to 2^53 bytes exactly, far beyond the memory of any machine.
    if bytes < 9e15 { Ok(bytes as u64) } else { Err("that is too large".to_owned()) }
}

fn quantity(text: &str, units: &[(&str, f64)], expected: &str) -> Result<f64, String> {
    let end = text.find(|letter: char| !(letter.is_ascii_digit() || letter == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.trim().to_ascii_lowercase();
    let number: f64 = number.parse().map_err(|_| format!("expected {expected}"))?;
    let scale = units.iter().find(|(name, _)| *name == unit).map(|(_, scale)| scale);
    let value = number * scale.ok_or_else(|| format!("unknown unit `{unit}`; expected {expected}"))?;
    if value > 0.0 { Ok(value) } else { Err(format!("expected more than 0: {expected}")) }
}

/// A duration for people: `12.3 s`, `4 min 05 s`.
pub fn show_duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", duration.as_secs_f64()),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// A size for people: `12 MiB`, `3.4 GiB`.
pub fn show_size(bytes: u64) -> String {
    const MIB: f64 = 1_048_576.0;
    let mib = bytes as f64 / MIB;
    if mib < 1024.0 { format!("{mib:.0} MiB") } else { format!("{:.1} GiB", mib / 1024.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        for (text, milliseconds) in [
            ("500ms", 500),
            ("60s", 60_000),
            ("7", 7_000),
            ("1.5", 1_500),
            ("2m", 120_000),
            ("1h", 3_600_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "-1s", "1x", "0", "1 . 2s", "9e99s", "1e9h"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert_eq!(
            duration("5 parsecs"),
            Err("unknown unit `parsecs`; expected a duration such as `500ms`, `60s`, `2m` or `1h`".to_owned())
        );
    }

    #[test]
    fn sizes_have_binary_and_decimal_units() {
        for (text, bytes) in
            [("512MiB", 512 << 20), ("4GiB", 4 << 30), ("4G", 4 << 30), ("4GB", 4_000_000_000), ("1k", 1024)]
        {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["GiB", "4 GiBi", "0G", "99999999T"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn quantities_are_shown_for_people() {
        assert_eq!(show_duration(Duration::from_millis(12_340)), "12.3 s");
        assert_eq!(show_duration(Duration::from_secs(245)), "4 min 05 s");
        assert_eq!(show_size(12 << 20), "12 MiB");
        assert_eq!(show_size(3 << 30), "3.0 GiB");
    }
}
