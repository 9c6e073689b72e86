//! "Did you mean …?": what to say about a name that is not there.

use throng_base::suggest;
use throng_model::Names;

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

/// The closest name, if there is a close one. Numbers are not compared.
pub(crate) fn closest<'n>(names: &'n Names, wanted: &str) -> Option<&'n str> {
    let Names::Listed(table) = names else { return None };
    suggest::closest((0..table.len()).map(|index| table.get(index)), wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_states_are_given_by_their_range() {
        assert_eq!(present_names(&Names::Numbered(5), "7", "local states"), "the local states are 0 to 4");
    }
}
