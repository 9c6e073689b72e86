//! Locals that threads only pass through: which ones can be replaced, and by what.
//!
//! A *detour* of a local p with image X is a rule that keeps the shared state, moves no passive threads and turns one
//! thread of p into X (an *exit*: it takes p alone and puts X), or X into one thread of p (an *entry*: it takes X and puts p
//! alone). X is neither empty nor contains p. The local p can be replaced by X after this module's decision if
//!
//! * **(A1)** p is in no target, initially empty, and neither source nor destination of a move;
//! * **(A2)** a thread in a local of X may stay there whatever moves: that local is no source, or its own destination;
//! * **(A3)** either all rules that take from p are exits with image X, and every rule that puts threads into p leads to
//!   a shared state in which there is such an exit (*post-agglomeration*: threads go on at once); or all rules that put into
//!   p are entries with image X, and every rule that takes from p starts in a shared state in which there is such an
//!   entry (*pre-agglomeration*: threads wait until they are needed).
//!
//! Without (A2) a thread that goes on at once could be caught by a broadcast that it avoids in p. Without (A3) it
//! could not go on in the shared state that it finds, or could go different ways.
//!
//! Not found: locals with several images, or with threads in them initially.

use crate::bits::BitSet;
use throng_model::{Entry, LocalId, RuleId, RuleRef, SharedId, System, bag};

/// Which detours a local has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Exits: post-agglomeration.
    Exit,
    /// Entries: pre-agglomeration.
    Entry,
}

impl Kind {
    /// The side of a rule on which a detour has its local, and the side on which it has the image.
    fn sides(self, rule: RuleRef<'_>) -> (&[Entry], &[Entry]) {
        match self {
            Kind::Exit => (rule.take, rule.put),
            Kind::Entry => (rule.put, rule.take),
        }
    }

    /// The image of a detour.
    pub(crate) fn image(self, rule: RuleRef<'_>) -> &[Entry] {
        self.sides(rule).1
    }

    /// Whose detour a rule is.
    fn detour_of(self, rule: RuleRef<'_>) -> Option<LocalId> {
        let (&[Entry { local, count: 1 }], image) = self.sides(rule) else { return None };
        let is_detour =
            rule.from == rule.to && !rule.has_moves() && !image.is_empty() && bag::count(image, local) == 0;
        is_detour.then_some(local)
    }
}

/// A detour: whose, where, and by which rule. Ordered in this way.
pub(crate) type Detour = (LocalId, SharedId, RuleId);

/// The locals that can be replaced.
#[derive(Debug)]
pub(crate) struct Candidates {
    /// By local; how it can be replaced, and a detour that has the image.
    chosen: Vec<Option<(Kind, RuleId)>>,
    /// All detours of the candidates, sorted.
    detours: Vec<Detour>,
    /// By local; in how many rules it is taken, and in how many it is put.
    n_uses: Vec<u32>,
}

impl Candidates {
    /// How a local can be replaced, and a detour that has the image.
    pub(crate) fn get(&self, local: LocalId) -> Option<(Kind, RuleId)> {
        self.chosen[local.index()]
    }

    /// The locals that can be replaced.
    pub(crate) fn locals(&self) -> impl Iterator<Item = LocalId> + '_ {
        let chosen = self.chosen.iter().enumerate();
        chosen.filter(|(_, chosen)| chosen.is_some()).map(|(local, _)| LocalId::new(local))
    }

    /// The detours of a candidate.
    pub(crate) fn detours_of(&self, local: LocalId) -> &[Detour] {
        let start = self.detours.partition_point(|detour| detour.0 < local);
        let rest = &self.detours[start..];
        &rest[..rest.partition_point(|detour| detour.0 == local)]
    }

    /// In how many rules a local is taken or put, other than its detours.
    pub(crate) fn n_uses(&self, local: LocalId) -> usize {
        (self.n_uses[local.index()] as usize).saturating_sub(self.detours_of(local).len())
    }
}

/// What is known about the detours of one kind of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Image {
    /// No rule was seen yet that could be one.
    Unseen,
    /// All rules are detours with the same image as this one.
    Of(RuleId),
    /// The local cannot be replaced in this way.
    None,
}

/// Finds the locals that can be replaced; `None` if there are none.
pub(crate) fn find(system: &System) -> Option<Candidates> {
    let fixed = fixed_locals(system);
    let mut n_uses = vec![0_u32; system.n_locals()];
    for (_, rule) in system.rules().iter() {
        // A rule table holds fewer than 2^32 entries.
        rule.take.iter().chain(rule.put).for_each(|entry| n_uses[entry.local.index()] += 1);
    }
    let (exits, exit_detours) = replaceable(system, Kind::Exit, &fixed);
    let (entries, entry_detours) = replaceable(system, Kind::Entry, &fixed);
    let size = |kind: Kind, id: RuleId| bag::size(kind.image(system.rule(id)));
    let chosen = exits.into_iter().zip(entries).map(|images| match images {
        (Image::Of(exit), Image::Of(entry)) if size(Kind::Exit, exit) > size(Kind::Entry, entry) => {
            Some((Kind::Entry, entry))
        }
        (Image::Of(exit), _) => Some((Kind::Exit, exit)),
        (_, Image::Of(entry)) => Some((Kind::Entry, entry)),
        _ => None,
    });
    let chosen: Vec<_> = chosen.collect();
    let is_chosen = |kind| {
        let chosen = &chosen;
        move |&(local, _, _): &Detour| chosen[local.index()].is_some_and(|(other, _)| other == kind)
    };
    let mut detours: Vec<Detour> = exit_detours.into_iter().filter(is_chosen(Kind::Exit)).collect();
    detours.extend(entry_detours.into_iter().filter(is_chosen(Kind::Entry)));
    detours.sort_unstable();
    (!detours.is_empty()).then_some(Candidates { chosen, detours, n_uses })
}

/// What (A1) and (A2) ask of locals.
struct Fixed {
    /// Locals in targets, initial configurations and moves: they cannot be replaced.
    locals: BitSet,
    /// Locals that threads may be forced to leave: they cannot be in an image.
    fleeting: BitSet,
}

fn fixed_locals(system: &System) -> Fixed {
    let n_locals = system.n_locals();
    let mut fixed = Fixed { locals: BitSet::new(n_locals), fleeting: BitSet::new(n_locals) };
    let exact = system.initial().iter().map(|initial| &initial.exact);
    let bags = exact.chain(system.targets().iter().map(|target| &target.bag));
    for entry in bags.flat_map(|bag| bag.iter()) {
        fixed.locals.insert(entry.local.index());
    }
    for &local in system.initial().iter().flat_map(|initial| &initial.unbounded) {
        fixed.locals.insert(local.index());
    }
    for (source, destinations) in system.rules().iter().flat_map(|(_, rule)| rule.moves()) {
        for local in destinations.iter().chain([&source]) {
            fixed.locals.insert(local.index());
        }
        if !destinations.contains(&source) {
            fixed.fleeting.insert(source.index());
        }
    }
    fixed
}

/// The locals that can be replaced by detours of this kind, and their detours in order.
fn replaceable(system: &System, kind: Kind, fixed: &Fixed) -> (Vec<Image>, Vec<Detour>) {
    let mut images = common_images(system, kind, fixed);
    let of = |images: &[Image], local: LocalId| matches!(images[local.index()], Image::Of(_));
    let rules = system.rules().iter();
    let detours = rules.filter_map(|(id, rule)| {
        let local = kind.detour_of(rule).filter(|&local| of(&images, local))?;
        Some((local, rule.from, id))
    });
    let mut detours: Vec<Detour> = detours.collect();
    detours.sort_unstable();
    for (_, rule) in system.rules().iter() {
        // The side on which rules use a local that is replaced, and the shared state in which they need a detour.
        let (uses, shared) = match kind {
            Kind::Exit => (rule.put, rule.to),
            Kind::Entry => (rule.take, rule.from),
        };
        for local in uses.iter().map(|entry| entry.local) {
            if of(&images, local) && find_detour(&detours, local, shared).is_none() {
                images[local.index()] = Image::None;
            }
        }
    }
    detours.retain(|&(local, _, _)| of(&images, local));
    (images, detours)
}

/// A detour of a local in a shared state, from a sorted list.
pub(crate) fn find_detour(detours: &[Detour], local: LocalId, shared: SharedId) -> Option<RuleId> {
    let at = detours.partition_point(|&(other, at, _)| (other, at) < (local, shared));
    detours.get(at).filter(|&&(other, at, _)| (other, at) == (local, shared)).map(|&(_, _, id)| id)
}

/// For each local whether all rules on one side of it are detours with one image that (A1) and (A2) allow.
fn common_images(system: &System, kind: Kind, fixed: &Fixed) -> Vec<Image> {
    let is_fixed = |local| if fixed.locals.contains(local) { Image::None } else { Image::Unseen };
    let mut images: Vec<Image> = (0..system.n_locals()).map(is_fixed).collect();
    for (id, rule) in system.rules().iter() {
        let (side, image) = kind.sides(rule);
        let is_allowed = || image.iter().all(|entry| !fixed.fleeting.contains(entry.local.index()));
        let detour_of = kind.detour_of(rule).filter(|_| is_allowed());
        for local in side.iter().map(|entry| entry.local) {
            let known = &mut images[local.index()];
            *known = match *known {
                Image::Unseen if detour_of == Some(local) => Image::Of(id),
                Image::Of(first) if detour_of == Some(local) && kind.image(system.rule(first)) == image => {
                    Image::Of(first)
                }
                _ => Image::None,
            };
        }
    }
    images
}
