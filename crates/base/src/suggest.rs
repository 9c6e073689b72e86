//! "Did you mean …?": the name closest to one that is not there.

/// Longest name that is compared; longer ones are rarely typed by hand.
const MAX_LENGTH: usize = 64;

/// How many names are compared: an error message may not take longer than reading the file did.
const MAX_NAMES: usize = 100_000;

/// The first name with the least edit distance to `wanted`, if that is at most a third of its length.
pub fn closest<'n>(names: impl IntoIterator<Item = &'n str>, wanted: &str) -> Option<&'n str> {
    let wanted: Vec<char> = wanted.chars().take(MAX_LENGTH + 1).collect();
    if wanted.is_empty() || wanted.len() > MAX_LENGTH {
        return None;
    }
    let limit = (wanted.len() / 3).max(1);
    let mut row = Vec::new();
    let near = names.into_iter().take(MAX_NAMES).filter_map(|name| {
        // The length in bytes bounds that in characters from above, so this only skips long names.
        if name.is_empty() || name.len() > 4 * (wanted.len() + limit) {
            return None;
        }
        let distance = edit_distance(&wanted, name, &mut row);
        (distance <= limit).then_some((distance, name))
    });
    near.min_by_key(|&(distance, _)| distance).map(|(_, name)| name)
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

    #[test]
    fn the_closest_name_is_found() {
        let names = ["waiting", "working", "done"];
        assert_eq!(closest(names, "wating"), Some("waiting"));
        assert_eq!(closest(names, "DONE"), Some("done"));
        assert_eq!(closest(names, "idle"), None);
        assert_eq!(closest(names, ""), None);
    }

    #[test]
    fn the_first_of_equally_close_names_is_taken() {
        assert_eq!(closest(["l12", "l13"], "l1"), Some("l12"));
    }
}
