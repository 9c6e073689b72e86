//! The rules that the `.spec` reader makes of random guards and assignments do what the assignments say.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use std::ops::ControlFlow;
use throng_base::Source;
use throng_formats::{Format, Question, read_source};
use throng_model::{Bag, ConfigRef, LocalId, SharedId, TransitionSystem, bag};

const VARIABLES: [&str; 4] = ["w", "x", "y", "z"];

type Marking = [i64; 4];

/// A rule as the user sees it.
#[derive(Debug, Default)]
struct SpecRule {
    guards: Marking,
    /// Variables on the right and the constant, where the variable is assigned.
    assignments: [Option<(Vec<usize>, i64)>; 4],
}

impl SpecRule {
    /// A rule in which every variable is on the right of at most one assignment, its own or one of another
    /// assigned variable: what is not copied.
    fn random(u: &mut Unstructured<'_>) -> Result<Self> {
        let mut rule = Self::default();
        for guard in &mut rule.guards {
            *guard = u.int_in_range(0..=2)?;
        }
        for assignment in &mut rule.assignments {
            *assignment = if u.arbitrary()? { Some((Vec::new(), 0)) } else { None };
        }
        for variable in 0..4 {
            let receiver = u.int_in_range(0..=3)?;
            if rule.assignments[variable].is_some()
                && u.ratio(3, 4)?
                && let Some((terms, _)) = &mut rule.assignments[receiver]
            {
                terms.push(variable);
            }
        }
        for (terms, constant) in rule.assignments.iter_mut().flatten() {
            *constant = if terms.is_empty() { u.int_in_range(0..=2)? } else { u.int_in_range(-3..=2)? };
        }
        Ok(rule)
    }

    fn text(&self) -> String {
        let guards: Vec<String> =
            VARIABLES.iter().zip(self.guards).map(|(name, guard)| format!("{name} >= {guard}")).collect();
        let mut assignments = Vec::new();
        for (name, assignment) in VARIABLES.iter().zip(&self.assignments) {
            let Some((terms, constant)) = assignment else { continue };
            let sum: Vec<&str> = terms.iter().map(|&term| VARIABLES[term]).collect();
            assignments.push(match (sum.is_empty(), *constant < 0) {
                (true, _) => format!("{name}' = {constant}"),
                (false, false) => format!("{name}' = {} + {constant}", sum.join(" + ")),
                (false, true) => format!("{name}' = {} - {}", sum.join(" + "), -constant),
            });
        }
        format!(
            "vars w x y z rules {} -> {}; init w = 0 target w >= 1",
            guards.join(", "),
            assignments.join(", ")
        )
    }

    /// The marking after the rule; `None` if it is disabled or a variable would become negative.
    fn fire(&self, before: Marking) -> Option<Marking> {
        if before.iter().zip(self.guards).any(|(&tokens, guard)| tokens < guard) {
            return None;
        }
        let mut after = before;
        for (variable, assignment) in self.assignments.iter().enumerate() {
            if let Some((terms, constant)) = assignment {
                after[variable] = terms.iter().map(|&term| before[term]).sum::<i64>() + constant;
            }
        }
        after.iter().all(|&tokens| tokens >= 0).then_some(after)
    }
}

fn to_bag(marking: Marking) -> Bag {
    let counts =
        marking.iter().enumerate().map(|(place, &n)| (LocalId::new(place), u32::try_from(n).unwrap()));
    Bag::from_counts(counts).unwrap()
}

/// What the system reaches from a marking in one step.
fn successors(system: &impl TransitionSystem, before: Marking) -> Vec<Marking> {
    let mut successors = Vec::new();
    let before = to_bag(before);
    let enumeration =
        system.for_each_successor(ConfigRef::new(SharedId::new(0), &before), &mut |_, after| {
            successors.push([0, 1, 2, 3].map(|place| i64::from(bag::count(after.bag, LocalId::new(place)))));
            ControlFlow::Continue(())
        });
    assert!(enumeration.unwrap().is_continue());
    successors
}

#[test]
fn rules_do_what_their_assignments_say() {
    let (mut fired, mut disabled, mut refused) = (0, 0, 0);
    arbtest(|u| {
        let rule = SpecRule::random(u)?;
        let source = Source::from_text("random.spec", rule.text());
        let system = match read_source(Format::Spec, &source, &Question::default()) {
            Ok(input) => input.system,
            Err(errors) => {
                let error = errors.last().unwrap();
                assert_eq!(error.code, "E0312", "only an ambiguous decrement is refused: {error}");
                refused += 1;
                return Ok(());
            }
        };
        for _ in 0..8 {
            let mut before = Marking::default();
            for tokens in &mut before {
                *tokens = u.int_in_range(0..=4)?;
            }
            let expected = rule.fire(before);
            *(if expected.is_some() { &mut fired } else { &mut disabled }) += 1;
            let expected: Vec<Marking> = expected.into_iter().collect();
            assert_eq!(successors(&system, before), expected, "{} from {before:?}", rule.text());
        }
        Ok(())
    })
    .budget_ms(500);
    assert!(
        fired > 100 && disabled > 100 && refused > 0,
        "{fired} fired, {disabled} disabled, {refused} refused"
    );
}
