//! Substitutions: locals that are replaced by bags of others, all at once.
//!
//! A substitution σ maps some locals to bags of locals that it leaves alone, and with them bags to bags: σ(b) has for each
//! thread in a replaced local p the threads of σ(p), and the others as they are. So σ(a + b) = σ(a) + σ(b).
//!
//! It is made from candidates p with images X ([`crate::detours`]): σ(p) = σ(X). A candidate is left alone if its
//! image leads back to it, or if replacing it would make the rules larger than the detours that go.

use crate::detours::{Candidates, Detour, Kind, find_detour};
use crate::groups::Groups;
use throng_model::bag::{CountOverflow, MAX_COUNT};
use throng_model::{Bag, Entry, LocalId, RuleId, SharedId, System};

/// How many entries rules may gain when a local is replaced, beyond those of the detours that go.
const MOST_MORE_ENTRIES: usize = 8;

/// A replaced local.
#[derive(Clone, Debug)]
pub(crate) struct Replaced {
    /// The local p.
    pub(crate) local: LocalId,
    /// Which detours it has.
    pub(crate) kind: Kind,
    /// σ(p).
    pub(crate) image: Bag,
}

/// A substitution.
#[derive(Debug)]
pub(crate) struct Substitution {
    /// The replaced locals. Those in the image X of one come before it.
    images: Vec<Replaced>,
    /// By local; where it is in `images`.
    ranks: Vec<Option<u32>>,
    /// All detours of the replaced locals, sorted.
    detours: Vec<Detour>,
}

impl Substitution {
    /// Replaces what can be replaced; `None` if that is nothing.
    pub(crate) fn new(system: &System, candidates: &Candidates) -> Option<Self> {
        let substitution =
            Self { images: Vec::new(), ranks: vec![None; system.n_locals()], detours: Vec::new() };
        let mut search =
            Search { system, candidates, colours: vec![Colour::White; system.n_locals()], substitution };
        for local in candidates.locals() {
            search.visit(local);
        }
        let mut substitution = search.substitution;
        for replaced in &substitution.images {
            substitution.detours.extend_from_slice(candidates.detours_of(replaced.local));
        }
        substitution.detours.sort_unstable();
        (!substitution.images.is_empty()).then_some(substitution)
    }

    /// The replaced locals. Those in the image of a detour of one come before it.
    pub(crate) fn images(&self) -> &[Replaced] {
        &self.images
    }

    /// Where a local is in [`Substitution::images`], if it is replaced.
    #[inline]
    pub(crate) fn rank(&self, local: LocalId) -> Option<usize> {
        self.ranks[local.index()].map(|rank| rank as usize)
    }

    /// Whether a local is replaced.
    #[inline]
    pub(crate) fn replaces(&self, local: LocalId) -> bool {
        self.ranks[local.index()].is_some()
    }

    /// A detour of a local in a shared state.
    pub(crate) fn detour(&self, local: LocalId, shared: SharedId) -> Option<RuleId> {
        find_detour(&self.detours, local, shared)
    }

    /// σ of a bag.
    pub(crate) fn apply(&self, bag: &[Entry]) -> Result<Bag, CountOverflow> {
        if !bag.iter().any(|entry| self.replaces(entry.local)) {
            return Ok(Bag::from(bag));
        }
        let mut counts = Vec::new();
        for entry in bag {
            match self.rank(entry.local) {
                None => counts.push((entry.local, entry.count)),
                Some(rank) => {
                    for part in self.images[rank].image.iter() {
                        let count = part.count.checked_mul(entry.count).filter(|&count| count <= MAX_COUNT);
                        counts.push((part.local, count.ok_or(CountOverflow)?));
                    }
                }
            }
        }
        Bag::from_counts(counts)
    }

    /// For each local, the replaced locals with that local in their σ, by rank.
    pub(crate) fn by_part(&self) -> Groups<u32> {
        let parts = self.images.iter().zip(0_u32..);
        let parts =
            parts.flat_map(|(replaced, rank)| replaced.image.iter().map(move |e| (e.local.index(), rank)));
        Groups::new(self.ranks.len(), parts)
    }
}

/// How far the search for cycles came with a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    /// Not visited.
    White,
    /// What its image depends on is being visited.
    Grey,
    /// Decided.
    Black,
}

/// A depth-first search over images, which decides what is replaced after what its image depends on.
struct Search<'a> {
    system: &'a System,
    candidates: &'a Candidates,
    colours: Vec<Colour>,
    substitution: Substitution,
}

impl Search<'_> {
    fn visit(&mut self, root: LocalId) {
        // A local and how many entries of its image have been looked at.
        let mut stack = vec![(root, 0)];
        while let Some((local, n_seen)) = stack.last_mut() {
            let (local, position) = (*local, *n_seen);
            let Some((kind, detour)) =
                self.candidates.get(local).filter(|_| self.colours[local.index()] != Colour::Black)
            else {
                stack.pop();
                continue;
            };
            self.colours[local.index()] = Colour::Grey;
            let image = kind.image(self.system.rule(detour));
            match image.get(position) {
                // The image leads back: this local is left alone, the one that it leads to may be replaced.
                Some(part) if self.colours[part.local.index()] == Colour::Grey => {
                    self.colours[local.index()] = Colour::Black;
                }
                Some(part) => {
                    *n_seen += 1;
                    stack.push((part.local, 0));
                }
                None => {
                    self.colours[local.index()] = Colour::Black;
                    self.replace(local, kind, image);
                }
            }
        }
    }

    /// Replaces a local, unless its image is too large.
    fn replace(&mut self, local: LocalId, kind: Kind, direct: &[Entry]) {
        let Ok(image) = self.substitution.apply(direct) else { return };
        let n_detours = self.candidates.detours_of(local).len();
        let gained = self.candidates.n_uses(local).saturating_mul(image.len() - 1);
        if gained <= n_detours * (1 + direct.len()) + MOST_MORE_ENTRIES {
            let images = &mut self.substitution.images;
            // A local is a 32-bit number, so that there are fewer than 2^32 of them.
            self.substitution.ranks[local.index()] = Some(images.len() as u32);
            images.push(Replaced { local, kind, image });
        }
    }
}
