//! From the texts of locations back to locations.
//!
//! The text of a location names all calls that led there ([`Program::location_text`]), so all texts together may be much
//! larger than the program: of 20,000 functions that call each other in a chain, 4 GB. So there is no table of them; a text is
//! followed from call to call.

use super::graph::{InstanceId, LocationId, Program};
use rustc_hash::FxHashMap;

/// An instruction of an instance, and whether an atomic section is open.
type Place = (InstanceId, u32, bool);

/// Finds locations by their texts.
#[derive(Clone, Debug)]
pub struct LocationFinder {
    /// The instances in which threads start, by the names of their functions.
    roots: FxHashMap<String, InstanceId>,
    callees: FxHashMap<(InstanceId, u32), InstanceId>,
    locations: FxHashMap<Place, LocationId>,
}

impl LocationFinder {
    /// A finder for a program; `None` if two locations could have the same text.
    pub fn new(program: &Program) -> Option<Self> {
        let mut finder = Self {
            roots: FxHashMap::default(),
            callees: FxHashMap::default(),
            locations: FxHashMap::default(),
        };
        for (index, instance) in program.instances().iter().enumerate() {
            let id = InstanceId::new(index);
            let name = program.text(program.functions()[instance.function.index()].name);
            // These stand between the parts of a text.
            let is_plain = !name.contains(['/', ':', ' ']);
            let is_new = match instance.caller {
                None => finder.roots.insert(name.to_owned(), id).is_none(),
                Some(call) => finder.callees.insert(call, id).is_none(),
            };
            if !is_plain || !is_new {
                return None;
            }
        }
        for id in LocationId::all(program.locations().len()) {
            let location = program.location(id);
            if let Some(instance) = location.instance {
                let place = (instance, location.position, location.is_atomic);
                if finder.locations.insert(place, id).is_some() {
                    return None;
                }
            }
        }
        Some(finder)
    }

    /// The location with this text, if there is one.
    pub fn find(&self, program: &Program, text: &str) -> Option<LocationId> {
        let found = match text {
            "error" => program.error(),
            _ => *self.locations.get(&self.place(text)?)?,
        };
        // Numbers can be written in several ways, and names of callees are not looked at on the way.
        (program.location_text(found) == text).then_some(found)
    }

    fn place(&self, text: &str) -> Option<Place> {
        let (steps, is_atomic) = match text.strip_suffix(" (atomic)") {
            Some(steps) => (steps, true),
            None => (text, false),
        };
        let mut caller: Option<(InstanceId, u32)> = None;
        for step in steps.split('/') {
            let (name, position) = step.split_once(':')?;
            let instance = match caller {
                None => self.roots.get(name)?,
                Some(call) => self.callees.get(&call)?,
            };
            caller = Some((*instance, position.parse().ok()?));
        }
        caller.map(|(instance, position)| (instance, position, is_atomic))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::Source;

    #[test]
    fn every_location_is_found_by_its_text_and_nothing_else_is() {
        let text = "decl x;
            void f() begin g(); if x then g(); fi; end
            void g() begin atomic_begin; x := !x; atomic_end; end
            void h() begin g(); end
            void main() begin start_thread h(); f(); assert(x); g(); end";
        let program = crate::read(&Source::from_text("x.bp", text)).unwrap().program;
        let finder = LocationFinder::new(&program).unwrap();
        for id in LocationId::all(program.locations().len()) {
            let text = program.location_text(id);
            assert_eq!(finder.find(&program, &text), Some(id), "{text}");
            for wrong in [
                format!("{text} "),
                format!("{text}/g:0/h:0"),
                text.replacen(':', ":0", 1),
                text.replace('g', "h"),
            ] {
                let expected = (wrong == text).then_some(id);
                let is_text =
                    LocationId::all(program.locations().len()).find(|&it| program.location_text(it) == wrong);
                assert_eq!(finder.find(&program, &wrong), expected.or(is_text), "{wrong}");
            }
        }
        assert_eq!(finder.find(&program, ""), None);
    }
}
