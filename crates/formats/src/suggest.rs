//! "Did you mean …?": what to say about a name that is not there.

use throng_model::Names;

/// Longest name that is compared; longer ones are rarely typed by hand.
const MAX_LENGTH: usize = 64;

/// How many names are compared: an error message may not take longer than reading the file did.
const MAX_NAMES: usize = 100_000;

/// What there is instead of a missing name: how many `kind` there are, and a close name if one exists.
/// `kind` is a plural such as "local states".
pub(crate) fn present_names(names: &Names, missing: &str, kind: &str) -> String {
    if let Names::Numbered(count) = names {
        return match count {
            0 => format!("there are no {kind}"),
            1 => format!("the only one of the {kind} is 0"),
            _ => format!("the {kind} are 0 to {}", count - 1),
        };
    }
    let count = names.len();
    match closest(names, missing) {
        Some(close) => format!("there are {count} {kind}; a close name is `{close}`"),
        None => format!("there are {count} {kind}"),
    }
}

/// The first name with the least edit distance to `wanted`, if that is at most a third of its length.
pub(crate) fn closest(names: &Names, wanted: &str) -> Option<String> {
    let Names::Listed(table) = names else { return None };
    let wanted: Vec<char> = wanted.chars().take(MAX_LENGTH + 1).collect();
    if wanted.is_empty() || wanted.len() > MAX_LENGTH {
        return None;
    }
    let limit = (wanted.len() / 3).max(1);
    let mut row = Vec::new();
    let distances = (0..table.len().min(MAX_NAMES)).filter_map(|index| {
        let name = table.get(index);
        // The length in bytes bounds that in characters from above, so this only skips long names.
        if name.is_empty() || name.len() > 4 * (wanted.len() + limit) {
            return None;
        }
        let distance = edit_distance(&wanted, name, &mut row);
        (distance <= limit).then_some((distance, index))
    });
    distances.min().map(|(_, index)| table.get(index).to_owned())
}

/// Levenshtein distance without regard to ASCII case; `row` is scratch space.
fn edit_distance(wanted: &[char], name: &str, row: &mut Vec<usize>) -> usize {
    row.clear();
    row.extend(0..=wanted.len());
    for (i, c) in name.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, w) in wanted.iter().enumerate() {
            let substitute = diagonal + usize::from(!c.eq_ignore_ascii_case(w));
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[wanted.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_model::names::NameTable;

    fn names(list: &[&str]) -> Names {
        let mut table = NameTable::default();
        for name in list {
            table.insert(name);
        }
        Names::Listed(table)
    }

    #[test]
    fn the_closest_name_is_found() {
        let names = names(&["waiting", "working", "done"]);
        assert_eq!(closest(&names, "wating").as_deref(), Some("waiting"));
        assert_eq!(closest(&names, "DONE").as_deref(), Some("done"));
        assert_eq!(closest(&names, "idle"), None);
        assert_eq!(closest(&names, ""), None);
    }

    #[test]
    fn numbered_states_are_given_by_their_range() {
        assert_eq!(present_names(&Names::Numbered(5), "7", "local states"), "the local states are 0 to 4");
    }
}
