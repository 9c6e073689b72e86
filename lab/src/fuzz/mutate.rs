//! New inputs from old ones. Random bytes rarely get past the first token of a grammar; a valid text with a few
//! tokens changed gets everywhere.

use crate::choices::{Choices, SplitMix64};

/// Numbers that parsers get wrong, and bytes that are not text.
const STRANGE: [&[u8]; 16] = [
    b"0",
    b"1",
    b"255",
    b"4294967295",
    b"4294967296",
    b"18446744073709551616",
    b"99999999999999999999999999",
    b"-1",
    b"\"",
    b"'",
    b"\\",
    b"\0",
    b"\xff\xfe",
    "ω→é".as_bytes(),
    b"((((((((",
    b"\r\n",
];

/// A text made from one of `seeds` by a few edits; some take parts of other seeds.
pub fn mutate(random: &mut SplitMix64, seeds: &[&str]) -> Vec<u8> {
    let mut text = random.pick(seeds).as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        edit(random, &mut text, seeds);
    }
    text
}

fn edit(random: &mut SplitMix64, text: &mut Vec<u8>, seeds: &[&str]) {
    let here = token(random, text);
    match random.below(8) {
        0 => drop(text.drain(here)),
        1 => {
            let copy = text[here.clone()].to_vec();
            insert(text, here.end, &copy);
        }
        2 => {
            let other = token(random, text);
            let replacement = text[other].to_vec();
            text.splice(here, replacement);
        }
        3 => {
            text.splice(here, random.pick(&STRANGE).iter().copied());
        }
        4 => {
            let donor = random.pick(seeds).as_bytes();
            let part = donor[token(random, donor)].to_vec();
            insert(text, here.start, &part);
        }
        5 => {
            let cut = random.below(text.len() + 1);
            text.truncate(cut);
        }
        6 => {
            let donor = random.pick(seeds).as_bytes();
            let start = random.below(donor.len() + 1);
            text.extend_from_slice(&donor[start..]);
        }
        _ => {
            let at = random.below(text.len() + 1);
            insert(text, at, &[random.below(256) as u8]);
        }
    }
}

fn insert(text: &mut Vec<u8>, at: usize, part: &[u8]) {
    text.splice(at..at, part.iter().copied());
}

/// A token near a random place: a run of bytes that are all letters and digits, all blanks, or one other byte.
fn token(random: &mut SplitMix64, text: &[u8]) -> std::ops::Range<usize> {
    let class = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => 1,
        b' ' | b'\n' | b'\t' | b'\r' => 2,
        _ => 0,
    };
    let at = random.below(text.len());
    let Some(&byte) = text.get(at) else { return 0..0 };
    let same = |&other: &u8| class(byte) > 0 && class(other) == class(byte);
    let start = text[..at].iter().rposition(|other| !same(other)).map_or(0, |i| i + 1);
    let end = text[at..].iter().skip(1).position(|other| !same(other)).map_or(text.len(), |i| at + 1 + i);
    start.min(at)..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_runs_of_one_kind() {
        let mut random = SplitMix64::new(1);
        for _ in 0..100 {
            let range = token(&mut random, b"ab12 -> x");
            assert!([&b"ab12"[..], b" ", b"-", b">", b"x"].contains(&&b"ab12 -> x"[range]));
        }
    }

    #[test]
    fn mutation_changes_texts() {
        let mut random = SplitMix64::new(1);
        let changed = (0..100).filter(|_| mutate(&mut random, &["0 0 -> 1 1", "x"]) != b"0 0 -> 1 1");
        assert!(changed.count() > 80);
        assert!((0..1000).all(|_| mutate(&mut random, &[""]).len() < 1000));
    }
}
