// Tries a list of mutants on several threads and appends each result to a file, so that a stopped run goes on later.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { loadCompiler, readSources } from '../builds/compiler.mjs';
import { Workspace } from '../builds/workspace.mjs';

/** Results that an earlier run has written, by mutant. The last line about a mutant counts. */
export function readResults(file) {
  const results = new Map();
  if (!existsSync(file)) return results;
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const result = JSON.parse(line);
    results.set(result.id, result);
  }
  return results;
}

/**
 * Compiles the tests once, copies them, and checks that they pass on the unchanged contract. No mutant comes to where they
 * were compiled: `npm test` copies them from there, too.
 */
function prepareWorkspaces(folder, threads, tests) {
  const compiled = new Workspace(join(folder, 'workspace-0'));
  compiled.prepare(tests);
  const first = compiled.copyTo(join(folder, 'workspace-1'));
  const { code } = loadCompiler().code(readSources());
  first.install(code);
  const failure = first.firstFailure();
  if (failure !== null) throw new Error(`${failure.test} fails on the unchanged contract`);
  const folders = [first.folder];
  for (let thread = 2; thread <= threads; ++thread)
    folders.push(first.copyTo(join(folder, `workspace-${thread}`)).folder);
  return folders;
}

/**
 * Tries every mutant that has no result yet.
 * @param {object} options
 * @param {object[]} options.mutants of {@link ./generator.mjs}
 * @param {string} options.folder where workspaces are made
 * @param {string} options.resultsFile one JSON object per line
 * @param {number} options.threads at most one per core is useful
 * @param {string} [options.tests] folder of the tests
 * @param {boolean} [options.retry] tries survivors of earlier runs again, for tests that are new since
 * @param {(done: number, total: number) => void} options.onProgress
 * @returns {Promise<Map<string, object>>} results of all mutants of the list
 */
export async function runMutants({ mutants, folder, resultsFile, threads, tests, retry = false, onProgress }) {
  mkdirSync(dirname(resultsFile), { recursive: true });
  const known = readResults(resultsFile);
  if (retry) for (const [id, { status }] of known) if (status === 'survived') known.delete(id);
  // Sorted by hash, so that the mutants that a stopped run has tried are a fair sample.
  const waiting = mutants.filter(({ id }) => !known.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const results = new Map(mutants.flatMap(({ id }) => (known.has(id) ? [[id, known.get(id)]] : [])));
  if (waiting.length === 0) return results;
  const folders = prepareWorkspaces(folder, Math.min(threads, waiting.length), tests);
  await Promise.all(
    folders.map(
      (workspace) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: { folder: workspace } });
          worker.on('error', reject);
          worker.on('exit', resolve);
          worker.on('message', (message) => {
            if (!message.ready) {
              results.set(message.id, message);
              appendFileSync(resultsFile, `${JSON.stringify(message)}\n`);
              onProgress(results.size, mutants.length);
            }
            const next = waiting.shift();
            if (next === undefined) void worker.terminate();
            else worker.postMessage(next);
          });
        }),
    ),
  );
  return results;
}
