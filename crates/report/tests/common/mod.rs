//! What the tests of outputs share: files to compare with, and schemas.

#![allow(dead_code, reason = "not every test file uses all of it")]

use serde_json::Value;
use std::path::PathBuf;

fn from_here(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Compares with a file of `tests/golden`, or rewrites it if `UPDATE_GOLDEN` is set.
pub(crate) fn golden(name: &str, actual: &str) {
    let path = from_here("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{name} changed; if that is right, run with UPDATE_GOLDEN=1");
}

/// Compares documents with a schema of `docs/schemas`.
pub(crate) struct Validator(jsonschema::Validator);

pub(crate) fn validator(schema: &str) -> Validator {
    let text = std::fs::read_to_string(from_here("../../docs/schemas").join(schema)).unwrap();
    Validator(jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap())
}

impl Validator {
    /// The document fits, and the schema is not so loose that it accepts anything.
    pub(crate) fn check(&self, document: &str) {
        let document: Value = serde_json::from_str(document).unwrap();
        let errors: Vec<String> = self.0.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?} in {document:#}");
        for field in ["verdict", "format", "surprise"] {
            let mut broken = document.clone();
            broken[field] = "x".into();
            assert!(!self.0.is_valid(&broken), "{field}");
        }
    }
}
