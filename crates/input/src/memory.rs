//! How much memory there is and how much of it this process uses.

/// The share of the machine's memory that a run may use unless `--memory` says otherwise: enough is left for the
/// system to stay usable, and the run ends as `unknown(memory)` instead of being killed.
const DEFAULT_SHARE: f64 = 0.8;

/// Resident memory of this process in bytes, where that can be known.
pub fn used() -> Option<u64> {
    memory_stats::memory_stats().map(|stats| stats.physical_mem as u64)
}

/// The limit without `--memory`: a share of the memory of the machine or container; none where that is unknown.
pub fn default_limit() -> Option<u64> {
    let read = |path| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| total_of(&text));
    let container = read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok());
    let total = machine.into_iter().chain(container).min()?;
    Some((total as f64 * DEFAULT_SHARE) as u64)
}

/// `MemTotal` of /proc/meminfo in bytes.
fn total_of(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read_in_bytes() {
        assert_eq!(total_of("MemFree: 7 kB\n"), None);
        assert_eq!(total_of("MemTotal:       2048 kB\nMemFree: 7 kB\n"), Some(2048 * 1024));
    }
}
