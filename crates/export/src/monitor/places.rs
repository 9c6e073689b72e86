//! Where a thread stands that waits at a point.
//!
//! It is about to take an edge that accesses what others see, and stands where that edge begins. If the proof knows no such
//! location, it is between two that it knows: it has come there from the last one by movers (`throng_cfa::merge` keeps a location
//! after every other edge). A run in which it has not taken these yet leads to the same state, but for what they
//! assign. So if that is nothing that the invariant mentions, it counts as standing at that last location; otherwise it is nowhere.

use crate::rewrite::{Rewritten, key};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use throng_c_front::lower::Whole;
use throng_cfa::flow::{Edge, LocationKind, Program, VariableId};

/// The number of a location in the tables: 0 is no place to stop, 1 one that is not known.
pub(super) fn code(location: usize) -> usize {
    location + 2
}

/// The tables of places.
pub(super) struct Places {
    n_points: usize,
    /// By template, point and phase.
    places: Vec<Vec<usize>>,
    /// By location: whether the proof looks at it.
    is_kept: Vec<bool>,
    /// By location: whether the prepared program goes from there to an end.
    is_last: Vec<bool>,
    seen: FxHashSet<usize>,
}

impl Places {
    /// `None` if templates cannot be told apart by their functions.
    pub(super) fn new(
        whole: &Whole,
        prepared: &Program,
        rewritten: &Rewritten,
        mentioned: &FxHashSet<VariableId>,
    ) -> Option<Self> {
        let program = &whole.program;
        let is_kept = |index: usize| {
            let location = &prepared.locations[index];
            location.kind == LocationKind::Inner && !location.is_atomic && location.edges.1 > 0
        };
        let n_locations = program.locations.len();
        let is_kept: Vec<bool> = (0..n_locations).map(is_kept).collect();
        let behind = Behind::new(program, &is_kept, mentioned);
        let names: BTreeSet<&str> = program.templates.iter().map(|template| template.name.as_str()).collect();
        if names.len() != program.templates.len() {
            return None;
        }
        let mut froms: FxHashMap<(usize, u32), BTreeSet<usize>> = FxHashMap::default();
        let mut tos: FxHashMap<(usize, u32), BTreeSet<usize>> = FxHashMap::default();
        for (index, edge) in program.edges.iter().enumerate() {
            let spans = program.origins.accesses.get(index).into_iter().flatten();
            let mut points = spans.filter_map(|&span| rewritten.by_span.get(&key(span)).copied());
            let Some(point) = points.find(|point| !rewritten.quiet.contains(point)) else { continue };
            let at = (program.location(edge.from).template.index(), point);
            froms.entry(at).or_default().insert(edge.from.index());
            tos.entry(at).or_default().insert(edge.to.index());
        }
        let n_points = rewritten.points.len() + 1;
        let mut places = vec![vec![0; 2 * n_points]; program.templates.len()];
        let mut seen = FxHashSet::default();
        for (template, row) in places.iter_mut().enumerate() {
            for point in 0..n_points {
                let at = (template, point as u32);
                let Some(from) = froms.get(&at) else { continue };
                // A call that waits has two places: before it, and where it waits.
                let (second, first): (Vec<usize>, Vec<usize>) =
                    from.iter().partition(|location| tos.get(&at).is_some_and(|tos| tos.contains(location)));
                let (first, second) = if first.is_empty() { (second, Vec::new()) } else { (first, second) };
                for (phase, found) in [first, second].into_iter().enumerate() {
                    let place = match found[..] {
                        [location] => behind.last_kept(location),
                        _ => None,
                    };
                    row[2 * point + phase] = place.map_or(1, code);
                    seen.extend(place);
                }
            }
        }
        let mut is_last = vec![false; n_locations];
        for edge in &prepared.edges {
            is_last[edge.from.index()] |= prepared.location(edge.to).kind == LocationKind::End;
        }
        Some(Self { n_points, places, is_kept, is_last, seen })
    }

    /// Whether threads are seen at a location.
    pub(super) fn is_seen(&self, location: usize) -> bool {
        self.seen.contains(&location) && self.is_kept.get(location).copied().unwrap_or(false)
    }

    pub(super) fn tables(&self) -> String {
        let flags =
            |list: &[bool]| -> String { list.iter().map(|&flag| format!("{}, ", u8::from(flag))).collect() };
        let mut out = String::new();
        let n_codes = self.is_kept.len() + 3;
        let _ = writeln!(
            out,
            "static const char __throng_kept[{n_codes}] = {{ 0, 0, {}0 }};",
            flags(&self.is_kept)
        );
        let _ = writeln!(
            out,
            "static const char __throng_ends[{n_codes}] = {{ 0, 0, {}0 }};",
            flags(&self.is_last)
        );
        let width = 2 * self.n_points + 2;
        let _ = writeln!(
            out,
            "static const unsigned short __throng_where[{}][{width}] = {{",
            self.places.len() + 1
        );
        for row in &self.places {
            let row: String = row.iter().map(|place| format!("{place}, ")).collect();
            let _ = writeln!(out, "    {{ {row}0 }},");
        }
        out.push_str("    { 0 } };\n");
        out
    }
}

/// The way back to locations that the proof knows.
struct Behind<'a> {
    is_kept: &'a [bool],
    /// By location: from where edges come, and whether they assign what the invariant mentions.
    before: Vec<Vec<(usize, bool)>>,
}

impl<'a> Behind<'a> {
    fn new(program: &Program, is_kept: &'a [bool], mentioned: &FxHashSet<VariableId>) -> Self {
        let mut before = vec![Vec::new(); program.locations.len()];
        for edge in &program.edges {
            before[edge.to.index()].push((edge.from.index(), is_noticed(edge, mentioned)));
        }
        Self { is_kept, before }
    }

    /// The only known location that a thread at this one comes from, if nothing has happened since that is mentioned.
    fn last_kept(&self, location: usize) -> Option<usize> {
        let mut found = BTreeSet::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![location];
        while let Some(at) = open.pop() {
            if self.is_kept[at] {
                found.insert(at);
                continue;
            }
            if self.before[at].is_empty() {
                return None;
            }
            for &(from, is_noticed) in &self.before[at] {
                if is_noticed {
                    return None;
                }
                if seen.insert(from) {
                    open.push(from);
                }
            }
        }
        if found.len() == 1 { found.first().copied() } else { None }
    }
}

fn is_noticed(edge: &Edge, mentioned: &FxHashSet<VariableId>) -> bool {
    edge.effect.is_some() || edge.assignments.iter().any(|assignment| mentioned.contains(&assignment.target))
}
