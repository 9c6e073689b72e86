//! CSV files with a header, by the names of their columns.

use super::name_of;
use csv::{ReaderBuilder, StringRecord};
use std::path::Path;

/// The records of a file.
#[derive(Debug)]
pub(super) struct Records {
    header: StringRecord,
    records: Vec<StringRecord>,
}

/// One record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'a> {
    header: &'a StringRecord,
    fields: &'a StringRecord,
}

impl Records {
    /// Reads a file that must have these columns.
    pub(super) fn read(path: &Path, required: &[&str]) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("`{}`: {error}", name_of(path)))?;
        Self::parse(&bytes, required).map_err(|message| format!("`{}`: {message}", name_of(path)))
    }

    /// The same from a text.
    pub(super) fn parse(bytes: &[u8], required: &[&str]) -> Result<Self, String> {
        let mut reader = ReaderBuilder::new().from_reader(bytes);
        let header = reader.headers().map_err(|error| error.to_string())?.clone();
        let missing = required.iter().find(|name| !header.iter().any(|column| column == **name));
        if let Some(name) = missing {
            return Err(format!("the first line names the columns, and there is no `{name}` among them"));
        }
        let records = reader.records().collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        Ok(Self { header, records })
    }

    /// The names of the columns.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.header.iter()
    }

    /// The records in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Record<'_>> {
        self.records.iter().map(|fields| Record { header: &self.header, fields })
    }
}

impl<'a> Record<'a> {
    /// A field, unless it is empty or there is no such column.
    pub(super) fn get(self, column: &str) -> Option<&'a str> {
        let index = self.header.iter().position(|name| name == column)?;
        self.fields.get(index).filter(|field| !field.is_empty())
    }

    /// A number, unless the field is empty.
    pub(super) fn number<N: std::str::FromStr>(self, column: &str) -> Result<Option<N>, String> {
        let parse = |field: &str| field.parse().map_err(|_| self.complain(column, field, "a number"));
        self.get(column).map(parse).transpose()
    }

    /// Says what is wrong with a field.
    pub(super) fn complain(self, column: &str, field: &str, expected: &str) -> String {
        let line = self.fields.position().map_or(0, csv::Position::line);
        format!("line {line}: expected {expected} in column `{column}`, found `{field}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_name_and_quotes_hold_commas() {
        let records = Records::parse(b"file,init\na.tts,\"0|0,1\"\nb.tts,\n", &["file"]).unwrap();
        let fields: Vec<_> = records.iter().map(|record| (record.get("file"), record.get("init"))).collect();
        assert_eq!(fields, [(Some("a.tts"), Some("0|0,1")), (Some("b.tts"), None)]);
        assert_eq!(records.iter().next().unwrap().get("target"), None);
    }

    #[test]
    fn errors_name_the_line_and_the_column() {
        let message = Records::parse(b"name\nx\n", &["file"]).unwrap_err();
        assert!(message.contains("no `file`"), "{message}");
        let message = Records::parse(b"file,init\nx\n", &["file"]).unwrap_err();
        assert!(message.contains("line: 2"), "{message}");
        let records = Records::parse(b"file,bfc_s\nx,1.5\ny,fast\n", &["file"]).unwrap();
        let numbers: Vec<_> = records.iter().map(|record| record.number::<f64>("bfc_s")).collect();
        assert_eq!(numbers[0], Ok(Some(1.5)));
        assert_eq!(numbers[1], Err("line 3: expected a number in column `bfc_s`, found `fast`".to_owned()));
    }
}
