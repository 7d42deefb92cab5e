#!/usr/bin/env node
// Presents the WebAssembly compiler of the npm package "solc" as the command that forge expects. Forge needs only two
// forms of it: `--version`, and `--standard-json` from stdin to stdout with `--base-path` and `--allow-paths`.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const compilerFolder = path.dirname(require.resolve('solc/package.json'));
const { version: packageVersion } = require('solc/package.json');

/** Loading the compiler takes half a second and forge asks for the version several times a run: remember it. */
function compilerVersion() {
  const memo = path.join(__dirname, '..', 'cache', `solc-${packageVersion}.version`);
  if (fs.existsSync(memo)) return fs.readFileSync(memo, 'utf8');
  const version = require(compilerFolder).version();
  fs.mkdirSync(path.dirname(memo), { recursive: true });
  // Another forge may read it at this moment: it is there as a whole, or not at all.
  const own = `${memo}.${process.pid}`;
  fs.writeFileSync(own, version);
  fs.renameSync(own, memo);
  return version;
}

/** The value that follows an option on the command line, or the fallback. */
function option(name, fallback) {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : process.argv[at + 1];
}

/** Reads a source that forge did not send along, as the native compiler does: below the allowed folders only. */
function readImport(name) {
  const file = path.resolve(option('--base-path', process.cwd()), name);
  const allowed = option('--allow-paths', '').split(',').filter(Boolean);
  if (!allowed.some((folder) => file.startsWith(folder + path.sep)))
    return { error: `${name} is outside the allowed paths` };
  try {
    return { contents: fs.readFileSync(file, 'utf8') };
  } catch (error) {
    return { error: String(error) };
  }
}

if (process.argv.includes('--version')) {
  // Forge only accepts the platform names of native builds.
  const version = compilerVersion().replace('Emscripten.clang', 'Linux.g++');
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`);
} else {
  process.stdout.write(require(compilerFolder).compile(fs.readFileSync(0, 'utf8'), { import: readImport }));
}
