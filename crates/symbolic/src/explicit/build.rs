//! The rules of a system from what is reached.

use super::fixpoint::{BAD, GONE, Reached, START, Transition, UNCHOSEN};
use super::{Outline, names};
use throng_boolprog::InitThreads;
use throng_model::{Bag, Config, Initial, LocalId, Move, Names, Rule, SharedId, System, SystemBuilder};

/// The system.
pub(super) fn build(outline: &Outline<'_>, reached: &Reached) -> System {
    let (shared, locals) = names::names(outline, reached);
    let mut builder = SystemBuilder::new(Names::Listed(shared), Names::Listed(locals));
    builder.reserve(reached.transitions.len());
    for transition in &reached.transitions {
        let rule = rule(outline, reached, transition);
        // A step that changes nothing, as a `goto` to itself, is none.
        if rule.from != rule.to || rule.take != rule.put || !rule.moves.is_empty() {
            builder.rule(&rule, 0);
        }
    }
    let unchosen = local(UNCHOSEN);
    let (exact, unbounded) = match outline.question.threads {
        InitThreads::Exactly(count) => (bag([(unchosen, count)]), Vec::new()),
        InitThreads::Any => (Bag::new(), vec![unchosen]),
    };
    builder.initial(Initial { shared: shared_id(START), exact, unbounded });
    // The last thread of a target is gone, but there may be targets without threads.
    let needs_thread = outline.question.targets.iter().all(|target| !target.threads.is_empty());
    let threads = if needs_thread { bag([(local(GONE), 1)]) } else { Bag::new() };
    builder.target(Config::new(shared_id(BAD), threads));
    builder.finish().expect("INVARIANT: all states are numbered, and there is an initial configuration")
}

fn rule(outline: &Outline<'_>, reached: &Reached, transition: &Transition) -> Rule {
    let Transition { from, to, thread, child, broadcast } = *transition;
    let acting = thread.map(|(before, _)| reached.locals.get(before));
    let mut moves = Vec::new();
    if let Some(broadcast) = broadcast {
        for &source in &reached.beside[from as usize] {
            let passive = reached.locals.get(source);
            let is_alone = acting.is_some_and(|acting| outline.is_atomic(acting));
            if let Some(moved) = reached.moved.get(&(broadcast, source))
                && !(is_alone && outline.is_atomic(passive))
            {
                let destinations = moved.iter().copied().map(local).collect();
                moves.push(Move { source: local(source), destinations });
            }
        }
        moves.sort_unstable_by_key(|step| step.source);
    }
    Rule {
        from: shared_id(from),
        to: shared_id(to),
        take: bag(thread.map(|(before, _)| (local(before), 1))),
        put: bag(thread.map(|(_, after)| after).into_iter().chain(child).map(|it| (local(it), 1))),
        moves,
    }
}

fn bag(counts: impl IntoIterator<Item = (LocalId, u32)>) -> Bag {
    Bag::from_counts(counts).expect("counts of a program are far below the largest")
}

fn shared_id(number: u32) -> SharedId {
    SharedId::new(number as usize)
}

fn local(number: u32) -> LocalId {
    LocalId::new(number as usize)
}
