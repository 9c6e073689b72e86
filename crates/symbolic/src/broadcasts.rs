//! Steps that change other threads: broadcasts, as moves of passive threads that the model knows.
//!
//! Which threads there are is known only when a configuration is at hand, so the moves are made for it each time.

use crate::images::Direction;
use crate::rules::Action;
use crate::system::ProgramSystem;
use std::collections::BTreeMap;
use throng_model::bag::CountOverflow;
use throng_model::rules::RuleTable;
use throng_model::{Bag, Config, ConfigRef, Entry, LocalId, Move, Moved, Rule, RuleId, bag, pre};

impl ProgramSystem<'_> {
    /// The rule as one that the model knows, for configurations with these passive threads.
    pub(crate) fn as_table(
        &self,
        id: RuleId,
        direction: Direction,
        threads: &[Entry],
    ) -> (RuleTable, RuleId) {
        let rule = self.rules.get(id);
        let mut moves: BTreeMap<LocalId, Vec<LocalId>> = BTreeMap::new();
        if let (Some(context), &Action::Edge(number)) = (&rule.context, &rule.action) {
            for entry in threads {
                match direction {
                    Direction::Forward => {
                        let destinations = self.rules.passive(number, context, direction, entry.local);
                        moves.insert(entry.local, destinations.to_vec());
                    }
                    Direction::Backward => {
                        let sources = self.rules.sources(rule, entry.local);
                        sources.into_iter().for_each(|it| moves.entry(it).or_default().push(entry.local));
                    }
                }
            }
            // Whoever is not listed stays where it is; that is so only for those who are their own predecessors.
            threads.iter().for_each(|entry| {
                moves.entry(entry.local).or_default();
            });
        }
        let moves = moves.into_iter().map(|(source, destinations)| Move { source, destinations });
        let (take, put) = (rule.take.clone(), rule.put.clone());
        let rule = Rule { from: rule.from, to: rule.to, take, put, moves: moves.collect() };
        let mut table = RuleTable::default();
        let id = table.push(&rule);
        (table, id)
    }

    /// A predecessor under one rule that `limit` covers.
    pub(crate) fn find_within(
        &self,
        id: RuleId,
        config: ConfigRef<'_>,
        limit: ConfigRef<'_>,
    ) -> Result<Option<Config>, CountOverflow> {
        let mut leftover = Bag::new();
        bag::difference_into(config.bag, &self.rules.get(id).put, &mut leftover);
        let (table, only) = self.as_table(id, Direction::Backward, &leftover);
        let found = pre::predecessor_within(table.get(only), config, limit)?;
        Ok(found.map(|(_, before)| before))
    }

    /// Moves of passive threads by which a step covers a goal; `rest` is what the rule does not take.
    pub(crate) fn passive_moves(
        &self,
        id: RuleId,
        config: ConfigRef<'_>,
        rest: &[Entry],
        goal: ConfigRef<'_>,
    ) -> Option<Vec<Moved>> {
        let rule = self.rules.get(id);
        let (Some(context), &Action::Edge(number)) = (&rule.context, &rule.action) else { return None };
        let mut leftover = Bag::new();
        bag::difference_into(goal.bag, &rule.put, &mut leftover);
        let (table, only) = self.as_table(id, Direction::Backward, &leftover);
        let (mut moved, _) = pre::predecessor_within(table.get(only), goal, config).ok()??;
        // Threads that stay for the goal's sake are not among the choices. Those that it does not need go anywhere. Of a cube
        // before the step nobody knows which valuation it is, and so not where it goes: such threads are forgotten.
        for &Entry { local, count } in rest {
            let named: u32 = moved.iter().filter(|it| it.from == local).map(|it| it.count).sum();
            let arriving: u32 = moved.iter().filter(|it| it.to == Some(local)).map(|it| it.count).sum();
            let staying = bag::count(&leftover, local).saturating_sub(arriving);
            let free = count.saturating_sub(named + staying);
            if free == 0 {
                continue;
            }
            let destinations = self.rules.passive(number, context, Direction::Forward, local);
            let theirs = &self.rules.states.local(local).locals;
            let images = &self.rules.images[number as usize];
            if *destinations != [local] || !images.is_settled(Direction::Forward, context, theirs) {
                let known = destinations.first().copied().filter(|_| rule.direction == Direction::Forward);
                moved.push(Moved { from: local, to: known, count: free });
            }
        }
        Some(moved)
    }
}
