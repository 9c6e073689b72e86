use super::*;
use crate::{Format, Question, read_source};
use throng_model::{LocalId, System};

const TYPE: &str = "http://www.pnml.org/version-2009/grammar/ptnet";

fn net(body: &str) -> Source {
    Source::from_text(
        "n",
        format!("<?xml version=\"1.0\"?>\n<pnml>\n<net id=\"n\" type=\"{TYPE}\">\n{body}\n</net></pnml>\n"),
    )
}

fn read(body: &str) -> System {
    parse(&net(body)).unwrap().builder.finish().unwrap()
}

fn error(body: &str) -> String {
    parse(&net(body)).unwrap_err()[0].to_string()
}

fn names(system: &System) -> Vec<String> {
    (0..system.n_locals()).map(|i| system.local_names().get(i).into_owned()).collect()
}

fn counts(bag: &[throng_model::Entry]) -> [u32; 3] {
    [0, 1, 2].map(|i| bag::count(bag, LocalId::new(i)))
}

const NESTED: &str = "<name><text>whole net</text></name>
    <page id='g1'><page id='g2'>
    <arc id='a1' source='r1' target='t1'><inscription><graphics/><text> 2 </text></inscription></arc>
    <place id='p1'><name><text><![CDATA[a<b]]> &amp; &#99;</text><graphics/></name>
      <initialMarking><text>\n 3\n</text></initialMarking><graphics><position x='1'/></graphics></place>
    <referencePlace id='r1' ref='r2'><name><text>x</text></name></referencePlace></page>
    <referencePlace id='r2' ref='p1'/><place id='p2'/><!-- comment --><place id='p3'><name><text></text></name></place>
    <toolspecific tool='nupn' version='1'><size places='3'><anything/></size></toolspecific>
    <transition id='t1'><name><text>fire</text></name></transition><referenceTransition id='u1' ref='t1'/>
    </page><page id='g3'><arc id='a2' source='u1' target='p2'/><arc id='a3' source='t1' target='p2'/>
    <arc id='a4' source='p3' target='t1'><type value='test'/></arc></page>";

#[test]
fn pages_references_entities_and_cdata_are_read() {
    let system = read(NESTED);
    assert_eq!(names(&system), ["a<b & c", "p2", "p3"]);
    let rule = system.rule(system.find_rule("fire").unwrap());
    assert_eq!((counts(rule.take), counts(rule.put)), ([2, 0, 1], [0, 2, 1]));
    assert_eq!(counts(&system.initial()[0].exact), [3, 0, 0]);
    assert_eq!(system.rule_line(system.find_rule("fire").unwrap()), Some(14));
}

#[test]
fn names_that_are_not_unique_give_way_to_identifiers() {
    let place = |id: &str, name: &str| format!("<place id='{id}'><name><text>{name}</text></name></place>");
    let body = [place("p1", "a"), place("p2", "a"), place("p3", "p1"), place("p4", "b"), place("p5", "p5")];
    assert_eq!(names(&read(&body.concat())), ["p1", "p2", "p3", "b", "p5"]);
}

#[test]
fn reset_arcs_empty_their_place() {
    let system = read(
        "<place id='p'/><transition id='t'/><arc id='a' source='p' target='t'><type value='reset'/></arc>\
         <arc id='b' source='t' target='p'/>",
    );
    let rule = system.rule(system.find_rule("t").unwrap());
    assert_eq!(rule.moves().collect::<Vec<_>>(), [(LocalId::new(0), &[][..])]);
    assert_eq!((rule.take.len(), rule.put.len()), (0, 1));
}

#[test]
fn what_is_not_a_plain_net_is_refused_with_the_reason() {
    let arc = |inside: &str| {
        format!("<place id='p'/><transition id='t'/>\n<arc id='a' source='p' target='t'>{inside}</arc>")
    };
    for (body, expected) in [
        (arc("<type value='inhibitor'/>"), "n:5:1: error[E0420]: inhibitor arcs are not supported"),
        (arc("<type><text>transport</text></type>"), "n:5:1: error[E0426]: arcs of type `transport`"),
        (arc("<hlinscription/>"), "n:5:35: error[E0423]: high-level nets"),
        ("<place id='p'><type/></place>".into(), "n:4:15: error[E0423]: high-level nets"),
        ("<transition id='t'><delay/></transition>".into(), "n:4:20: error[E0421]: time is not supported"),
        ("<place id='p'><capacity><value>2</value></capacity></place>".into(), "n:4:32: error[E0426]: bounded places"),
        (
            "<transition id='t'><priority><text>1</text></priority></transition>\n<transition id='u'><priority><text>2</text></priority></transition>".into(),
            "n:5:36: error[E0422]: priorities are not supported",
        ),
    ] {
        let error = error(&body);
        assert!(error.starts_with(expected), "{body}: {error}");
    }
    let coloured = "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/symmetricnet'/></pnml>";
    let error = parse(&Source::from_text("n", coloured)).unwrap_err()[0].to_string();
    assert!(error.starts_with("n:1:7: error[E0423]"), "{error}");
}

#[test]
fn errors_say_where_and_what() {
    for (body, expected) in [
        ("<place/>", "n:4:1: error[E0425]: `<place>` has no attribute `id` (expected `id=\"…\"`)"),
        (
            "<place id='p'/>\n<place id='p'/>",
            "n:5:1: error[E0402]: node `p` is declared twice (second declaration)",
        ),
        (
            "<place id='p'><initialMarking><text>x</text></initialMarking></place>",
            "n:4:37: error[E0101]: expected a number, found `x` (expected a number)",
        ),
        (
            "<place id='p'><initialMarking><text>\n 4294967295</text></initialMarking></place>",
            "n:5:2: error[E0102]: number too large (at most 4294967294)",
        ),
        (
            "<arc id='a' source='p' target='q'/>",
            "n:4:1: error[E0401]: there is no place or transition called `p` (not declared)",
        ),
        (
            "<place id='p'/><place id='q'/>\n<arc id='a' source='p' target='q'/>",
            "n:5:1: error[E0404]: an arc joins the places `p` and `q` (expected an arc between a place and a transition)",
        ),
        (
            "<referencePlace id='p' ref='q'/><referencePlace id='q' ref='p'/>",
            "n:4:33: error[E0405]: `q` refers to itself (part of a cycle of references)",
        ),
        (
            "<referencePlace id='p' ref='q'/>",
            "n:4:1: error[E0401]: there is no place or transition called `q` (not declared)",
        ),
        (
            "<place id='p'><name><text>&unknown;</text></name></place>",
            "n:4:27: error[E0424]: malformed XML: unknown entity `&unknown;`",
        ),
    ] {
        assert_eq!(error(body), expected, "{body}");
    }
    for (text, expected) in [
        ("", "error[E0425]: there is no `<net>` in `n`"),
        ("<html/>", "n:1:1: error[E0425]: expected `<pnml>` or `<net>`, found `<html>` (expected `<net>`)"),
        (
            "<pnml>\n<net id='n' type='ptnet'>",
            "n:2:1: error[E0424]: malformed XML: this element is never closed",
        ),
    ] {
        assert_eq!(parse(&Source::from_text("n", text)).unwrap_err()[0].to_string(), expected, "{text}");
    }
    assert!(error("<place id='p'></plac>").contains("error[E0424]: malformed XML"));
}

#[test]
fn elements_that_are_not_understood_are_mentioned_once() {
    let draft =
        parse(&net("<labels/><place id='p'><colour/></place><place id='q'><colour/></place>")).unwrap();
    let warnings: Vec<_> = draft.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 2);
    assert!(warnings[1].contains("`<colour>`"), "{warnings:?}");
}

#[test]
fn deep_pages_need_no_stack() {
    let body = format!("{}<place id='p'/>{}", "<page>".repeat(100_000), "</page>".repeat(100_000));
    assert_eq!(read(&body).n_locals(), 1);
    let skipped = format!("<graphics>{}{}</graphics>", "<g>".repeat(100_000), "</g>".repeat(100_000));
    assert_eq!(read(&skipped).n_locals(), 0);
}

#[test]
fn what_is_printed_is_read_again() {
    let question = Question { target: vec!["p2*2,\"a<b & c\"".into()], ..Question::default() };
    let system = read_source(Format::Pnml, &net(NESTED), &question).unwrap().system;
    let printed = print(&system).unwrap();
    assert!(printed.notes.is_empty());
    let again = parse(&Source::from_text("n", &printed.text[..])).unwrap();
    let property = Source::from_text("q", &printed.companions[0].1[..]);
    assert_eq!(crate::mcc::parse(&property, &again, None).unwrap(), system.targets());
    let again = again.builder.finish().unwrap();
    assert_eq!(names(&again), names(&system), "although a place is called like an identifier");
    assert_eq!(print(&again).unwrap().text, printed.text);
}
