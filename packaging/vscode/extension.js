// Starts `throng lsp` for C files. All that is shown comes from there.
"use strict";
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
  const settings = vscode.workspace.getConfiguration("throng");
  const server = { command: settings.get("path"), args: ["lsp", "--timeout", settings.get("timeout")] };
  client = new LanguageClient("throng", "throng", server, { documentSelector: [{ scheme: "file", language: "c" }] });
  return client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};
