// Starts the language server and stops it, and plays scenarios in a terminal; everything else is the server's.
const { commands, window, workspace, Uri } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

const setting = (name) => workspace.getConfiguration('rulekit').get(name);

// `play from here`: a match in the position of the scenario, with people at all seats that the file as saved names.
const playInTerminal = async (uri, scenario) => {
  const document = await workspace.openTextDocument(Uri.parse(uri));
  await document.save();
  const args = ['run', document.uri.fsPath, '--seats', 'human', '--scenario', scenario];
  window.createTerminal({ name: scenario, shellPath: setting('command'), shellArgs: args }).show();
};

// The example that shows what the changed rules do, written behind the text that is open.
const writeDifference = () => {
  const editor = window.activeTextEditor;
  return editor && commands.executeCommand('rulekit.difference', editor.document.uri.toString());
};

exports.activate = (context) => {
  context.subscriptions.push(
    commands.registerCommand('rulekit.terminal', playInTerminal),
    commands.registerCommand('rulekit.writeScenario', writeDifference),
  );
  client = new LanguageClient('rulekit', 'rulekit', { command: setting('command'), args: ['lsp'] }, {
    documentSelector: [{ language: 'rulekit' }],
    initializationOptions: { terminal: true, options: setting('options') },
    synchronize: { configurationSection: 'rulekit' },
  });
  return client.start();
};

exports.deactivate = () => client && client.stop();
