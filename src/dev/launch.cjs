'use strict';
// Runs before anything else is loaded, also on old versions of Node: no imports of our own and no modern syntax. `node
// src/dev/launch.cjs <file under dist>` runs the file, or says in one sentence what is missing.
var NEEDED = [20, 19];

function refuse(sentence) {
  process.stderr.write(sentence + '\n');
  process.exit(1);
}

var version = process.versions.node.split('.').map(Number);
if (version[0] < NEEDED[0] || (version[0] === NEEDED[0] && version[1] < NEEDED[1])) {
  refuse(
    'Node ' +
      process.versions.node +
      ' is running, Tasktree needs 20.19 or newer (24 recommended): install it, for ' +
      'example with `nvm install 24`, and start again.',
  );
}

var path = require('node:path');
var target = process.argv[2] === undefined ? undefined : path.resolve(process.argv[2]);
// Without a file it only checks the version, for `prestart`.
if (target !== undefined) {
  if (!require('node:fs').existsSync(target)) {
    refuse(
      'The program is not built (' + path.relative(process.cwd(), target) + ' is missing): run `npm run build` first.',
    );
  }
  process.argv.splice(1, 2, target);
  import(require('node:url').pathToFileURL(target).href).catch(function (error) {
    process.stderr.write((error && error.stack ? error.stack : String(error)) + '\n');
    process.exit(1);
  });
}
