//! The list of faults that `scripts/planted` plants fits the sources.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;
use throng_lab::planted::{faults, obstacle, plant};

#[test]
fn every_fault_can_be_planted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let faults = faults(&root).unwrap();
    assert!(faults.len() >= 40);
    let mut wrong = Vec::new();
    for fault in &faults {
        let text = std::fs::read_to_string(root.join(&fault.file)).unwrap_or_default();
        wrong.extend(obstacle(fault, &text));
        wrong.extend((fault.why.is_empty() || fault.old == fault.new).then(|| fault.name.clone()));
        let in_file: Vec<_> = faults.iter().filter(|other| other.file == fault.file).collect();
        wrong.extend(plant(&text, &in_file).err());
        let hint = fault.hint.as_ref().map(|hint| root.join("tests/c/features").join(hint));
        wrong.extend(
            hint.filter(|path| !path.is_file()).map(|path| format!("{} is not there", path.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
