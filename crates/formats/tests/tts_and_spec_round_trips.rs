//! Random texts are refused cleanly; random systems are printed and read back unchanged.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use throng_base::Source;
use throng_formats::config_text::{Repetitions, StateNames, format_initial};
use throng_formats::{Format, Printed, Question, print, read_source};
use throng_model::{Bag, Config, Initial, LocalId, Move, Names, Rule, SharedId, System, SystemBuilder};

const BUDGET_MS: u64 = 300;

fn question() -> Question {
    Question { target_optional: true, ..Question::default() }
}

/// What two systems must have in common to be the same, apart from names.
fn parts(system: &System) -> (Vec<Rule>, Vec<Initial>, Vec<Config>) {
    let rules = system.rules().iter().map(|(_, rule)| rule.to_rule());
    (rules.collect(), system.initial().to_vec(), system.targets().to_vec())
}

/// Reads what was printed, with its companions as options.
fn read_back(format: Format, printed: &Printed) -> System {
    let companion = |extension: &str| {
        let found = printed.companions.iter().find(|(name, _)| *name == extension);
        found.map(|(_, text)| text.trim_end().to_owned())
    };
    let question = Question {
        init: companion("init").into_iter().collect(),
        target: companion("prop").into_iter().collect(),
        ..question()
    };
    let source = Source::from_text("printed", printed.text.as_str());
    match read_source(format, &source, &question) {
        Ok(input) => input.system,
        Err(errors) => panic!("{}\n{}", errors[0], printed.text),
    }
}

struct Shape {
    shared: usize,
    locals: usize,
}

impl Shape {
    fn local(&self, u: &mut Unstructured<'_>) -> Result<LocalId> {
        Ok(LocalId::new(u.int_in_range(0..=self.locals - 1)?))
    }

    fn shared(&self, u: &mut Unstructured<'_>) -> Result<SharedId> {
        Ok(SharedId::new(u.int_in_range(0..=self.shared - 1)?))
    }

    fn bag(&self, u: &mut Unstructured<'_>, threads: usize) -> Result<Bag> {
        let locals: Vec<LocalId> =
            (0..u.int_in_range(0..=threads)?).map(|_| self.local(u)).collect::<Result<_>>()?;
        Ok(Bag::from_locals(locals).unwrap())
    }

    fn initial(&self, u: &mut Unstructured<'_>) -> Result<Initial> {
        let mut unbounded: Vec<LocalId> =
            (0..u.int_in_range(0..=2)?).map(|_| self.local(u)).collect::<Result<_>>()?;
        unbounded.sort_unstable();
        unbounded.dedup();
        Ok(Initial { shared: self.shared(u)?, exact: self.bag(u, 3)?, unbounded })
    }

    fn moves(
        &self,
        u: &mut Unstructured<'_>,
        destinations: std::ops::RangeInclusive<usize>,
    ) -> Result<Vec<Move>> {
        let mut moves: Vec<Move> = Vec::new();
        for _ in 0..u.int_in_range(0..=2)? {
            let source = self.local(u)?;
            let count = u.int_in_range(destinations.clone())?;
            let destinations = (0..count).map(|_| self.local(u)).collect::<Result<_>>()?;
            if moves.iter().all(|step| step.source != source) {
                moves.push(Move { source, destinations });
            }
        }
        Ok(moves)
    }

    fn rule(&self, u: &mut Unstructured<'_>, take: Bag, put: Bag, moves: Vec<Move>) -> Result<Rule> {
        Ok(Rule { from: self.shared(u)?, to: self.shared(u)?, take, put, moves })
    }

    /// A rule that `.tts` can express.
    fn tts_rule(&self, u: &mut Unstructured<'_>) -> Result<Rule> {
        let (active, other) = (self.local(u)?, self.local(u)?);
        let one = Bag::from_locals([active]).unwrap();
        match u.int_in_range(0..=2)? {
            0 => {
                let moves = self.moves(u, 1..=2)?;
                self.rule(u, one, Bag::from_locals([other]).unwrap(), moves)
            }
            1 => self.rule(u, one, Bag::from_locals([active, other]).unwrap(), Vec::new()),
            _ => {
                let moves = vec![Move { source: active, destinations: vec![other] }];
                self.rule(u, Bag::new(), Bag::new(), moves)
            }
        }
    }

    /// A rule that `.spec` can express.
    fn spec_rule(&self, u: &mut Unstructured<'_>) -> Result<Rule> {
        let (take, put, moves) = (self.bag(u, 3)?, self.bag(u, 3)?, self.moves(u, 0..=1)?);
        self.rule(u, take, put, moves)
    }
}

fn numbered(u: &mut Unstructured<'_>) -> Result<System> {
    let shape = Shape { shared: u.int_in_range(1..=3)?, locals: u.int_in_range(1..=4)? };
    let names = (Names::Numbered(shape.shared), Names::Numbered(shape.locals));
    let mut builder = SystemBuilder::new(names.0, names.1);
    for _ in 0..u.int_in_range(0..=5)? {
        let rule = shape.tts_rule(u)?;
        // The reader drops rules without effect.
        let mut table = throng_model::rules::RuleTable::default();
        let id = table.push(&rule);
        if !table.get(id).is_identity() {
            builder.rule(&rule, 0);
        }
    }
    builder.initial(shape.initial(u)?);
    builder.target(Config::new(shape.shared(u)?, shape.bag(u, 3)?));
    Ok(builder.finish().unwrap())
}

fn net(u: &mut Unstructured<'_>) -> Result<System> {
    let shape = Shape { shared: 1, locals: u.int_in_range(1..=4)? };
    let mut places = throng_model::names::NameTable::default();
    for name in ["x", "target", "a b", ""].iter().take(shape.locals) {
        places.insert(name);
    }
    let mut builder = SystemBuilder::net(Names::Listed(places));
    for _ in 0..u.int_in_range(0..=5)? {
        builder.rule(&shape.spec_rule(u)?, 0);
    }
    builder.initial(shape.initial(u)?);
    for _ in 0..u.int_in_range(1..=3)? {
        builder.target(Config::new(SharedId::new(0), shape.bag(u, 3)?));
    }
    Ok(builder.finish().unwrap())
}

#[test]
fn thread_transition_systems_are_printed_and_read_back() {
    arbtest(|u| {
        let system = numbered(u)?;
        let printed = print(Format::Tts, &system).unwrap();
        assert_eq!(parts(&read_back(Format::Tts, &printed)), parts(&system), "{}", printed.text);
        Ok(())
    })
    .budget_ms(BUDGET_MS);
}

#[test]
fn specifications_are_printed_and_read_back() {
    arbtest(|u| {
        let system = net(u)?;
        let printed = print(Format::Spec, &system).unwrap();
        assert_eq!(parts(&read_back(Format::Spec, &printed)), parts(&system), "{}", printed.text);
        Ok(())
    })
    .budget_ms(BUDGET_MS);
}

#[test]
fn a_system_printed_as_a_net_is_printed_the_same_again() {
    arbtest(|u| {
        let system = numbered(u)?;
        let Ok(printed) = print(Format::Spec, &system) else { return Ok(()) };
        let again = print(Format::Spec, &read_back(Format::Spec, &printed)).unwrap();
        assert_eq!(again.text, printed.text);
        Ok(())
    })
    .budget_ms(BUDGET_MS);
}

#[test]
fn initial_configurations_are_printed_and_read_back() {
    arbtest(|u| {
        let system = if u.arbitrary()? { numbered(u)? } else { net(u)? };
        let names = StateNames::of(&system);
        for initial in system.initial() {
            let text = format_initial(initial, names, Repetitions::Counted);
            let source = Source::from_text("--init", text.as_str());
            assert_eq!(
                throng_formats::config_text::parse_initial(&source, names).as_ref(),
                Ok(initial),
                "{text}"
            );
        }
        Ok(())
    })
    .budget_ms(BUDGET_MS);
}

/// Words of both formats, so that random texts get beyond the first token.
const WORDS: &[&str] = &[
    "vars",
    "rules",
    "init",
    "target",
    "invariants",
    "true",
    "in",
    "x",
    "y",
    "'",
    "=",
    ">=",
    "->",
    "+>",
    "~>",
    "+",
    "-",
    ",",
    ";",
    "[",
    "]",
    "0",
    "1",
    "2",
    "4294967294",
    "99999999999",
    "\n",
    "#",
    "|",
    "/",
    "0|1",
    "\"",
    "\\",
    "*",
    "é",
];

fn random_text(u: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::from(*u.choose(&["", "2 2\n", "vars x y rules ", "vars x y rules x >= 1 -> "])?);
    while !u.is_empty() {
        text.push_str(u.choose(WORDS)?);
        if u.ratio(3, 4)? {
            text.push(' ');
        }
    }
    Ok(text)
}

#[test]
fn random_words_never_panic() {
    arbtest(|u| {
        let format = *u.choose(&[Format::Tts, Format::Spec])?;
        let mist_semantics = u.arbitrary()?;
        let text = random_text(u)?;
        let question = Question { mist_semantics, init: vec![text.clone()], ..question() };
        let _ = read_source(format, &Source::from_text("random", text.clone()), &question);
        let _ =
            read_source(format, &Source::from_text("random", text), &Question { init: vec![], ..question });
        Ok(())
    })
    .budget_ms(BUDGET_MS);
}

#[test]
fn random_bytes_never_panic() {
    arbtest(|u| {
        let format = *u.choose(&[Format::Tts, Format::Spec])?;
        let source = Source::from_bytes("random", u.bytes(u.len())?.to_vec()).unwrap();
        let _ = read_source(format, &source, &question());
        Ok(())
    })
    .budget_ms(BUDGET_MS);
}
