//! Random programs that start finitely many threads and join them: the checker's exploration and the bounded search say what
//! trying everything says.
//!
//! `FIXED_COUNT=20000 FIXED_SEED=1 cargo test --release -p throng-lab --test fixed_threads` tries more.

use throng_base::Budget;
use throng_c_front::lower::{Options, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_check::Condition;
use throng_check::c::{Bounds, explore_reduced};
use throng_explore::{BoundedOptions, Outcome, search};
use throng_lab::threads::fixed;

#[test]
fn explorations_agree_with_trying_everything() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (first, count) = (number("FIXED_SEED").unwrap_or(1), number("FIXED_COUNT").unwrap_or(150));
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for seed in first..first + count {
        let drawn = fixed::from_seed(seed);
        let Some(can_fail) = drawn.can_fail() else { continue };
        let read = read_text("fixed.c", &drawn.text, &Preprocessing::default(), &Options::default());
        let (program, _) = read.unwrap_or_else(|errors| panic!("seed {seed}: {}\n{}", errors[0], drawn.text));
        let bounds = Bounds { threads: None, states: 1_000_000, most_threads: 10 };
        let found = match explore_reduced(&program, &bounds, &Budget::unlimited()) {
            Ok(_) => false,
            Err(rejection) if rejection.condition == Condition::Explored => true,
            Err(rejection) => panic!("seed {seed}: {rejection}\n{}", drawn.text),
        };
        assert_eq!(found, can_fail, "seed {seed}: exploring\n{}", drawn.text);
        let outcome = search(&program, &BoundedOptions::default(), &Budget::unlimited(), &mut |_| {});
        let searched = match outcome {
            Outcome::Unsafe { .. } => true,
            Outcome::NoBug { is_exhausted: true, .. } => false,
            other => panic!("seed {seed}: {other:?}\n{}", drawn.text),
        };
        assert_eq!(searched, can_fail, "seed {seed}: searching\n{}", drawn.text);
        *(if can_fail { &mut n_unsafe } else { &mut n_safe }) += 1;
    }
    assert!(n_safe > 0 && n_unsafe > 0, "{n_safe} safe, {n_unsafe} unsafe");
}
