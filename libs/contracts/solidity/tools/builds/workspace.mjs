// A copy of the forge project in which the tests take the escrow's code from the artifacts on disk. The tests are then
// compiled once, and a mutant is tried by putting its code there: forge sees no changed source and compiles nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { forgeExecutable } from '../forge-executable.mjs';
import { PROJECT, copyProject } from '../project-copy.mjs';
import { DEPLOYED } from './compiler.mjs';

/**
 * Contracts whose code the tests take from the artifacts, by source name: what is deployed, and the wallet whose check of a
 * signature is a part of the gas that is measured.
 */
export const INSTALLED = { ...DEPLOYED, 'test/mocks/Wallets.sol': 'OwnedWallet' };

/** Tests that are tried one after the other until one fails; the second stage is slow and only sees what is left. */
const STAGES = [
  { path: 'test/{unit,scenario,mutation}/**', fuzzRuns: 8 },
  { path: 'test/{invariant,differential}/**', fuzzRuns: 8, invariantRuns: 4 },
];

/** Time after which a run counts as stuck. Far above what a busy machine needs, as a stuck mutant counts as killed. */
const STUCK_AFTER_MS = 10 * 60_000;

/** Committed gas of whole transactions, below the project. */
const SNAPSHOTS = join('test', 'gas', 'snapshots');

/** In a workspace that is whole: what it was made of. */
const STAMP = 'prepared.txt';

/** Text between the bracket at `open` and the one that closes it. */
function bracketed(text, open) {
  let depth = 0;
  for (let at = open; at < text.length; ++at) {
    if (text[at] === '(') ++depth;
    if (text[at] === ')' && --depth === 0) return text.slice(open + 1, at);
  }
  throw new Error('a bracket is not closed');
}

/** `new TaskEscrow(x)` becomes a deployment of the code that lies in the artifact. */
export function deployFromArtifacts(text) {
  let result = text;
  for (const [source, contract] of Object.entries(INSTALLED)) {
    const creation = `new ${contract}(`;
    for (let at = result.indexOf(creation); at >= 0; at = result.indexOf(creation, at + 1)) {
      const open = at + creation.length - 1;
      const inner = bracketed(result, open);
      const deployed = `${contract}(vm.deployCode("${basename(source)}:${contract}", abi.encode(${inner})))`;
      result = result.slice(0, at) + deployed + result.slice(open + inner.length + 2);
    }
  }
  return result;
}

function eachSolidityFile(folder, visit) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) eachSolidityFile(path, visit);
    else if (entry.name.endsWith('.sol')) visit(path);
  }
}

/** Hash of all files in these folders, and of these files. */
function contentHash(paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(`${path}\n`).update(readFileSync(path));
  };
  paths.forEach(add);
  return hash.digest('hex');
}

/**
 * The configuration with a limit on gas, which ends mutants that loop without end, and without the optimizer: it takes
 * most of the compiler's time, and what is tested comes from elsewhere.
 */
function forTests(configuration) {
  return configuration
    .replace(/^gas_limit = .*$/m, 'gas_limit = 2_000_000_000')
    .replace(/^optimizer = .*$/m, 'optimizer = false');
}

export class Workspace {
  /** @param {string} folder made anew by {@link prepare} */
  constructor(folder) {
    this.folder = folder;
  }

  /**
   * Copies sources and tests and compiles them, unless that was done before. Several processes may do it at once: nothing
   * is in the folder before it is whole. What runs them must run them in a copy. Throws when they do not compile.
   * @param {string} [tests] folder of the tests
   */
  prepare(tests = join(PROJECT, 'test')) {
    const made = contentHash([join(PROJECT, 'src'), tests, join(PROJECT, 'foundry.toml')]);
    const wanted = `${made} ${Object.values(INSTALLED).join(' ')}`;
    if (this.#isPrepared(wanted)) return;
    const own = new Workspace(`${this.folder}.${process.pid}`);
    try {
      own.#compile(tests, wanted);
      // Another process may have been faster, and be at work with what it made.
      if (this.#isPrepared(wanted)) return;
      rmSync(this.folder, { recursive: true, force: true });
      renameSync(own.folder, this.folder);
    } finally {
      rmSync(own.folder, { recursive: true, force: true });
    }
  }

  #isPrepared(wanted) {
    const stamp = join(this.folder, STAMP);
    return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  }

  #compile(tests, stamp) {
    copyProject(this.folder, ['src'], forTests);
    cpSync(tests, join(this.folder, 'test'), { recursive: true });
    eachSolidityFile(join(this.folder, 'test'), (path) => {
      const text = readFileSync(path, 'utf8');
      const changed = deployFromArtifacts(text);
      if (changed !== text) writeFileSync(path, changed);
    });
    const built = this.#forge(['build'], {}, 15 * 60_000);
    if (built.status !== 0) throw new Error(`the tests do not compile:\n${built.stdout}${built.stderr}`);
    writeFileSync(join(this.folder, STAMP), stamp);
  }

  /** A second workspace with the same tests, without compiling them again. */
  copyTo(folder) {
    rmSync(folder, { recursive: true, force: true });
    cpSync(this.folder, folder, { recursive: true });
    return new Workspace(folder);
  }

  /** Puts code in the place of the compiled contracts, by name; of those that are not named it leaves what is there. */
  install(code) {
    for (const [source, contract] of Object.entries(INSTALLED)) {
      if (code[contract] === undefined) continue;
      const { creation, runtime } = code[contract];
      const path = join(this.folder, 'out', basename(source), `${contract}.json`);
      const artifact = JSON.parse(readFileSync(path, 'utf8'));
      artifact.bytecode.object = creation;
      artifact.deployedBytecode.object = runtime;
      writeFileSync(path, JSON.stringify(artifact));
    }
  }

  /**
   * Runs the tests until one fails.
   * @param {string} [guess] test file that is tried before all others
   * @returns {{ test: string, file?: string } | null} the failed test, null if all passed
   */
  firstFailure(guess) {
    const stages = guess === undefined ? STAGES : [{ ...STAGES[0], path: guess }, ...STAGES];
    for (const { path, fuzzRuns, invariantRuns } of stages) {
      const env = { FOUNDRY_FUZZ_RUNS: String(fuzzRuns), FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0' };
      if (invariantRuns !== undefined) env.FOUNDRY_INVARIANT_RUNS = String(invariantRuns);
      this.#forgetFailures();
      const args = ['test', '--fail-fast', '--threads', '1', '--match-path', path];
      const { status, stdout, stderr, error } = this.#forge(args, env, STUCK_AFTER_MS);
      if (error?.code === 'ETIMEDOUT') return { test: 'stuck' };
      if (status === 0) continue;
      const test = /^\[FAIL[^\n]*\] (\w+)\(/m.exec(stdout)?.[1] ?? /^\[FAIL/m.exec(stdout)?.[0];
      if (test === undefined) throw new Error(`forge ended with ${status}:\n${stdout.slice(-2000)}${stderr}`);
      return { test, file: /^Encountered \d+ failing tests? in ([^:\s]+):/m.exec(stdout)?.[1] };
    }
    return null;
  }

  /**
   * Runs all tests of these files, as many at once as there are processors, and shows what forge prints.
   * @param {string} path glob of test files
   * @returns {number} forge's exit status, 2 if it was ended
   */
  runAll(path) {
    return this.#runShown(['test', '--match-path', path], {});
  }

  /**
   * Measures whole transactions and compares their gas with the committed snapshots.
   * @param {boolean} write takes what was measured for the new snapshots instead
   * @returns {number} forge's exit status, 2 if it was ended
   */
  measureGas(write) {
    const env = { FOUNDRY_ISOLATE: 'true', FOUNDRY_NO_MATCH_PATH: 'none' };
    if (!write) env.FORGE_SNAPSHOT_CHECK = 'true';
    const status = this.#runShown(['test', '--match-path', 'test/gas/*'], env);
    if (write && status === 0)
      cpSync(join(this.folder, SNAPSHOTS), join(PROJECT, SNAPSHOTS), { recursive: true, force: true });
    return status;
  }

  #runShown(args, env) {
    this.#forgetFailures();
    const { status } = spawnSync(forgeExecutable(), args, {
      ...this.#place(env),
      stdio: 'inherit',
      timeout: 30 * 60_000,
    });
    return status ?? 2;
  }

  /** Forge replays remembered failures first, and a failure of other code must not count against this one. */
  #forgetFailures() {
    rmSync(join(this.folder, 'cache', 'invariant'), { recursive: true, force: true });
    rmSync(join(this.folder, 'cache', 'fuzz'), { recursive: true, force: true });
  }

  #forge(args, env, timeout) {
    return spawnSync(forgeExecutable(), args, {
      ...this.#place({ ...env, NO_COLOR: '1' }),
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      timeout,
      killSignal: 'SIGKILL',
    });
  }

  /** Where forge runs: this folder, with the settings of the tests whatever profile the caller has. */
  #place(env) {
    return { cwd: this.folder, env: { ...process.env, ...env, FOUNDRY_PROFILE: 'default' } };
  }
}
