//! Random Boolean programs: brute force, the translation and the engines on the program itself agree.

use throng_base::Source;
use throng_boolprog::flow::Program;
use throng_boolprog::{number_labels, parse, print};
use throng_engine::EngineKind;
use throng_lab::choices::SplitMix64;
use throng_lab::differential::Method;
use throng_lab::programs::differential::{Agreement, Comparing, compare, question};
use throng_lab::programs::random::{Shape, from_seed, generate};

fn read(text: &str) -> Program {
    throng_boolprog::read(&Source::from_text("p.nbp", text)).expect("a program").program
}

fn agreement(seed: u64, comparing: &Comparing) -> Agreement {
    let generated = from_seed(seed);
    let program = generated.read().expect("a program");
    let question = question(&program, generated.threads, seed);
    compare(&program, &question, comparing)
        .unwrap_or_else(|disagreement| panic!("seed {seed}: {disagreement}\n{}", generated.text))
}

#[test]
fn translations_have_the_verdict_of_brute_force() {
    let comparing =
        Comparing { translated: vec![EngineKind::Auto.into()], most_states: 5_000, ..Comparing::default() };
    let agreements: Vec<Agreement> = (0..300).map(|seed| agreement(seed, &comparing)).collect();
    let n_checked: u32 = agreements.iter().map(|agreement| agreement.n_checked).sum();
    let n_reached = agreements.iter().filter(|agreement| agreement.threads.is_some()).count();
    assert!(n_checked > 200 && n_reached > 80, "{n_checked} checked, {n_reached} reached");
}

#[test]
fn engines_on_programs_have_the_verdict_of_brute_force() {
    for seed in 3_000..3_200 {
        let translated = vec![EngineKind::Auto.into()];
        let on_the_fly = EngineKind::ALL.map(|engine| Method::from_seed(engine, seed)).to_vec();
        agreement(seed, &Comparing { translated, on_the_fly, most_states: 2_000, ..Comparing::default() });
    }
}

#[test]
fn programs_with_numbers_for_labels_have_the_same_graph() {
    for seed in 0..500 {
        let text = generate(&mut SplitMix64::new(seed), &Shape::default()).text;
        let mut tree = parse(&Source::from_text("p.bp", &text)).expect("a tree");
        number_labels(&mut tree);
        let numbered = print(&tree);
        assert!(!numbered.contains("L0") && !numbered.contains("ASYNC"), "{numbered}");
        let (before, after) = (read(&text), read(&numbered));
        assert_eq!(before.edges(), after.edges(), "{numbered}");
        assert_eq!(before.expressions(), after.expressions());
        assert_eq!(before.assignments(), after.assignments());
    }
}
