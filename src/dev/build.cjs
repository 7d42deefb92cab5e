'use strict';
// Builds `dist` when a source is newer than it, and does nothing otherwise, so that a start does not wait for the
// compilers: one for the service, one for the scripts of its pages. Runs at the end of `npm ci` and before every start;
// an installation without the compilers is left alone.
const { existsSync, readdirSync, statSync, utimesSync, writeFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const ROOT = path.join(__dirname, '../..');
const BUILT = path.join(ROOT, 'dist/.tsbuildinfo');
const SOURCES = [
  'src',
  'libs/kernel',
  'libs/notation',
  'libs/text-search',
  'libs/prepared-action/src',
  'libs/approval-wire',
  'libs/contracts/src',
  'ormconfig.ts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

const WEB = 'src/web';
const WEB_BUILT = path.join(ROOT, 'dist/web/.built');
const WEB_SOURCES = [
  WEB,
  'libs/notation/src',
  'libs/prepared-action',
  'libs/approval-wire/src',
  'libs/kernel/src',
  'vite.config.ts',
  'package.json',
];
/** Modes of vite.config.ts, and the file that each begins with. */
const WEB_ENTRIES = {
  approval: 'src/web/approval/approval.main.tsx',
  'approval-fixtures': 'src/web/approval-fixtures/approval-fixtures.main.tsx',
  'test-wallet': 'src/web/test-wallet/test-wallet.main.ts',
};

/** Time of the newest file below a path, milliseconds since the epoch; what the other compiler builds is left out. */
function newest(place, leftOut) {
  if (place === leftOut || !existsSync(place)) return 0;
  const stat = statSync(place);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(place).map((name) => newest(path.join(place, name), leftOut)));
}

function isFresh(record, sources, leftOut) {
  if (!existsSync(record)) return false;
  const builtAt = statSync(record).mtimeMs;
  return sources.every((source) => newest(path.join(ROOT, source), leftOut) <= builtAt);
}

/** A file of an installed package; null where the package is not installed. */
function find(name, file) {
  try {
    return path.join(path.dirname(require.resolve(`${name}/package.json`, { paths: [ROOT] })), file);
  } catch {
    return null;
  }
}

function run(file, ...args) {
  const { status } = spawnSync(process.execPath, [file, ...args], { cwd: ROOT, stdio: 'inherit' });
  return status ?? 1;
}

function buildService(compiler) {
  const isBuilt = existsSync(path.join(ROOT, 'dist/src/main.js'));
  if (isBuilt && isFresh(BUILT, SOURCES, path.join(ROOT, WEB))) return 0;
  const status = run(compiler, 'build');
  // The compiler leaves its record alone when nothing but times has changed.
  if (status === 0) utimesSync(BUILT, new Date(), new Date());
  return status;
}

function buildPages(compiler) {
  if (isFresh(WEB_BUILT, WEB_SOURCES)) return 0;
  const startedAt = new Date();
  for (const [mode, entry] of Object.entries(WEB_ENTRIES)) {
    if (!existsSync(path.join(ROOT, entry))) continue;
    const status = run(compiler, 'build', '--mode', mode);
    if (status !== 0) return status;
  }
  writeFileSync(WEB_BUILT, '');
  // A source that changed while it was read is newer than the record.
  utimesSync(WEB_BUILT, startedAt, startedAt);
  return 0;
}

const nest = find('@nestjs/cli', 'bin/nest.js');
const vite = find('vite', 'bin/vite.js');
if (nest !== null && vite !== null) process.exitCode = buildService(nest) || buildPages(vite);
