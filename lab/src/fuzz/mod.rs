//! The bodies of the fuzz targets, so that they run under cargo-fuzz for hours and in `cargo test` for a second.
//!
//! * A parser must not panic on any bytes. What it accepts must survive printing: the printed text is read
//!   again, printed again, and must not have changed.
//! * The checker must not panic on any evidence. What it accepts must not contradict the naive judge or the
//!   oracle.
//!
//! [`TARGETS`] lists them with small valid texts to start from; [`mutate`] makes new texts from those.

mod boolprog;
mod cprog;
mod evidence;
mod mutate;
mod parsers;
mod seeds;

pub use boolprog::boolprog;
pub use cprog::cprog;
pub use evidence::{checker, evidence_json};
pub use mutate::mutate;
pub use parsers::{config_text, lola, lola_formula, mcc, pl, pnet, pnml, spec, tina, tts};

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is the name of its file under `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// Panics if something is wrong; tells whether the input was accepted.
    pub run: fn(&[u8]) -> bool,
    /// Inputs to start from.
    pub seeds: &'static [&'static str],
}

/// All targets.
pub const TARGETS: [Target; 14] = [
    Target { name: "tts", run: tts, seeds: seeds::TTS },
    Target { name: "spec", run: spec, seeds: seeds::SPEC },
    Target { name: "pnml", run: pnml, seeds: seeds::PNML },
    Target { name: "mcc", run: mcc, seeds: seeds::MCC },
    Target { name: "lola", run: lola, seeds: seeds::LOLA },
    Target { name: "lola_formula", run: lola_formula, seeds: seeds::LOLA_FORMULA },
    Target { name: "tina", run: tina, seeds: seeds::TINA },
    Target { name: "pnet", run: pnet, seeds: seeds::PNET },
    Target { name: "pl", run: pl, seeds: seeds::PL },
    Target { name: "boolprog", run: boolprog, seeds: seeds::BOOLPROG },
    Target { name: "cprog", run: cprog, seeds: seeds::CPROG },
    Target { name: "config_text", run: config_text, seeds: seeds::CONFIG_TEXT },
    Target { name: "evidence_json", run: evidence_json, seeds: seeds::EVIDENCE_JSON },
    Target { name: "checker", run: checker, seeds: seeds::CHECKER },
];
