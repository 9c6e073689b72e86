//! A table of programs: how long making larger steps takes, how long checking them takes, and what the checker says, at both
//! atomicities. `cargo run --release -p throng-check --example reduced -- tests/c/*.c`

use std::path::PathBuf;
use std::time::Instant;
use throng_base::Budget;
use throng_c_front::lower::{Atomicity, Options, read};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::merge::stages;
use throng_check::c::check_stages;

#[allow(clippy::print_stdout, reason = "this is a command for developers")]
fn main() {
    println!("file\tatomicity\tedges\tmerged\tms to make\tms to check\tanswer");
    for file in std::env::args().skip(1).map(PathBuf::from) {
        for (name, atomicity) in [("access", Atomicity::Access), ("statement", Atomicity::Statement)] {
            let options = Options { atomicity, ..Options::default() };
            let Ok((program, _)) = read(std::slice::from_ref(&file), &Preprocessing::default(), &options)
            else {
                continue;
            };
            let start = Instant::now();
            let stages = stages(&program);
            let made = start.elapsed().as_millis();
            let start = Instant::now();
            let answer = check_stages(&program, &stages, &Budget::unlimited());
            let checked = start.elapsed().as_millis();
            let answer = answer.map_or_else(|rejection| rejection.to_string(), |()| "accepted".to_owned());
            let (n, m) = (program.edges.len(), stages.last.edges.len());
            println!("{}\t{name}\t{n}\t{m}\t{made}\t{checked}\t{answer}", file.display());
        }
    }
}
