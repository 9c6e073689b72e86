//! A table of programs: locations with edges, edges, and atomic locations before and after merging steps, at both
//! atomicities. `cargo run --release -p throng-c-front --example merged -- tests/c/*.c`

use std::path::PathBuf;
use std::time::Instant;
use throng_c_front::lower::{Atomicity, Options, read};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::Program;
use throng_cfa::merge::prepare;

/// Locations with edges, edges, and how many of the locations are atomic.
fn counts(program: &Program) -> (usize, usize, usize) {
    let used = || program.locations.iter().filter(|location| location.edges.1 > 0);
    (used().count(), program.edges.len(), used().filter(|location| location.is_atomic).count())
}

#[allow(clippy::print_stdout, reason = "this is a command for developers")]
fn main() {
    println!("file\tatomicity\tlocations\tedges\tatomic\tmerged\tedges\tatomic\tlongest\tms");
    for file in std::env::args().skip(1).map(PathBuf::from) {
        for (name, atomicity) in [("access", Atomicity::Access), ("statement", Atomicity::Statement)] {
            let options = Options { atomicity, ..Options::default() };
            let Ok((program, _)) = read(std::slice::from_ref(&file), &Preprocessing::default(), &options)
            else {
                continue;
            };
            let start = Instant::now();
            let merged = prepare(&program);
            let time = start.elapsed().as_millis();
            let longest = merged.paths.iter().map(Vec::len).max().unwrap_or(0);
            let (a, b) = (counts(&program), counts(&merged.program));
            let shown = file.file_name().unwrap_or_default().to_string_lossy();
            println!(
                "{shown}\t{name}\t{}\t{}\t{}\t{}\t{}\t{}\t{longest}\t{time}",
                a.0, a.1, a.2, b.0, b.1, b.2
            );
        }
    }
}
