'use strict';
// Builds `dist` when a source is newer than it, and otherwise does nothing, so that a start does not wait for the two
// compilers: one builds the service, the other the scripts of its pages. A bundler makes the files that are started, of the
// built service and of the command line. Runs at the end of `npm ci` and before every start. Does nothing where the
// compilers are not installed.
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

const BUNDLE = 'src/dev/bundle-service.mjs';
const BUNDLED = path.join(ROOT, 'dist/service/.built');
/** The packages are in it: what npm installs anew is newer than it. */
const BUNDLE_SOURCES = ['dist/.tsbuildinfo', 'node_modules/.package-lock.json', BUNDLE];

const WEB = 'src/web';
const WEB_BUILT = path.join(ROOT, 'dist/web/.built');
const WEB_SOURCES = [
  WEB,
  'libs/notation/src',
  'libs/prepared-action/src',
  'libs/approval-wire/src',
  'libs/kernel/src',
  'vite.config.ts',
  'package.json',
];
/** Each mode of vite.config.ts and its entry file. */
const WEB_ENTRIES = {
  approval: 'src/web/approval/approval.main.tsx',
  'approval-fixtures': 'src/web/approval-fixtures/approval-fixtures.main.tsx',
  deployment: 'src/web/deployment/deployment.main.ts',
  'test-wallet': 'src/web/test-wallet/test-wallet.main.ts',
  'wallet-sign-in': 'src/web/sign-in/wallet-sign-in.main.ts',
};

/** The program `tasktree`, for the demo and for whoever tries the local market. */
const CLI_BUILT = path.join(ROOT, 'libs/cli/dist/tasktree.js');
const CLI_SOURCES = [
  'libs/cli/src',
  'libs/sdk/src',
  'libs/sdk/tools',
  'libs/notation/src',
  'libs/prepared-action/src',
  'package.json',
];

/**
 * Modification time of the newest file below a path, in milliseconds since the epoch; 0 for a path that does not exist.
 * `leftOut` is a path to skip: the other compiler builds it.
 */
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

/** Path of a file in an installed package; null when the package is not installed. */
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
  const startedAt = new Date();
  const status = run(compiler, 'build');
  // The compiler does not touch its record when only file times have changed.
  if (status === 0) utimesSync(BUILT, startedAt, startedAt);
  return status;
}

function bundleService() {
  if (isFresh(BUNDLED, BUNDLE_SOURCES)) return 0;
  const startedAt = new Date();
  const status = run(BUNDLE);
  if (status === 0) record(BUNDLED, startedAt);
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
  record(WEB_BUILT, startedAt);
  return 0;
}

/** A build's record has the time of its start, so that a source changed during the build is newer than it. */
function record(file, startedAt) {
  writeFileSync(file, '');
  utimesSync(file, startedAt, startedAt);
}

function buildCli() {
  return isFresh(CLI_BUILT, CLI_SOURCES) ? 0 : run('libs/sdk/tools/build-packages.mjs', '--program');
}

const nest = find('@nestjs/cli', 'bin/nest.js');
const vite = find('vite', 'bin/vite.js');
if (nest !== null && vite !== null) {
  process.exitCode = buildService(nest) || bundleService() || buildPages(vite) || buildCli();
}
