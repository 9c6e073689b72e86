//! The values of `--label`: `CS`, `CS*2` (two threads), `A,B*2` (threads at both at the same time).

use std::collections::BTreeMap;
use throng_base::Diagnostic;
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{Cube, Pattern, ThreadPattern};
use throng_c_front::lower::Together;

/// The most threads that may be asked for at once.
const MOST_THREADS: u32 = 64;
/// The most combinations of places where the threads that are asked for can be.
const MOST_TARGETS: usize = 4096;

/// What the values ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Labels {
    /// Labels that no thread may come to.
    pub(super) alone: Vec<String>,
    /// Labels that several threads may not be at at the same time.
    pub(super) together: Vec<Together>,
}

impl Labels {
    /// Reads all values. `Err` holds at least one error.
    pub(super) fn new(values: &[String]) -> Result<Self, Vec<Diagnostic>> {
        let mut labels = Self::default();
        let mut errors = Vec::new();
        for value in values {
            match group(value) {
                Ok(group) if group.values().sum::<u32>() == 1 => labels.alone.extend(group.into_keys()),
                Ok(group) => labels.together.push(group),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(labels) } else { Err(errors) }
    }

    /// All labels.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.alone.iter().chain(self.together.iter().flat_map(BTreeMap::keys)).map(String::as_str)
    }
}

/// One value.
fn group(value: &str) -> Result<Together, Diagnostic> {
    let wrong = |message: String| {
        Diagnostic::error("E0524", format!("`--label {value}`: {message}")).hint(
            "`--label CS` asks for a thread at CS, `--label CS*2` for two, `--label A,B` for one at A and one at B \
             at the same time",
        )
    };
    let mut group = Together::new();
    for part in value.split(',').map(str::trim) {
        let (name, count) = match part.split_once('*') {
            None => (part, 1),
            Some((name, count)) => {
                let count = count.trim().parse::<u32>().ok().filter(|&count| count > 0);
                let count =
                    count.ok_or_else(|| wrong("after `*` comes how many threads, from 1".to_owned()))?;
                (name.trim(), count)
            }
        };
        if name.is_empty() {
            return Err(wrong("a label has no name".to_owned()));
        }
        let total = group.entry(name.to_owned()).or_default();
        *total = total.saturating_add(count);
    }
    let total = group.values().fold(0u32, |sum, &count| sum.saturating_add(count));
    if total > MOST_THREADS {
        return Err(wrong(format!("at most {MOST_THREADS} threads can be asked for at once")));
    }
    Ok(group)
}

/// The configurations of a Boolean program with threads at labels, all of which the program has. A label may be at several
/// locations: in each place where its function is called.
pub(super) fn targets(program: &Program, group: &Together) -> Result<Vec<Pattern>, Diagnostic> {
    let mut chosen: Vec<Vec<LocationId>> = vec![Vec::new()];
    for (label, &count) in group {
        let locations = program.locations_with_label(label).unwrap_or_default();
        let ways = multisets(&locations, count)
            .filter(|ways| ways.len().saturating_mul(chosen.len()) <= MOST_TARGETS);
        let Some(ways) = ways else {
            let message =
                format!("threads at {label} can be in more than {MOST_TARGETS} combinations of places");
            return Err(Diagnostic::error("E0524", message)
                .hint("put the label into `main`, or call its function from fewer places"));
        };
        let longer = |before: &Vec<LocationId>| -> Vec<Vec<LocationId>> {
            ways.iter().map(|way| before.iter().chain(way).copied().collect()).collect()
        };
        chosen = chosen.iter().flat_map(longer).collect();
    }
    let thread = |location: LocationId| ThreadPattern { location, locals: Cube::any() };
    let mut targets: Vec<Pattern> = chosen
        .into_iter()
        .map(|mut locations| {
            locations.sort_unstable();
            Pattern { shared: Cube::any(), threads: locations.into_iter().map(thread).collect() }
        })
        .collect();
    targets.sort();
    targets.dedup();
    Ok(targets)
}

/// All ways to place so many threads at these locations; `None` if they are too many.
fn multisets(locations: &[LocationId], count: u32) -> Option<Vec<Vec<LocationId>>> {
    let mut ways: Vec<Vec<LocationId>> = vec![Vec::new()];
    for _ in 0..count {
        let longer = ways.iter().flat_map(|way| {
            let from = way.last().copied();
            let next = locations.iter().filter(move |&&location| from.is_none_or(|from| from <= location));
            next.map(|&location| way.iter().copied().chain([location]).collect::<Vec<_>>())
        });
        ways = longer.take(MOST_TARGETS + 1).collect();
        if ways.len() > MOST_TARGETS {
            return None;
        }
    }
    Some(ways)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str]) -> Result<Labels, Vec<Diagnostic>> {
        Labels::new(&values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn labels_alone_and_together() {
        let labels = read(&["A", "B*1", "CS*2", "A, B*2,A"]).unwrap();
        assert_eq!(labels.alone, ["A", "B"]);
        let expected = [vec![("CS", 2)], vec![("A", 2), ("B", 2)]];
        let expected = expected.map(|group| {
            group.into_iter().map(|(name, count)| (name.to_owned(), count)).collect::<Together>()
        });
        assert_eq!(labels.together, expected);
    }

    #[test]
    fn what_is_no_list_of_labels_is_refused() {
        for value in ["", "A,", "*2", "A*", "A*0", "A*-1", "A*x", "A*65", "A*40,B*40", "A*99999999999"] {
            let errors = read(&[value]).unwrap_err();
            assert!(errors.len() == 1 && errors[0].code == "E0524", "{value}");
        }
    }

    #[test]
    fn threads_are_placed_in_every_way() {
        let at = LocationId::new;
        let ways = multisets(&[at(1), at(4)], 2).unwrap();
        assert_eq!(ways, [vec![at(1), at(1)], vec![at(1), at(4)], vec![at(4), at(4)]]);
        assert_eq!(multisets(&(0..100).map(at).collect::<Vec<_>>(), 3), None);
        assert_eq!(multisets(&[], 2), Some(Vec::new()));
    }
}
