// Tries mutants, one at a time, in a thread with its own compiler and its own workspace.
import { parentPort, workerData } from 'node:worker_threads';
import { loadCompiler, readSources } from './compiler.mjs';
import { Workspace } from './workspace.mjs';

const compiler = loadCompiler();
const sources = readSources();
const workspace = new Workspace(workerData.folder);
const original = Object.fromEntries(
  ['plain', 'deployed'].map((pipeline) => [pipeline, JSON.stringify(compiler.code(sources, pipeline).code)]),
);

/** Which test file caught the last mutant of a place: it will often catch the next one too. */
const guesses = new Map();

/** What became of a mutant: `invalid`, `same-code`, `killed` (with the test that failed) or `survived`. */
function attempt({ file, place, source }) {
  const mutated = { ...sources, [file]: { content: source } };
  const plain = compiler.code(mutated);
  if (plain.error !== undefined) return { status: 'invalid' };
  if (JSON.stringify(plain.code) === original.plain) return { status: 'same-code' };
  workspace.install(plain.code);
  const failure = workspace.firstFailure(guesses.get(`${file}|${place}`));
  if (failure !== null) {
    if (failure.file !== undefined) guesses.set(`${file}|${place}`, failure.file);
    return { status: 'killed', by: failure.test };
  }
  // The optimiser undoes many changes: such a mutant has the same deployed code as the original.
  const deployed = compiler.code(mutated, 'deployed');
  if (deployed.error === undefined && JSON.stringify(deployed.code) === original.deployed)
    return { status: 'same-code' };
  return { status: 'survived' };
}

parentPort.on('message', (mutant) => {
  const started = performance.now();
  const result = attempt(mutant);
  parentPort.postMessage({ id: mutant.id, ...result, ms: Math.round(performance.now() - started) });
});
parentPort.postMessage({ ready: true });
