//! Engines that race on several threads: the same verdict each time, with evidence that the checker accepts, and no
//! race that never ends.

use std::sync::mpsc;
use std::time::Duration;
use throng_engine::{EngineKind, Fate, Options};
use throng_lab::differential::{Agreement, Method, compare, run};
use throng_lab::oracle::Bounds;
use throng_lab::programs::program_from_seed;
use throng_lab::random::from_seed;

const N_SYSTEMS: u64 = 50;
const N_RACES: u64 = 20;

/// A race without a head start on so many threads.
fn race(jobs: usize) -> Method {
    Method { engine: EngineKind::Auto, options: Options { jobs, head_start: 0, ..Options::default() } }
}

/// Fails if `work` takes so long that it must hang.
fn without_hanging(work: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        work();
        // The receiver has given up if nobody listens.
        let _ = sender.send(());
    });
    match receiver.recv_timeout(Duration::from_secs(600)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("a race hangs"),
        // A panic of the worker disconnects; joining passes it on.
        Ok(()) | Err(mpsc::RecvTimeoutError::Disconnected) => {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    }
}

#[test]
fn a_thousand_parallel_races_agree_with_brute_force() {
    without_hanging(|| {
        // Where control flow has loops, one engine more takes part.
        let programs = (0..N_SYSTEMS / 2).map(|seed| (seed, program_from_seed(seed).build()));
        let systems = (0..N_SYSTEMS).map(|seed| (seed, from_seed(seed).sketch.build()));
        for (seed, system) in systems.chain(programs) {
            let mut verdicts = Vec::new();
            for repetition in 0..N_RACES {
                let method = race(2 + repetition as usize % 3);
                match compare(&system, &method, &Bounds::default()) {
                    Ok(comparison) => verdicts.push(comparison.agreement),
                    Err(error) => panic!("seed {seed}, race {repetition}: {error}"),
                }
            }
            // Giving up is a matter of who came how far; verdicts are not.
            verdicts.retain(|&agreement| agreement != Agreement::EngineGaveUp);
            verdicts.dedup();
            assert!(verdicts.len() <= 1, "seed {seed}: {verdicts:?}");
        }
    });
}

#[test]
fn a_race_on_one_thread_is_the_same_each_time() {
    let mut n_concolic = 0;
    let programs = (0..100).map(|seed| (seed, program_from_seed(seed).build()));
    for (seed, system) in (0..200).map(|seed| (seed, from_seed(seed).sketch.build())).chain(programs) {
        let [first, second] = [(); 2].map(|()| run(&system, &race(1)));
        assert_eq!(first.answer, second.answer, "seed {seed}");
        assert_eq!(first.contest, second.contest, "seed {seed}");
        let answered = first.contest.iter().filter(|contestant| contestant.fate == Fate::Answered).count();
        assert!(answered <= 1, "seed {seed}");
        n_concolic += first.contest.iter().filter(|contestant| contestant.name == "concolic").count();
    }
    assert!(n_concolic > 10, "in {n_concolic} races there were paths through loops");
}
