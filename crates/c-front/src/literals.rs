//! What literals are worth: integers with their suffixes, characters and strings with their escapes.
//!
//! Values are those that gcc gives on machines with eight-bit signed characters and four-byte wide ones; floating
//! constants are kept as written, since nothing computes with them.

use crate::syntax::{Encoding, ExpressionKind, IntegerLiteral};

/// Why a literal is none.
pub type LiteralError = String;

/// A number: an integer, or something with a point or exponent.
pub fn number(text: &str) -> Result<ExpressionKind, LiteralError> {
    match integer(text) {
        Ok(Some(literal)) => Ok(ExpressionKind::Integer(literal)),
        Ok(None) if is_floating(text) => Ok(ExpressionKind::Floating(text.into())),
        Ok(None) => Err(format!("`{text}` is not a number of C")),
        Err(error) => Err(error),
    }
}

/// The integer that is written; `None` if it is none.
fn integer(text: &str) -> Result<Option<IntegerLiteral>, LiteralError> {
    let lower = text.to_ascii_lowercase();
    let (base, rest) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', b'0'..=b'9', ..] => (8, &lower[1..]),
        _ => (10, &lower[..]),
    };
    let n_digits = rest.find(|c: char| !c.is_digit(base.max(10))).unwrap_or(rest.len());
    let (digits, suffix) = rest.split_at(n_digits);
    let Some((is_unsigned, longs)) = integer_suffix(suffix) else { return Ok(None) };
    if digits.is_empty() {
        return Ok(None);
    }
    if let Some(wrong) = digits.chars().find(|c| !c.is_digit(base)) {
        return Err(format!("`{wrong}` is no digit of a number in base {base}"));
    }
    let Ok(value) = u128::from_str_radix(digits, base) else {
        return Err(format!("`{text}` does not fit any integer type"));
    };
    // Octal zero is a zero of base 10 to everyone; its type is the same.
    Ok(Some(IntegerLiteral { value, is_unsigned, longs, is_decimal: base == 10 }))
}

/// Whether there is a `u` and how many `l`s.
fn integer_suffix(suffix: &str) -> Option<(bool, u8)> {
    match suffix {
        "" => Some((false, 0)),
        "u" => Some((true, 0)),
        "l" => Some((false, 1)),
        "ul" | "lu" => Some((true, 1)),
        "ll" => Some((false, 2)),
        "ull" | "llu" => Some((true, 2)),
        _ => None,
    }
}

/// Whether a preprocessing number that is no integer is a floating constant; imaginary ones are.
fn is_floating(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let (is_hexadecimal, rest) = match lower.strip_prefix("0x") {
        Some(rest) => (true, rest),
        None => (false, &lower[..]),
    };
    let base = if is_hexadecimal { 16 } else { 10 };
    let skip = |rest: &str, base| rest.trim_start_matches(|c: char| c.is_digit(base)).len();
    let mut rest = rest;
    let mut n_digits = rest.len() - skip(rest, base);
    rest = &rest[n_digits..];
    let has_point = rest.starts_with('.');
    if has_point {
        rest = &rest[1..];
        let fraction = rest.len() - skip(rest, base);
        n_digits += fraction;
        rest = &rest[fraction..];
    }
    let mut has_exponent = false;
    if let Some(exponent) = rest.strip_prefix(if is_hexadecimal { 'p' } else { 'e' }) {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        has_exponent = digits.starts_with(|c: char| c.is_ascii_digit());
        rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    let suffix = rest.trim_matches(['i', 'j']);
    let known = ["", "f", "l", "q", "w", "df", "dd", "dl", "f16", "f32", "f64", "f128", "f32x", "f64x"];
    let is_imaginary = suffix.len() != rest.len();
    // A hexadecimal fraction needs its exponent.
    let has_form = has_exponent || if has_point { !is_hexadecimal } else { is_imaginary };
    n_digits > 0 && has_form && known.contains(&suffix)
}

/// The value of a character constant, quotes and prefix included in `text`, and what it is a character of.
pub fn character(text: &str) -> Result<(i64, Encoding), LiteralError> {
    let (encoding, units) = units(text)?;
    let value = match (units.as_slice(), encoding) {
        ([], _) => return Err("there is no character between the quotes".to_owned()),
        // A plain character is a signed byte; several make an `int`, the first of them most significant.
        ([unit], Encoding::Narrow) => i64::from(*unit as u8 as i8),
        (several, Encoding::Narrow) => {
            i64::from(several.iter().fold(0u32, |value, unit| value << 8 | (unit & 0xff)) as i32)
        }
        // Of several wide characters, gcc takes the last.
        ([.., unit], Encoding::Wide) => i64::from(*unit as i32),
        ([unit], Encoding::Utf16 | Encoding::Utf32) => i64::from(*unit),
        _ => return Err("there is more than one character between the quotes".to_owned()),
    };
    Ok((value, encoding))
}

/// What a prefix says.
fn encoding(prefix: &str) -> Encoding {
    match prefix {
        "L" => Encoding::Wide,
        "u" => Encoding::Utf16,
        "U" => Encoding::Utf32,
        _ => Encoding::Narrow,
    }
}

/// The bytes of adjacent strings, and what they are strings of: if one has a prefix, it is for all.
pub fn string(parts: &[&str]) -> Result<(Vec<u8>, Encoding), LiteralError> {
    let mut all = Encoding::Narrow;
    for part in parts {
        match encoding(&part[..part.find('"').unwrap_or(0)]) {
            Encoding::Narrow => {}
            other if all == Encoding::Narrow || all == other => all = other,
            _ => return Err("strings with different prefixes stand side by side".to_owned()),
        }
    }
    let mut bytes = Vec::new();
    for part in parts {
        // A narrow part of a wide string is read as if it had the prefix.
        let inner = &part[part.find('"').unwrap_or(0)..];
        for unit in units_of(inner, all)? {
            bytes.extend(&unit.to_le_bytes()[..all.size()]);
        }
    }
    Ok((bytes, all))
}

/// The characters of a wide literal, the bytes of a narrow one.
fn units(literal: &str) -> Result<(Encoding, Vec<u32>), LiteralError> {
    let open = literal.find(['"', '\'']).ok_or("there is no quote")?;
    let encoding = encoding(&literal[..open]);
    Ok((encoding, units_of(&literal[open..], encoding)?))
}

/// The same without the prefix.
fn units_of(quoted: &str, encoding: Encoding) -> Result<Vec<u32>, LiteralError> {
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).ok_or("there is no closing quote")?;
    let mut units = Vec::new();
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c != '\\' {
            push_character(&mut units, c, encoding);
            continue;
        }
        rest = escape(rest, encoding, &mut units)?;
    }
    Ok(units)
}

fn push_character(units: &mut Vec<u32>, c: char, encoding: Encoding) {
    match encoding {
        Encoding::Wide | Encoding::Utf32 => units.push(c.into()),
        Encoding::Utf16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit))),
        Encoding::Narrow => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
    }
}

/// What stands after a backslash; returns what follows it.
fn escape<'t>(rest: &'t str, encoding: Encoding, units: &mut Vec<u32>) -> Result<&'t str, LiteralError> {
    let Some(c) = rest.chars().next() else { return Err("nothing follows the backslash".to_owned()) };
    let after = &rest[c.len_utf8()..];
    let simple = match c {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' | 'E' => 27,
        '\\' | '\'' | '"' | '?' => c as u32,
        '\n' => return Ok(after),
        '0'..='7' => return digits(rest, 8, 3, encoding, units),
        'x' => return digits(after, 16, usize::MAX, encoding, units),
        'u' | 'U' => return universal(after, if c == 'u' { 4 } else { 8 }, encoding, units),
        _ => return Err(format!("`\\{}` is no escape sequence", c.escape_debug())),
    };
    units.push(simple);
    Ok(after)
}

/// `\123`, `\x7f`: as many digits as there are, up to a limit.
fn digits<'t>(
    rest: &'t str,
    base: u32,
    limit: usize,
    encoding: Encoding,
    units: &mut Vec<u32>,
) -> Result<&'t str, LiteralError> {
    let length = rest.chars().take_while(|c| c.is_digit(base)).count().min(limit);
    let digits = &rest[..length];
    let most = u32::MAX >> (32 - 8 * encoding.size());
    match u32::from_str_radix(digits, base) {
        Ok(value) if value <= most => units.push(value),
        _ if digits.is_empty() => return Err("`\\x` needs hexadecimal digits".to_owned()),
        _ => return Err(format!("the escape sequence with digits `{digits}` does not fit a character")),
    }
    Ok(&rest[length..])
}

/// `\u00e9`
fn universal<'t>(
    rest: &'t str,
    length: usize,
    encoding: Encoding,
    units: &mut Vec<u32>,
) -> Result<&'t str, LiteralError> {
    let digits = rest.get(..length).filter(|digits| digits.chars().all(|c| c.is_ascii_hexdigit()));
    let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32);
    let Some(c) = value else {
        return Err(format!("a universal character name needs {length} hexadecimal digits"));
    };
    push_character(units, c, encoding);
    Ok(&rest[length..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str) -> (u128, bool, u8, bool) {
        match number(text).unwrap() {
            ExpressionKind::Integer(i) => (i.value, i.is_unsigned, i.longs, i.is_decimal),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn integers_with_bases_and_suffixes() {
        assert_eq!(literal("0"), (0, false, 0, true));
        assert_eq!(literal("42u"), (42, true, 0, true));
        assert_eq!(literal("0x7fULL"), (127, true, 2, false));
        assert_eq!(literal("0b101l"), (5, false, 1, false));
        assert_eq!(literal("0755LLU"), (493, true, 2, false));
        assert_eq!(literal("18446744073709551616"), (1 << 64, false, 0, true));
    }

    #[test]
    fn wrong_numbers_are_refused() {
        for text in
            ["089", "0b2", "1lul", "0x", "1__", "1e", "0x1.8", "99999999999999999999999999999999999999999"]
        {
            assert!(number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn floating_constants_are_kept() {
        for text in ["1.0", ".5f", "1e10", "0x1.8p3L", "089.5", "2.i", "1i", "1.0f128", "1.e-3"] {
            assert!(matches!(number(text), Ok(ExpressionKind::Floating(kept)) if &*kept == text), "{text}");
        }
    }

    #[test]
    fn characters_have_the_values_gcc_gives() {
        let cases =
            [("'a'", 97), (r"'\n'", 10), (r"'\377'", -1), (r"'\xff'", -1), ("'ab'", 24930), ("L'é'", 233)];
        for (text, value) in cases {
            assert_eq!(character(text).map(|(value, _)| value), Ok(value), "{text}");
        }
        assert_eq!(character(r"L'\xffff'"), Ok((65535, Encoding::Wide)));
        assert_eq!(character(r"u'\xffff'"), Ok((65535, Encoding::Utf16)));
        assert_eq!(character("U'é'"), Ok((233, Encoding::Utf32)));
        for text in ["''", r"'\q'", r"'\x'", r"'\400'", r"'\u12'", "u'ab'", r"u'\x10000'"] {
            assert!(character(text).is_err(), "{text}");
        }
    }

    #[test]
    fn adjacent_strings_are_one() {
        assert_eq!(string(&["\"a\\0\"", "\"é\""]), Ok((b"a\0\xc3\xa9".to_vec(), Encoding::Narrow)));
        assert_eq!(string(&["u8\"é\"", "L\"b\""]), Ok((vec![0xe9, 0, 0, 0, b'b', 0, 0, 0], Encoding::Wide)));
        assert_eq!(string(&["u\"é\"", "\"b\""]), Ok((vec![0xe9, 0, b'b', 0], Encoding::Utf16)));
        assert!(string(&["u\"é\"", "L\"b\""]).is_err());
    }
}
