//! Messages of the language server protocol: JSON with a header that says how long it is.

use crate::console;
use serde_json::{Value, json};
use std::io::{self, BufRead};
use std::path::PathBuf;

/// The longest message that is read.
const LONGEST: usize = 64 << 20;

/// A request (with an id) or a notification.
pub(super) struct Incoming {
    pub(super) id: Option<Value>,
    pub(super) method: String,
    pub(super) params: Value,
}

/// Reads a message; `None` at the end. What is no message is an error.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let wrong = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    let length = length.filter(|&length| length <= LONGEST).ok_or_else(|| wrong("no length"))?;
    let mut text = vec![0; length];
    input.read_exact(&mut text)?;
    let mut message: Value = serde_json::from_slice(&text).map_err(|error| wrong(&error.to_string()))?;
    let id = message.get("id").filter(|id| !id.is_null()).cloned();
    let method = message["method"].as_str().unwrap_or_default().to_owned();
    Ok(Some(Incoming { id, method, params: message["params"].take() }))
}

/// Writes messages.
pub(super) struct Writer;

impl Writer {
    fn write(&self, message: &Value) {
        let text = message.to_string();
        console::print(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    /// Answers a request.
    pub(super) fn reply(&self, to: &Incoming, result: Value) {
        if let Some(id) = &to.id {
            self.write(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
        }
    }

    /// Says that a request is not known.
    pub(super) fn refuse(&self, to: &Incoming, why: &str) {
        let error = json!({ "code": -32601, "message": why });
        self.write(&json!({ "jsonrpc": "2.0", "id": to.id, "error": error }));
    }

    /// Says what is wrong in a file.
    pub(super) fn diagnose(&self, uri: &str, diagnostics: Vec<Value>) {
        let params = json!({ "uri": uri, "diagnostics": diagnostics });
        self.write(
            &json!({ "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params }),
        );
    }

    /// A line for the editor's log.
    pub(super) fn log(&self, text: &str) {
        let params = json!({ "type": 3, "message": text });
        self.write(&json!({ "jsonrpc": "2.0", "method": "window/logMessage", "params": params }));
    }
}

/// The file of an address; `None` if it is none on this machine.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        match (first, tail) {
            (b'%', [high, low, after @ ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = after;
            }
            _ => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The address of a file.
pub(super) fn uri_of(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/.-_~".contains(&byte);
    let encoded = path.bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    format!("file://{}", encoded.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_by_their_length() {
        let body = r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"a":1}}"#;
        let text = format!("Content-Length: {}\r\nContent-Type: x\r\n\r\n{body}", body.len());
        let message = read(&mut text.as_bytes()).unwrap().unwrap();
        assert_eq!((message.id, &*message.method), (Some(7.into()), "initialize"));
        assert_eq!(message.params["a"], 1);
        assert!(read(&mut &b""[..]).unwrap().is_none());
        assert!(read(&mut &b"Content-Length: x\r\n\r\n"[..]).is_err());
    }

    #[test]
    fn addresses_name_files() {
        let path = "/tmp/a b/ü.c";
        assert_eq!(path_of(&uri_of(path)).unwrap(), PathBuf::from(path));
        assert_eq!(path_of("untitled:1"), None);
    }
}
