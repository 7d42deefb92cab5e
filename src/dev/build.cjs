'use strict';
// Builds `dist` when a source is newer than it, and does nothing otherwise, so that a start does not wait for the
// compiler. Runs at the end of `npm ci` and before every start; an installation without the compiler is left alone.
const { existsSync, readdirSync, statSync, utimesSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const ROOT = path.join(__dirname, '../..');
const BUILT = path.join(ROOT, 'dist/.tsbuildinfo');
const SOURCES = [
  'src',
  'libs/kernel',
  'libs/contracts/src',
  'ormconfig.ts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Time of the newest file below a path, milliseconds since the epoch. */
function newest(place) {
  const stat = statSync(place);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(place).map((name) => newest(path.join(place, name))));
}

function isFresh() {
  if (!existsSync(BUILT) || !existsSync(path.join(ROOT, 'dist/src/main.js'))) return false;
  const builtAt = statSync(BUILT).mtimeMs;
  return SOURCES.every((source) => newest(path.join(ROOT, source)) <= builtAt);
}

function compiler() {
  try {
    return require.resolve('@nestjs/cli/bin/nest.js', { paths: [ROOT] });
  } catch {
    return null;
  }
}

const nest = compiler();
if (nest !== null && !isFresh()) {
  const { status } = spawnSync(process.execPath, [nest, 'build'], { cwd: ROOT, stdio: 'inherit' });
  // The compiler leaves its record alone when nothing but times has changed.
  if (status === 0) utimesSync(BUILT, new Date(), new Date());
  process.exitCode = status ?? 1;
}
