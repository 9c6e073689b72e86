//! What can be said about a state that a solver has found: the conditions of the pool, and the values of all variables.

use crate::counting::Counting;
use crate::houdini::Whom;
use crate::pool::{HEAVY, Kind, Pool};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_cfa::flow::{ExpressionId, Expressions, LocationId, Program, Scope, TemplateId};

/// At most so many conditions of each kind.
const MOST: usize = 120;

/// Conditions, each without its negation.
#[derive(Debug)]
pub(super) struct Vocabulary {
    shared: Vec<ExpressionId>,
    single: Vec<Vec<ExpressionId>>,
    pair: FxHashMap<(TemplateId, TemplateId), Vec<ExpressionId>>,
}

impl Vocabulary {
    pub(super) fn new(program: &Program, pool: &Pool, counting: &Counting, e: &mut Expressions) -> Self {
        let mut seen: FxHashSet<ExpressionId> = FxHashSet::default();
        let mut take = |e: &mut Expressions, list: Vec<ExpressionId>| {
            let mut kept = Vec::new();
            for it in list {
                let negation = e.not(it);
                if !seen.contains(&negation) && seen.insert(it) && kept.len() < MOST {
                    kept.push(it);
                }
            }
            kept
        };
        let of = |kind: Kind| -> Vec<ExpressionId> {
            pool.of(kind).filter(|it| it.tier < HEAVY).map(|it| it.expression).collect()
        };
        let shared = take(e, of(Kind::Shared));
        let templates = || (0..program.templates.len()).map(TemplateId::new);
        let mut single = Vec::new();
        for template in templates() {
            let mut list = of(Kind::Single(template));
            list.splice(0..0, counting.tickets(e, program, template));
            single.push(take(e, list));
        }
        let mut pair = FxHashMap::default();
        for a in templates() {
            for b in templates().filter(|b| a.index() <= b.index()) {
                pair.insert((a, b), take(e, of(Kind::Pair(a, b))));
            }
        }
        Self { shared, single, pair }
    }

    /// The conditions about shared variables, or about one thread.
    pub(super) fn of(&self, scope: Scope) -> impl Iterator<Item = ExpressionId> + '_ {
        let list = match scope {
            Scope::Shared => &self.shared,
            Scope::Local(template) => &self.single[template.index()],
        };
        list.iter().copied()
    }

    /// The conditions about threads at these locations, with whom each is about.
    pub(super) fn about(&self, program: &Program, stand: &[LocationId]) -> Vec<(ExpressionId, Whom)> {
        let template = |it: usize| program.location(stand[it]).template;
        let mut all: Vec<(ExpressionId, Whom)> = self.shared.iter().map(|&it| (it, Whom::Nobody)).collect();
        for a in 0..stand.len() {
            all.extend(self.single[template(a).index()].iter().map(|&it| (it, Whom::Thread(a))));
            for b in 0..a {
                let (x, y) = if template(b).index() <= template(a).index() { (b, a) } else { (a, b) };
                let list = self.pair.get(&(template(x), template(y)));
                all.extend(list.into_iter().flatten().map(|&it| (it, Whom::Threads(x, y))));
            }
        }
        all
    }
}
