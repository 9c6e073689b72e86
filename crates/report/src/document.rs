//! Evidence documents turned back into evidence over ids, for drawing.
//!
//! This is not a check: use it for documents that the checker accepted. Patterns are not resolved, since an
//! element with patterns stands for many configurations.

use throng_cert::document::{self, Configuration, Item};
use throng_cert::{
    Body, Count, CoverSet, Cut, Evidence, EvidenceDocument, Proof, State, Trace, TraceItem, Trap,
};
use throng_model::{Bag, Config, LocalId, Moved, OMEGA, SharedId, Step, System};

/// The evidence of a document about `system`, or why it cannot be had.
pub fn resolve(document: &EvidenceDocument, system: &System) -> Result<Evidence, String> {
    let resolver = Resolver { system };
    Ok(match &document.body {
        Body::Trace(trace) => Evidence::Trace(Trace {
            initial: resolver.config(&trace.initial)?,
            items: resolver.items(&trace.items)?,
        }),
        Body::Proof(proof) => Evidence::Proof(Proof {
            cuts: all(&proof.cuts, |cut| resolver.cut(cut))?,
            traps: all(&proof.traps, |trap| Ok(Trap { locals: all(trap, |local| resolver.local(local))? }))?,
            elements: all(&proof.elements, |element| resolver.config(element))?,
        }),
        Body::CoverSet(cover) => {
            let elements = all(&cover.elements, |element| resolver.config(element))?;
            Evidence::CoverSet(CoverSet { elements })
        }
        Body::Interleaving(_) | Body::Invariant(_) | Body::Explored(_) => {
            return Err("it is about a C program".to_owned());
        }
    })
}

fn all<A, B>(items: &[A], resolve: impl Fn(&A) -> Result<B, String>) -> Result<Vec<B>, String> {
    items.iter().map(resolve).collect()
}

#[derive(Clone, Copy)]
struct Resolver<'a> {
    system: &'a System,
}

impl Resolver<'_> {
    fn local(self, name: &str) -> Result<LocalId, String> {
        let found = self.system.local_names().find(name).map(LocalId::new);
        found.ok_or_else(|| format!("there is no local state `{name}`"))
    }

    fn shared(self, name: &str) -> Result<SharedId, String> {
        let found = self.system.shared_names().find(name).map(SharedId::new);
        found.ok_or_else(|| format!("there is no shared state `{name}`"))
    }

    fn config(self, config: &Configuration) -> Result<Config, String> {
        let shared = match &config.shared {
            Some(state) => self.shared(name_of(state)?)?,
            None => self.shared("")?,
        };
        let counts = all(&config.threads, |(state, count)| {
            let count = match count {
                Count::Finite(count) => u32::try_from(*count).ok().filter(|&count| count != OMEGA),
                Count::Omega => Some(OMEGA),
            };
            Ok((self.local(name_of(state)?)?, count.ok_or("a count is too large")?))
        })?;
        Ok(Config::new(shared, Bag::from_counts(counts).map_err(|error| error.to_string())?))
    }

    /// Readers limit how deep repetitions are nested, so the recursion is shallow.
    fn items(self, items: &[Item]) -> Result<Vec<TraceItem>, String> {
        all(items, |item| {
            Ok(match item {
                Item::Step(step) => TraceItem::Step(self.step(step)?),
                Item::Repeat { times, items } => {
                    TraceItem::Repeat { times: *times, items: self.items(items)? }
                }
            })
        })
    }

    fn step(self, step: &document::Step) -> Result<Step, String> {
        let rule =
            self.system.find_rule(&step.rule).ok_or_else(|| format!("there is no rule `{}`", step.rule))?;
        let moved = all(&step.moved, |moved| {
            Ok(Moved {
                from: self.local(&moved.from)?,
                to: moved.to.as_deref().map(|to| self.local(to)).transpose()?,
                count: u32::try_from(moved.count).map_err(|_| "a count is too large")?,
            })
        })?;
        Ok(Step { rule, moved })
    }

    fn cut(self, cut: &document::Cut) -> Result<Cut, String> {
        Ok(Cut {
            shared: all(&cut.shared, |(name, weight)| Ok((self.shared(name)?, *weight)))?,
            locals: all(&cut.locals, |(name, weight)| Ok((self.local(name)?, *weight)))?,
            bound: cut.bound,
            traps: all(&cut.traps, |&(index, multiplier)| {
                Ok((usize::try_from(index).map_err(|_| "there is no such trap")?, multiplier))
            })?,
        })
    }
}

fn name_of(state: &State) -> Result<&str, String> {
    match state {
        State::Name(name) => Ok(name),
        _ => Err("elements with patterns cannot be drawn".to_owned()),
    }
}
