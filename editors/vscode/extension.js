// Starts the language server and stops it; everything else is the server's.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = () => {
  const command = workspace.getConfiguration('rulekit').get('command');
  client = new LanguageClient('rulekit', 'rulekit', { command, args: ['lsp'] }, { documentSelector: [{ language: 'rulekit' }] });
  return client.start();
};

exports.deactivate = () => client && client.stop();
