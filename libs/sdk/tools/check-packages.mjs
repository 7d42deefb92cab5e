// `npm run packages:check [-- --attw]`: builds the packages, lints them as npm sees them (publint, and attw where it may be
// downloaded), installs their tarballs into an empty project without a network, runs and compiles programs there, and
// holds the sizes to their bars. Exit code 1 when anything of it fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { publint } from 'publint';
import { buildPackage, buildProgram, PACKAGES } from './build-packages.mjs';
import { otherRuntimes } from './other-runtimes.mjs';

const ROOT = join(import.meta.dirname, '../../..');
const ATTW = '@arethetypeswrong/cli@0.18.5';
/** Bytes of `import { NAME }`, minified and compressed. rule: docs/decisions/sdk.md#sizes */
const BARS = [
  ['@tasktree/sdk', 'Marketplace', 25 * 1024],
  ['@tasktree/prepared-action', 'verifyPreparedAction', 15 * 1024],
  ['@tasktree/prepared-action', 'matchCode', 4 * 1024],
];
/** The packages that are libraries, and the one that is a program. */
const PUBLISHED = [...Object.keys(PACKAGES), 'cli'];
const STARTS = 5;
const faults = [];
const say = (line) => process.stdout.write(`${line}\n`);

function run(cwd, command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) faults.push(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout.trim();
}

/** Tarballs of the packages and of what they depend on, made of what is installed here. */
function packed(folder) {
  const places = [...PUBLISHED.map((name) => `libs/${name}`), ...depended()];
  return places.map((place) =>
    join(folder, run(join(ROOT, place), 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder)),
  );
}

function depended() {
  const read = (place) => JSON.parse(readFileSync(join(ROOT, place, 'package.json'), 'utf8')).dependencies ?? {};
  const names = Object.keys(read('libs/sdk'));
  for (const name of names)
    names.push(...Object.keys(read(`node_modules/${name}`)).filter((one) => !names.includes(one)));
  return names.map((name) => `node_modules/${name}`);
}

const ESM = `import { Marketplace, matchCode } from '@tasktree/sdk';
import { commandWallet } from '@tasktree/sdk/node';
import { FakeMarket } from '@tasktree/sdk/testing';
import { verifyPreparedAction } from '@tasktree/prepared-action';
const { settings, wallet } = new FakeMarket().account('Bo');
const task = { brief: 'Translate.', budget: { amount: '60', currency: 'USDC' }, selection_mode: 'manual' };
const { status } = await new Marketplace(settings).tasks.prepareCreation(task).send(wallet);
if (status !== 'signed') process.exit(1);
new Marketplace({ baseUrl: 'https://market.example', keys: { read: 'key' } }).tasks.list();
if (verifyPreparedAction(null, { kind: 'deliver', principal: 'a' }, {}).length !== 15) process.exit(1);
if (typeof commandWallet !== 'function' || matchCode('0x' + '00'.repeat(32)) !== 'ABACUS ABACUS 00') process.exit(1);
`;
const CJS = `const { Marketplace } = require('@tasktree/sdk');
const { commandWallet } = require('@tasktree/sdk/node');
const { FakeMarket } = require('@tasktree/sdk/testing');
const { isSignable } = require('@tasktree/prepared-action');
new Marketplace(new FakeMarket().account('Bo').settings).tasks.list();
if (isSignable([]) || typeof commandWallet !== 'function') process.exit(1);
`;
const TYPED = `import { Marketplace, type MarketError } from '@tasktree/sdk';
import { type FakeAccount, FakeMarket } from '@tasktree/sdk/testing';
const market = new Marketplace({ baseUrl: 'https://market.example', accessToken: () => 'token' });
export async function titles(): Promise<(string | undefined)[]> {
  return (await market.tasks.list({ status: 'open' }).toArray({ limit: 10 })).map(({ title }) => title);
}
export const isGone = (error: MarketError): boolean => error.code === 'not_found';
export const own = (account: FakeAccount): Marketplace => new Marketplace(account.settings);
new FakeMarket().answerNext(429, 'rate_limited', 'listTasks');
// @ts-expect-error No list without a limit.
void market.tasks.list().toArray();
`;
const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom'],
    types: [],
    strict: true,
    noEmit: true,
  },
  files: ['typed.ts'],
};

/** Installs the tarballs where nothing else is, and uses them. */
function tryInstalled(folder, tarballs) {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', ...tarballs);
  const programs = {
    'program.mjs': ESM,
    'program.cjs': CJS,
    'typed.ts': TYPED,
    'tsconfig.json': JSON.stringify(TSCONFIG),
  };
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
  run(folder, process.execPath, 'program.mjs');
  run(folder, process.execPath, 'program.cjs');
  run(folder, process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.');
}

/** The same programs where they may run as well. */
function tryElsewhere(folder) {
  for (const { name, command, missing } of otherRuntimes(folder)) {
    if (command === undefined) {
      say(`${name}: not tried, ${missing}`);
      continue;
    }
    const before = faults.length;
    for (const program of ['program.mjs', 'program.cjs']) run(folder, ...command, program);
    if (faults.length === before) say(`${name}: runs both forms`);
  }
}

/** Starts the program as npm has installed it, and says how long the fastest start took: the others waited for a processor. */
function tryProgram(folder) {
  const program = join(folder, 'node_modules/.bin/tasktree');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'libs/cli/package.json'), 'utf8'));
  const times = Array.from({ length: STARTS }, () => {
    const begun = performance.now();
    if (run(folder, program, '--version') !== version) faults.push('tasktree --version says another version');
    return performance.now() - begun;
  });
  say(`tasktree --version: ${Math.round(Math.min(...times))} ms, the fastest of ${STARTS} starts`);
  const action = join(ROOT, 'libs/prepared-action/vectors/honest.json');
  const [{ action: honest, context }] = JSON.parse(readFileSync(action, 'utf8'));
  for (const [name, value] of Object.entries({ action: honest, deployment: context.deployment })) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
  }
  // Its time is over, and it says so: exit code 1, with the whole report.
  const { status, stdout } = spawnSync(program, ['verify', 'action.json', '--deployment', 'deployment.json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 1 || JSON.parse(stdout || '{}').checks?.length !== 15)
    faults.push(`tasktree verify ended with ${status}`);
}

async function measure(folder, [name, what, most]) {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${what} } from '${name}';`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const bytes = gzipSync(outputFiles[0].contents, { level: 9 }).length;
  say(`import { ${what} } from '${name}': ${bytes} of ${most} bytes (esbuild, minified, gzip)`);
  if (bytes > most) faults.push(`${what} has ${bytes} bytes, more than ${most}`);
}

const folder = mkdtempSync(join(tmpdir(), 'tasktree-packages-'));
try {
  for (const name of PUBLISHED) {
    await (name === 'cli' ? buildProgram(join(ROOT, 'libs/cli/dist')) : buildPackage(name));
    const { messages } = await publint({ pkgDir: join(ROOT, 'libs', name), strict: true });
    for (const message of messages) faults.push(`publint, ${name}: ${JSON.stringify(message)}`);
  }
  const tarballs = packed(folder);
  if (process.argv.includes('--attw')) {
    for (const tarball of tarballs.slice(0, Object.keys(PACKAGES).length)) run(folder, 'npx', '--yes', ATTW, tarball);
  }
  tryInstalled(folder, tarballs);
  tryElsewhere(folder);
  tryProgram(folder);
  for (const bar of BARS) await measure(folder, bar);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults) say(fault);
say(faults.length === 0 ? 'The packages are as they should be.' : `${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;
