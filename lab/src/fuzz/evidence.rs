//! Fuzz targets of the evidence reader and the checker. Each tells whether the input was accepted.

use crate::choices::Choices;
use crate::naive::{self, Judgement};
use crate::oracle::{self, Bounds};
use crate::random::{Shape, generate};
use arbitrary::Unstructured;
use throng_cert::{
    CoverSet, Cut, Evidence, EvidenceDocument, Header, Proof, Trace, TraceItem, Trap, Verdict,
};
use throng_model::{Bag, Config, LocalId, Moved, OMEGA, RuleId, SharedId, Step, System};

/// Evidence documents: what is read must survive writing.
pub fn evidence_json(data: &[u8]) -> bool {
    let Ok(document) = throng_cert::read(data) else { return false };
    let mut written = Vec::new();
    throng_cert::write_document(&document, &mut written).expect("writing to memory");
    let text = String::from_utf8_lossy(&written);
    assert_eq!(throng_cert::read(&written).as_ref().ok(), Some(&document), "{text}");
    true
}

/// The checker: a random system and random evidence about it, both made from the bytes.
pub fn checker(data: &[u8]) -> bool {
    let mut choices = Unstructured::new(data);
    let system = generate(&mut choices, &Shape::default()).sketch.build();
    let evidence = arbitrary_evidence(&mut choices, &system);
    let document = EvidenceDocument::new(&evidence, &system, Header::default());
    if throng_check::check(&system, &document).is_err() {
        return false;
    }
    assert_ne!(naive::judge(&system, &document), Judgement::Wrong, "accepted: {evidence:?}\n{system:?}");
    match oracle::decide(&system, &Bounds::default()) {
        oracle::Verdict::Safe(_) => assert_eq!(document.verdict, Verdict::Safe, "{evidence:?}\n{system:?}"),
        oracle::Verdict::Unsafe(_) => {
            assert_eq!(document.verdict, Verdict::Unsafe, "{evidence:?}\n{system:?}");
        }
        oracle::Verdict::Undecided => {}
    }
    true
}

/// Evidence that refers to states and rules of the system and is otherwise arbitrary.
fn arbitrary_evidence(choices: &mut impl Choices, system: &System) -> Evidence {
    let mut maker = Maker { choices, system };
    match maker.choices.below(3) {
        0 => Evidence::Trace(Trace { initial: maker.config(false), items: maker.items(0) }),
        1 => Evidence::Proof(maker.proof()),
        _ => {
            let elements = (0..maker.choices.below(5)).map(|_| maker.config(true)).collect();
            Evidence::CoverSet(CoverSet { elements })
        }
    }
}

struct Maker<'a, C> {
    choices: &'a mut C,
    system: &'a System,
}

impl<C: Choices> Maker<'_, C> {
    fn shared(&mut self) -> SharedId {
        SharedId::new(self.choices.below(self.system.n_shared()))
    }

    fn local(&mut self) -> LocalId {
        LocalId::new(self.choices.below(self.system.n_locals()))
    }

    fn config(&mut self, with_omega: bool) -> Config {
        let mut bag = Bag::new();
        for _ in 0..self.choices.below(4) {
            let count = if with_omega && self.choices.chance(40) { OMEGA } else { 1 };
            let local = self.local();
            bag.add(local, count).expect("a handful of threads");
        }
        Config::new(self.shared(), bag)
    }

    fn items(&mut self, depth: usize) -> Vec<TraceItem> {
        let n_items = if self.system.rules().is_empty() { 0 } else { self.choices.below(5) };
        (0..n_items)
            .map(|_| {
                if depth < 2 && self.choices.chance(15) {
                    let times = 1 + self.choices.below(4) as u64;
                    return TraceItem::Repeat { times, items: self.items(depth + 1) };
                }
                let rule = RuleId::new(self.choices.below(self.system.rules().len()));
                let moved = (0..self.choices.below(3)).map(|_| self.moved()).collect();
                TraceItem::Step(Step { rule, moved })
            })
            .collect()
    }

    fn moved(&mut self) -> Moved {
        let to = if self.choices.chance(20) { None } else { Some(self.local()) };
        Moved { from: self.local(), to, count: 1 + self.choices.below(2) as u32 }
    }

    fn proof(&mut self) -> Proof {
        let mut elements: Vec<Config> = (0..self.choices.below(4)).map(|_| self.config(false)).collect();
        // Most right proofs contain the targets.
        if self.choices.chance(60) {
            elements.extend(self.system.targets().iter().cloned());
        }
        let traps: Vec<Trap> = (0..self.choices.below(2)).map(|_| Trap { locals: self.locals() }).collect();
        let cuts = (0..self.choices.below(3)).map(|_| self.cut(traps.len())).collect();
        Proof { cuts, traps, elements }
    }

    fn locals(&mut self) -> Vec<LocalId> {
        LocalId::all(self.system.n_locals()).filter(|_| self.choices.chance(50)).collect()
    }

    fn cut(&mut self, n_traps: usize) -> Cut {
        let shared = SharedId::all(self.system.n_shared()).filter(|_| self.choices.chance(30));
        let shared: Vec<(SharedId, u64)> = shared.map(|s| (s, 1)).collect();
        let locals = self.locals().into_iter().map(|l| (l, 1 + self.choices.below(2) as u64)).collect();
        let traps = (0..n_traps).map(|i| (i, 1)).collect();
        Cut { shared, locals, bound: self.choices.below(4) as u64, traps }
    }
}
