//! Agglomeration: locals that threads only pass through are replaced by what comes before or after.
//!
//! Let σ be a substitution ([`crate::substitution`]) of locals that satisfy (A1) to (A3) of [`crate::detours`]. The
//! agglomerated system has the rules σ(r), which take σ(take) and put σ(put), move what r moves and change the shared state as
//! r does; without those that change nothing, such as σ(r) of every detour r. Its initial configurations and targets are
//! those of the original, which have no threads in replaced locals. With σ(s, b) = (s, σ(b)):
//!
//! **(A4)** *If c → c′ in the original, then σ(c) → σ(c′) or σ(c) = σ(c′).* Let r be the rule. σ(take) ≤ σ(c), so σ(r) can fire.
//! A passive thread in a local that is not replaced does what it does in the original; one in a replaced local stays there
//! by (A1), and what it stands for in σ(c) may stay by (A2). So σ(r) leads to σ(c′), and if σ(r) was left out, it changes
//! nothing.
//!
//! **(A5)** *If d → d′ in the agglomerated system, the original leads from d to d′, in several steps.* Let σ(r) be the rule. For
//! each thread of `take` in a replaced local p, entries make it out of σ(p), step by step, which r.from has by (A3): they are
//! there for p itself, and for a replaced local q in the image of p since the entry of p takes from q. (That entry is no exit of
//! q, or p would be the image of q and the images would lead back.) Then r fires, with the same passive threads. Then each
//! thread of `put` in a replaced local p becomes σ(p) by exits, which r.to has for the same reasons. A rule that takes from p
//! where p has exits is an exit itself, and one that puts into p where p has entries is an entry; these were left out.
//!
//! So a target is coverable in the one system iff it is in the other. How evidence is lifted: `lift::agglomerated`.

use crate::detours;
use crate::substitution::Substitution;
use throng_base::{Budget, StopReason};
use throng_model::bag::CountOverflow;
use throng_model::{Rule, RuleId, RuleRef, System, SystemBuilder};

/// An agglomerated system and what is needed to lift evidence from it.
#[derive(Debug)]
pub(crate) struct Agglomeration {
    /// The agglomerated system.
    pub(crate) system: System,
    /// The rule r of each σ(r).
    pub(crate) rules: Vec<RuleId>,
    /// σ.
    pub(crate) substitution: Substitution,
}

/// Agglomerates what can be; `None` if that is nothing. Takes time linear in the size of the rules, and a sort of the
/// detours.
pub(crate) fn agglomerate(original: &System, budget: &Budget) -> Result<Option<Agglomeration>, StopReason> {
    budget.check()?;
    let Some(candidates) = detours::find(original) else { return Ok(None) };
    budget.check()?;
    let Some(substitution) = Substitution::new(original, &candidates) else { return Ok(None) };
    budget.check()?;
    let mut builder = SystemBuilder::new(original.shared_names().clone(), original.local_names().clone());
    let mut rules = Vec::new();
    for (id, rule) in original.rules().iter() {
        // More threads than a count can hold: nobody will miss this reduction.
        let Ok(rule) = substituted(&substitution, rule) else { return Ok(None) };
        if rule.from != rule.to || rule.take != rule.put || !rule.moves.is_empty() {
            builder.rule(&rule, original.rule_line(id).unwrap_or(0));
            rules.push(id);
        }
    }
    for initial in original.initial() {
        builder.initial(initial.clone());
    }
    for target in original.targets() {
        builder.target(target.clone());
    }
    let system =
        builder.finish().expect("INVARIANT: the parts of a system are those of one with the same states");
    Ok(Some(Agglomeration { system, rules, substitution }))
}

/// σ of a rule.
fn substituted(substitution: &Substitution, rule: RuleRef<'_>) -> Result<Rule, CountOverflow> {
    let (take, put) = (substitution.apply(rule.take)?, substitution.apply(rule.put)?);
    Ok(Rule { take, put, ..rule.to_rule() })
}
