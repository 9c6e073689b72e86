//! Writes the seeds of the fuzz targets as files, one directory per target: a corpus for cargo-fuzz.

use std::path::PathBuf;
use throng_testkit::fuzz::TARGETS;

fn main() -> std::io::Result<()> {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "fuzz/corpus".into()));
    for target in TARGETS {
        let directory = root.join(target.name);
        std::fs::create_dir_all(&directory)?;
        for (i, seed) in target.seeds.iter().enumerate() {
            std::fs::write(directory.join(format!("seed-{i}")), seed)?;
        }
    }
    Ok(())
}
