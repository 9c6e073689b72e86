//! `throng lsp`: a language server over stdin and stdout, for editors.
//!
//! When a C program or a Boolean program is opened or saved, `throng check` looks at the file on disk, in a process of its own, so
//! that a newer save ends it. An error is a diagnostic at its line, with the steps that lead to it as related places; what a proof
//! says at a line is shown when somebody points there. Nothing is sent anywhere.
//!
//! * `rpc`: messages; `run`: one look at a file; `show`: what was found, as editors want it.

mod rpc;
mod run;
mod show;

use crate::exit::Exit;
use rpc::{Incoming, Writer};
use run::{Look, Seen};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// What happens to the server.
enum Event {
    /// The editor says something.
    Said(Incoming),
    /// The editor has gone.
    Gone,
    /// A look at a file has ended.
    Seen(Box<Seen>),
}

/// Runs until the editor says `exit`, or goes away.
pub(crate) fn run(timeout: Duration) -> Exit {
    let (sender, receiver) = channel();
    let reader = sender.clone();
    std::thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        while let Ok(Some(message)) = rpc::read(&mut stdin) {
            if reader.send(Event::Said(message)).is_err() {
                return;
            }
        }
        // Nobody listens any more if this fails.
        let _ = reader.send(Event::Gone);
    });
    let server = Server {
        writer: Writer,
        sender,
        timeout,
        looks: BTreeMap::new(),
        facts: BTreeMap::new(),
        asked_to_end: false,
    };
    server.serve(&receiver)
}

struct Server {
    writer: Writer,
    sender: Sender<Event>,
    timeout: Duration,
    /// The looks that are going on, by file.
    looks: BTreeMap<String, Look>,
    /// What proofs say, by file and line.
    facts: BTreeMap<String, BTreeMap<u32, Vec<String>>>,
    asked_to_end: bool,
}

impl Server {
    fn serve(mut self, receiver: &Receiver<Event>) -> Exit {
        while let Ok(event) = receiver.recv() {
            match event {
                Event::Gone => break,
                Event::Seen(seen) => self.tell(*seen),
                Event::Said(message) if message.method == "exit" => {
                    return if self.asked_to_end { Exit::Success } else { Exit::Usage };
                }
                Event::Said(message) => self.answer(&message),
            }
        }
        Exit::Usage
    }

    fn answer(&mut self, message: &Incoming) {
        let document = || message.params["textDocument"]["uri"].as_str().map(str::to_owned);
        match &*message.method {
            "initialize" => self.writer.reply(message, capabilities()),
            "shutdown" => {
                self.looks.clear();
                self.asked_to_end = true;
                self.writer.reply(message, Value::Null);
            }
            "textDocument/didOpen" | "textDocument/didSave" => {
                if let Some(uri) = document() {
                    self.look(uri);
                }
            }
            "textDocument/didClose" => {
                if let Some(uri) = document() {
                    self.looks.remove(&uri);
                    self.facts.remove(&uri);
                    self.writer.diagnose(&uri, Vec::new());
                }
            }
            "textDocument/hover" => {
                let line = message.params["position"]["line"].as_u64().unwrap_or(u64::MAX);
                let facts = document().and_then(|uri| self.facts.get(&uri)?.get(&(line as u32 + 1)).cloned());
                self.writer.reply(message, facts.map_or(Value::Null, |facts| show::hover(&facts)));
            }
            method if message.id.is_some() => {
                self.writer.refuse(message, &format!("`{method}` is not supported"));
            }
            _ => {}
        }
    }

    /// Looks at a file, and forgets a look that is going on.
    fn look(&mut self, uri: String) {
        let Some(file) = rpc::path_of(&uri) else { return };
        self.looks.remove(&uri);
        let sender = self.sender.clone();
        let look = Look::start(uri.clone(), file, self.timeout, move |seen| {
            // The server has ended if this fails.
            let _ = sender.send(Event::Seen(Box::new(seen)));
        });
        match look {
            Ok(look) => {
                self.looks.insert(uri, look);
            }
            Err(error) => self.writer.log(&format!("throng cannot be started: {error}")),
        }
    }

    fn tell(&mut self, seen: Seen) {
        let is_newest = self.looks.get(&seen.uri).is_some_and(|look| look.number == seen.number);
        if !is_newest {
            return;
        }
        self.looks.remove(&seen.uri);
        self.facts.insert(seen.uri.clone(), show::facts(&seen));
        self.writer.diagnose(&seen.uri, show::diagnostics(&seen));
        self.writer.log(&show::sentence(&seen));
    }
}

fn capabilities() -> Value {
    json!({
        "capabilities": {
            "textDocumentSync": { "openClose": true, "change": 0, "save": { "includeText": false } },
            "hoverProvider": true,
        },
        "serverInfo": { "name": "throng", "version": env!("CARGO_PKG_VERSION") },
    })
}
