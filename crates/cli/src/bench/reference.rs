//! The times of other tools, from a CSV file: a column `file`, and a column `TOOL_s` with CPU seconds for each tool.

use super::records::Records;
use std::path::Path;
use throng_report::benchmark::Reference;

/// What the name of a column with times ends in.
const SECONDS: &str = "_s";

/// Reads the times.
pub(super) fn read(path: &Path) -> Result<Reference, String> {
    let records = Records::read(path, &["file"])?;
    parse(&records).map_err(|message| format!("`{}`: {message}", super::name_of(path)))
}

fn parse(records: &Records) -> Result<Reference, String> {
    let columns: Vec<&str> = records.columns().filter(|column| column.ends_with(SECONDS)).collect();
    if columns.is_empty() {
        return Err(format!("there is no column with times, whose name would end in `{SECONDS}`"));
    }
    let mut reference = Reference {
        tools: columns.iter().map(|column| column.trim_end_matches(SECONDS).to_owned()).collect(),
        ..Reference::default()
    };
    for record in records.iter() {
        let Some(file) = record.get("file") else { continue };
        let seconds: Result<Vec<Option<f64>>, String> =
            columns.iter().map(|column| record.number(column)).collect();
        reference.seconds.insert(file.to_owned(), seconds?);
    }
    Ok(reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_of_seconds_is_a_tool() {
        let records = Records::parse(b"file,bfc_s,note,mist_s\na.tts,0.5,x,\n", &["file"]).unwrap();
        let reference = parse(&records).unwrap();
        assert_eq!(reference.tools, ["bfc", "mist"]);
        assert_eq!(reference.seconds["a.tts"], [Some(0.5), None]);
        let none = Records::parse(b"file,time\na.tts,0.5\n", &["file"]).unwrap();
        assert!(parse(&none).is_err());
    }
}
