use super::*;

/// Places with the identifiers p0, p1 and names that cross them, and a transition.
fn draft() -> Draft {
    let text = "<pnml><net id='n' type='ptnet'><place id='p0'><name><text>ready</text></name></place><place id='p1'/>\
        <transition id='t0'><name><text>go</text></name></transition>\
        <arc id='a' source='p0' target='t0'><inscription><text>2</text></inscription></arc></net></pnml>";
    crate::pnml::parse(&Source::from_text("n", text)).unwrap()
}

fn ask(formula: &str) -> Result<Vec<Vec<(usize, u32)>>, String> {
    let text = format!(
        "<property-set><property><id>a</id><description>d</description>\n<formula>{formula}</formula></property></property-set>"
    );
    let found =
        parse(&Source::from_text("q", text), &draft(), None).map_err(|errors| errors[0].to_string())?;
    let entries =
        |config: &Config| config.bag.iter().map(|entry| (entry.local.index(), entry.count)).collect();
    let mut targets: Vec<Vec<_>> = found.iter().map(entries).collect();
    targets.sort();
    Ok(targets)
}

fn bad(condition: &str) -> Result<Vec<Vec<(usize, u32)>>, String> {
    ask(&format!("<exists-path><finally>{condition}</finally></exists-path>"))
}

fn count(place: &str) -> String {
    format!("<tokens-count><place>{place}</place></tokens-count>")
}

fn number(number: &str) -> String {
    format!("<integer-constant>{number}</integer-constant>")
}

#[test]
fn conditions_of_every_kind_are_read() {
    let p0_at_least_4 = format!("<integer-le>{}{}</integer-le>", number(" 4\n"), count("p0"));
    assert_eq!(bad(&p0_at_least_4), Ok(vec![vec![(0, 4)]]));
    assert_eq!(
        ask(&format!("<all-paths><globally><negation>{p0_at_least_4}</negation></globally></all-paths>")),
        Ok(vec![vec![(0, 4)]])
    );
    let sum = "<tokens-count><place>p0</place><place>p1</place></tokens-count>";
    assert_eq!(
        bad(&format!("<integer-gt>{sum}{}</integer-gt>", number("0"))),
        Ok(vec![vec![(0, 1)], vec![(1, 1)]])
    );
    let both = format!(
        "<conjunction>{p0_at_least_4}<is-fireable><transition>t0</transition></is-fireable><integer-ne>{}{}</integer-ne></conjunction>",
        count("p1"),
        number("0")
    );
    assert_eq!(bad(&both), Ok(vec![vec![(0, 4), (1, 1)]]));
    let either = format!(
        "<disjunction>{both}<integer-ge><integer-sum>{}{}</integer-sum>{}</integer-ge></disjunction>",
        count("ready"),
        number("1"),
        number("3")
    );
    assert_eq!(bad(&either), Ok(vec![vec![(0, 2)]]), "a name is as good as an identifier");
    assert_eq!(bad("<false/>"), Ok(vec![]));
}

#[test]
fn identifiers_come_before_names() {
    let text = "<pnml><net id='n' type='ptnet'><place id='a'><name><text>c</text></name></place>\
        <place id='b'><name><text>a</text></name></place></net></pnml>";
    let draft = crate::pnml::parse(&Source::from_text("n", text)).unwrap();
    let property = format!(
        "<property-set><property><id>x</id><formula><exists-path><finally><integer-gt>{}{}</integer-gt></finally></exists-path></formula></property></property-set>",
        count("a"),
        number("0")
    );
    let found = parse(&Source::from_text("q", property), &draft, None).unwrap();
    assert_eq!(found[0].bag[0].local, LocalId::new(0));
}

#[test]
fn other_questions_are_refused_with_the_reason() {
    for (formula, expected) in [
        ("<exists-path><globally><true/></globally></exists-path>".to_owned(), "q:2:23: error[E0414]: `<globally>` makes this no coverability question"),
        ("<all-paths><finally><true/></finally></all-paths>".to_owned(), "q:2:21: error[E0414]"),
        ("<exists-path><finally><deadlock/></finally></exists-path>".to_owned(), "q:2:32: error[E0414]: `<deadlock>`"),
        ("<place-bound><place>p0</place></place-bound>".to_owned(), "q:2:10: error[E0414]"),
        (format!("<exists-path><finally><integer-le>{}{}</integer-le></finally></exists-path>", count("p0"), number("4")), "q:2:32: error[E0410]: an upper bound"),
        ("<exists-path><finally><is-fireable><transition>t9</transition></is-fireable></finally></exists-path>".to_owned(), "q:2:57: error[E0401]: there is no transition called `t9`"),
        ("<exists-path><finally><negation/></finally></exists-path>".to_owned(), "q:2:32: error[E0425]: expected one condition here"),
        ("<exists-path><finally/></exists-path>".to_owned(), "q:2:23: error[E0425]: expected an element, found none"),
        (format!("<exists-path><finally>{}</finally></exists-path>", count("p0")), "q:2:32: error[E0425]: expected a condition here"),
    ] {
        let error = ask(&formula).unwrap_err();
        assert!(error.starts_with(expected), "{formula}: {error}");
    }
}

#[test]
fn one_of_several_properties_must_be_named() {
    let property = |name: &str, n: u32| {
        format!(
            "<property><id>{name}</id><formula><exists-path><finally><integer-ge>{}{}</integer-ge></finally></exists-path></formula></property>",
            count("p0"),
            number(&n.to_string())
        )
    };
    let source = Source::from_text(
        "q",
        format!("<property-set>{}{}</property-set>", property("a", 3), property("b", 5)),
    );
    let error = &parse(&source, &draft(), None).unwrap_err()[0];
    assert_eq!(error.to_string(), "error[E0415]: `q` holds 2 properties");
    assert_eq!(error.notes, ["properties: `a`, `b`"]);
    assert_eq!(parse(&source, &draft(), Some("b")).unwrap()[0].bag[0].count, 5);
    assert_eq!(parse(&source, &draft(), Some("c")).unwrap_err()[0].code, "E0415");
}

#[test]
fn deep_nesting_needs_no_stack() {
    let deep = format!("{}<true/>{}", "<negation>".repeat(100_000), "</negation>".repeat(100_000));
    assert_eq!(bad(&deep), Ok(vec![vec![]]));
}
