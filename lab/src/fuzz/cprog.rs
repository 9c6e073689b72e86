//! The fuzz target of the C front end.

use throng_base::Source;
use throng_c_front::lexer;
use throng_c_front::lower::{Options, read_text};
use throng_c_front::parser::parse;
use throng_c_front::preprocess::own::preprocess_text;
use throng_c_front::preprocess::{Preprocessed, Preprocessing, from_text};

/// `.c` files, by our own preprocessor. What it makes does not change if it is preprocessed again; refusals say why.
pub fn cprog(data: &[u8]) -> bool {
    let Ok(source) = Source::from_bytes("fuzz.c", data.to_vec()) else { return false };
    let Some(text) = preprocessed(source.text()) else { return false };
    let read = from_text("fuzz.c", &text).expect("a preprocessed text has no directives");
    let again = preprocessed(&text).expect("a preprocessed text has no directives");
    let again = from_text("fuzz.c", &again).expect("a preprocessed text has no directives");
    assert_eq!(tokens(&read), tokens(&again), "the tokens changed");
    match parse(&read.text, &read.units) {
        Ok(units) if units[0].items.is_empty() => false,
        Ok(_) => {
            // Names, types and meaning: an answer or refusals, nothing else.
            if let Err(errors) = read_text("fuzz.c", &text, &Preprocessing::default(), &Options::default()) {
                assert!(
                    !errors.is_empty() && errors.iter().all(|error| error.code.starts_with('E')),
                    "{errors:?}"
                );
            }
            true
        }
        Err(errors) => {
            assert!(!errors.is_empty() && errors.iter().all(|error| error.place.is_some()), "{errors:?}");
            false
        }
    }
}

fn preprocessed(text: &str) -> Option<String> {
    match preprocess_text("fuzz.c", text, &Preprocessing::default()) {
        Ok(text) => Some(text),
        Err(errors) => {
            assert!(!errors.is_empty() && errors.iter().all(|error| error.place.is_some()), "{errors:?}");
            None
        }
    }
}

fn tokens(read: &Preprocessed) -> Vec<&str> {
    let (tokens, _) = lexer::tokens(read.text.source().text(), read.units[0].span);
    tokens.iter().map(|token| read.text.slice(token.span)).collect()
}
