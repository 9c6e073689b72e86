//! Text in HTML.

/// A text in which nothing is taken for markup, in elements and in attributes. Control characters are shown as pictures.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(char),
            control if control.is_control() => {
                let picture =
                    char::from_u32(0x2400 + u32::from(control)).filter(|_| u32::from(control) < 0x20);
                out.push(picture.unwrap_or('\u{fffd}'));
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escape("a<b && \"c\" '\u{1b}[0m"), "a&lt;b &amp;&amp; &quot;c&quot; &#39;␛[0m");
    }
}
