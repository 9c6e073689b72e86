//! As much of YAML as task definitions use: mappings and lists by indentation, plain and quoted scalars, comments. All scalars are
//! strings. What is not of that kind (anchors, folded texts, flow mappings) is refused.

use serde_json::{Map, Value};

/// A line that says something: how far it is indented, and what.
struct Line {
    number: usize,
    indent: usize,
    text: String,
}

/// Reads a document.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let bare = without_comment(line);
        let trimmed = bare.trim_end();
        let body = trimmed.trim_start();
        if body.is_empty() || body == "---" {
            continue;
        }
        if trimmed.contains('\t') {
            return Err(format!("line {}: tabs may not indent", index + 1));
        }
        lines.push(Line { number: index + 1, indent: trimmed.len() - body.len(), text: body.to_owned() });
    }
    let mut at = 0;
    let value = block(&lines, &mut at, 0)?;
    match lines.get(at) {
        None => Ok(value),
        Some(line) => Err(format!("line {}: this is not understood", line.number)),
    }
}

fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (index, char) in line.char_indices() {
        match quote {
            Some(open) if char == open => quote = None,
            None if char == '"' || char == '\'' => quote = Some(char),
            None if char == '#' && before.is_whitespace() => return &line[..index],
            _ => {}
        }
        before = char;
    }
    line
}

/// The block of lines that are indented by at least so much.
fn block(lines: &[Line], at: &mut usize, least: usize) -> Result<Value, String> {
    let Some(first) = lines.get(*at).filter(|line| line.indent >= least) else { return Ok(Value::Null) };
    let indent = first.indent;
    if first.text == "-" || first.text.starts_with("- ") {
        let mut list = Vec::new();
        while let Some(line) = lines.get(*at).filter(|line| line.indent == indent) {
            let Some(rest) = line.text.strip_prefix('-') else { break };
            list.push(item(lines, at, indent, rest)?);
        }
        return Ok(Value::Array(list));
    }
    let mut map = Map::new();
    while let Some(line) = lines.get(*at).filter(|line| line.indent == indent && !line.text.starts_with("- "))
    {
        let (key, rest) =
            pair(&line.text).ok_or_else(|| format!("line {}: expected `key: value`", line.number))?;
        *at += 1;
        // Lists may stand as far left as their key.
        let is_list = lines.get(*at).is_some_and(|next| next.indent == indent && next.text.starts_with('-'));
        let value = match rest {
            "" if is_list => block(lines, at, indent)?,
            "" => block(lines, at, indent + 1)?,
            text => scalar(text).map_err(|why| format!("line {}: {why}", line.number))?,
        };
        map.insert(key, value);
    }
    Ok(Value::Object(map))
}

/// An item of a list, of which the text after the dash is given.
fn item(lines: &[Line], at: &mut usize, indent: usize, rest: &str) -> Result<Value, String> {
    let number = lines[*at].number;
    let body = rest.trim_start();
    if body.is_empty() {
        *at += 1;
        return block(lines, at, indent + 1);
    }
    if pair(body).is_none() {
        *at += 1;
        return scalar(body).map_err(|why| format!("line {number}: {why}"));
    }
    // `- key: value` begins a mapping that is indented by where the key stands.
    let inner = indent + 1 + (rest.len() - body.len());
    let mut own = vec![Line { number, indent: inner, text: body.to_owned() }];
    *at += 1;
    while let Some(line) = lines.get(*at).filter(|line| line.indent >= inner) {
        own.push(Line { number: line.number, indent: line.indent, text: line.text.clone() });
        *at += 1;
    }
    let mut inside = 0;
    let value = block(&own, &mut inside, inner)?;
    match own.get(inside) {
        None => Ok(value),
        Some(line) => Err(format!("line {}: this is not understood", line.number)),
    }
}

/// A key with what follows it on the line.
fn pair(text: &str) -> Option<(String, &str)> {
    if text.starts_with(['"', '\'', '[', '{']) {
        return None;
    }
    let (key, rest) = text.split_once(':')?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| (key.trim().to_owned(), rest.trim()))
}

fn scalar(text: &str) -> Result<Value, String> {
    let text = text.trim();
    if let Some(list) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        let items = list.split(',').map(str::trim).filter(|item| !item.is_empty());
        return items.map(scalar).collect::<Result<Vec<_>, _>>().map(Value::Array);
    }
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            let inner = inner.strip_suffix(quote).ok_or("a quote is not closed")?;
            return Ok(Value::String(inner.to_owned()));
        }
    }
    if text.starts_with(['{', '&', '*', '|', '>', '!']) {
        return Err(format!("`{text}` is a part of YAML that task definitions do not use"));
    }
    Ok(Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_definitions_are_read() {
        let text = "format_version: '2.0'\n# a comment\ninput_files: 'a.i'   # here\n\nproperties:\n  - property_file: ../p/unreach-call.prp\n    expected_verdict: true\n  \
                    - property_file: no-overflow.prp\noptions:\n  language: C\n  data_model: ILP32\n";
        let value = read(text).unwrap();
        assert_eq!(value["input_files"], "a.i");
        assert_eq!(value["properties"][0]["expected_verdict"], "true");
        assert_eq!(value["properties"][1]["property_file"], "no-overflow.prp");
        assert_eq!(value["options"]["data_model"], "ILP32");
        let list = read("input_files:\n- a.c\n- b.c\nother: [x, 'y']\n").unwrap();
        assert_eq!((&list["input_files"][1], &list["other"][1]), (&"b.c".into(), &"y".into()));
        assert!(read("a: {b: c}\n").is_err());
        assert!(read("a: &x b\n").is_err());
    }
}
