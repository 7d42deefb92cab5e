// Tries mutants, one at a time, in a thread with its own compiler and its own workspace.
import { parentPort, workerData } from 'node:worker_threads';
import { deployedFrom, loadCompiler, readSources } from '../builds/compiler.mjs';
import { Workspace } from '../builds/workspace.mjs';

const compiler = loadCompiler();
const sources = readSources();
const workspace = new Workspace(workerData.folder);
const compiled = {};

/** The code of the unchanged sources. The deployed one takes long, and only mutants that no test notices ask for it. */
function original(pipeline) {
  compiled[pipeline] ??= compiler.code(sources, pipeline).code;
  return compiled[pipeline];
}

/** Whether code that was compiled anew is what the unchanged sources give. */
function isOriginal(code, pipeline) {
  return Object.entries(code).every(
    ([contract, { creation, runtime }]) =>
      creation === original(pipeline)[contract].creation && runtime === original(pipeline)[contract].runtime,
  );
}

/** Which test file caught the last mutant of a place: it will often catch the next one too. */
const guesses = new Map();

/** The tests of a whole file, which are tried first while there is no such guess. */
const TESTS_OF_FILE = {
  'src/LocalUsdc.sol': 'test/unit/LocalUsdc.t.sol',
  'src/offchain/UndeployedWalletCheck.sol': 'test/unit/UndeployedWalletCheck.t.sol',
};

/** What became of a mutant: `invalid`, `same-code`, `killed` (with the test that failed) or `survived`. */
function attempt({ file, place, source }) {
  const mutated = { ...sources, [file]: { content: source } };
  const contracts = deployedFrom(sources, file);
  const plain = compiler.code(mutated, 'plain', contracts);
  if (plain.error !== undefined) return { status: 'invalid' };
  if (isOriginal(plain.code, 'plain')) return { status: 'same-code' };
  workspace.install({ ...original('plain'), ...plain.code });
  const failure = workspace.firstFailure(guesses.get(`${file}|${place}`) ?? TESTS_OF_FILE[file]);
  if (failure !== null) {
    if (failure.file !== undefined) guesses.set(`${file}|${place}`, failure.file);
    return { status: 'killed', by: failure.test };
  }
  // The optimiser undoes many changes: such a mutant has the same deployed code as the original.
  const deployed = compiler.code(mutated, 'deployed', contracts);
  if (deployed.error === undefined && isOriginal(deployed.code, 'deployed')) return { status: 'same-code' };
  return { status: 'survived' };
}

parentPort.on('message', (mutant) => {
  const started = performance.now();
  const result = attempt(mutant);
  parentPort.postMessage({ id: mutant.id, ...result, ms: Math.round(performance.now() - started) });
});
parentPort.postMessage({ ready: true });
