//! Locations in words: lines of the source, with the number of the step where a line has several.

use std::collections::{BTreeMap, BTreeSet};
use throng_cfa::flow::{LocationId, LocationKind, Program, TemplateId};

/// Where a location is: the file and the line, and its place among the locations there.
type Spot<'a> = (&'a str, u32);

/// The order of the text: template, file, line, location.
pub(super) type Rank = (TemplateId, String, u32, usize);

/// The locations of a program by lines.
pub(super) struct Places<'a> {
    program: &'a Program,
    /// Of each template: the locations of each line, in order; ends and errors are left out.
    lines: Vec<BTreeMap<Spot<'a>, Vec<LocationId>>>,
    /// The locations that threads come to: larger steps leave others out.
    used: BTreeSet<LocationId>,
    /// How many files there are.
    n_files: usize,
    /// Lines that several templates have.
    common: BTreeSet<Spot<'a>>,
}

impl<'a> Places<'a> {
    /// The places of a program.
    pub(super) fn new(program: &'a Program) -> Self {
        let mut lines = vec![BTreeMap::<Spot<'a>, Vec<LocationId>>::new(); program.templates.len()];
        let ends = program.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        let used: BTreeSet<LocationId> = ends.chain(program.templates.iter().map(|it| it.entry)).collect();
        for &id in &used {
            let location = program.location(id);
            if location.kind == LocationKind::Inner {
                let position = &program.site(location.site).position;
                lines[location.template.index()].entry((&position.file, position.line)).or_default().push(id);
            }
        }
        let files: BTreeSet<&str> = lines.iter().flat_map(|of| of.keys().map(|&(file, _)| file)).collect();
        let mut seen = BTreeSet::new();
        let mut common = BTreeSet::new();
        for &spot in lines.iter().flat_map(BTreeMap::keys) {
            if !seen.insert(spot) {
                common.insert(spot);
            }
        }
        Self { program, n_files: files.len(), used, lines, common }
    }

    /// Whether an error is there.
    pub(super) fn is_error(&self, id: LocationId) -> bool {
        matches!(self.program.location(id).kind, LocationKind::Error(_))
    }

    /// Whether a thread is always at one of these locations: the first one is, wherever that may be.
    pub(super) fn is_always(&self, set: &BTreeSet<LocationId>) -> bool {
        let is_main = |id: &&LocationId| self.program.location(**id).template == self.program.main;
        self.used.iter().filter(is_main).all(|id| set.contains(id) || self.is_error(*id))
    }

    /// For sorting: in the order of the text.
    pub(super) fn rank(&self, id: LocationId) -> Rank {
        let location = self.program.location(id);
        let position = &self.program.site(location.site).position;
        (location.template, position.file.clone(), position.line, id.index())
    }

    /// A set of locations: `line 33`, `lines 33, 45..47`, `the end of worker`, `everywhere in worker`.
    pub(super) fn words(&self, set: &BTreeSet<LocationId>) -> String {
        let mut of: BTreeMap<TemplateId, BTreeSet<LocationId>> = BTreeMap::new();
        for &id in set {
            of.entry(self.program.location(id).template).or_default().insert(id);
        }
        let parts = of.iter().map(|(&template, set)| self.of_template(template, set));
        parts.collect::<Vec<_>>().join(" and ")
    }

    fn of_template(&self, template: TemplateId, set: &BTreeSet<LocationId>) -> String {
        let name = &self.program.templates[template.index()].name;
        let kind = |id: LocationId| self.program.location(id).kind;
        let inner: BTreeSet<LocationId> =
            set.intersection(&self.used).copied().filter(|&id| kind(id) == LocationKind::Inner).collect();
        let has_end = set.iter().any(|&id| kind(id) == LocationKind::End);
        let all: usize = self.lines[template.index()].values().map(Vec::len).sum();
        if inner.len() == all && (has_end || !self.has_end(template)) {
            return format!("everywhere in {name}");
        }
        let mut parts = Vec::new();
        if inner.len() == all {
            parts.push(format!("all lines of {name}"));
        } else if !inner.is_empty() {
            parts.push(self.lines(template, &inner));
        }
        if has_end {
            parts.push(format!("the end of {name}"));
        }
        if set.iter().any(|&id| self.is_error(id)) {
            parts.push("an error".to_owned());
        }
        parts.join(" and ")
    }

    fn has_end(&self, template: TemplateId) -> bool {
        let is_end = |location: &throng_cfa::flow::Location| {
            location.template == template && location.kind == LocationKind::End
        };
        self.program.locations.iter().any(is_end)
    }

    /// Lines, those that follow each other as a range.
    fn lines(&self, template: TemplateId, inner: &BTreeSet<LocationId>) -> String {
        let of = &self.lines[template.index()];
        let mut words: Vec<String> = Vec::new();
        let mut range: Option<(Spot<'_>, Spot<'_>)> = None;
        let is_common = inner.iter().any(|&id| self.common.contains(&self.spot(id)));
        let close = |range: &mut Option<(Spot<'_>, Spot<'_>)>, words: &mut Vec<String>| {
            if let Some((first, last)) = range.take() {
                let first_word = self.line(first);
                let is_single = first == last;
                words.push(if is_single { first_word } else { format!("{first_word}..{}", last.1) });
            }
        };
        for (&spot, here) in of {
            let chosen: Vec<usize> = (0..here.len()).filter(|&at| inner.contains(&here[at])).collect();
            if chosen.len() == here.len() {
                let follows = range.is_some_and(|(first, _)| first.0 == spot.0);
                range =
                    Some(if follows { (range.map_or(spot, |(first, _)| first), spot) } else { (spot, spot) });
                continue;
            }
            close(&mut range, &mut words);
            // The second step of line 33 is 33.2.
            words.extend(chosen.iter().map(|at| format!("{}.{}", self.line(spot), at + 1)));
        }
        close(&mut range, &mut words);
        let is_single = words.len() == 1 && !words[0].contains("..");
        let noun = if is_single { "line" } else { "lines" };
        let whose = if is_common {
            format!(" of {}", self.program.templates[template.index()].name)
        } else {
            String::new()
        };
        format!("{noun} {}{whose}", words.join(", "))
    }

    fn spot(&self, id: LocationId) -> Spot<'a> {
        let position = &self.program.site(self.program.location(id).site).position;
        (&position.file, position.line)
    }

    fn line(&self, (file, line): Spot<'_>) -> String {
        if self.n_files > 1 { format!("{file}:{line}") } else { line.to_string() }
    }
}
