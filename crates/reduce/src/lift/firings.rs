//! Firings of one rule in a row, as items of a trace.

use throng_cert::TraceItem;
use throng_model::{RuleId, Step};

/// Up to so many firings of a rule are written as single steps, which show what each thread does.
const MOST_SINGLE_STEPS: u64 = 8;

/// So many firings of a rule without moves.
pub(super) fn items(rule: RuleId, times: u64) -> impl Iterator<Item = TraceItem> {
    let step = move || TraceItem::Step(Step { rule, moved: Vec::new() });
    let repeated = (times > MOST_SINGLE_STEPS).then(|| TraceItem::Repeat { times, items: vec![step()] });
    let n_single = if repeated.is_some() { 0 } else { times };
    (0..n_single).map(move |_| step()).chain(repeated)
}
