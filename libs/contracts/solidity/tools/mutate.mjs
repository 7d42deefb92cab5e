#!/usr/bin/env node
// Mutation test of the contracts: changes their sources in every way that the operators know, one at a time, and asks the
// Foundry tests to notice. What they cannot notice has a reason in audit/mutants.md.
//
//   node tools/mutate.mjs --all                        every mutant; writes audit/mutation.json
//   node tools/mutate.mjs --mutants 60 --seed 7        a random sample of that many
//   node tools/mutate.mjs --only 0a1b2c3d4e            these mutants, comma separated, tried anew
//   node tools/mutate.mjs --all --file src/LocalUsdc.sol   every mutant of these files, comma separated
//   node tools/mutate.mjs --list                       prints the mutants and ends
//
// Further options: --threads N (default 2), --work DIR (default node_modules/.cache/contracts-audit/mutation),
// --tests DIR (default test), --retry (tries earlier survivors again, for new tests), --fresh (forgets all results).
// A stopped run goes on where it was.
// Exit status: 0 all killed or explained, 1 a survivor without a reason, 2 the run itself failed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCompiler, readSources } from './builds/compiler.mjs';
import { formatted } from './builds/formatted.mjs';
import { GENERATOR_VERSION, generateMutants, sourceHash } from './mutation/generator.mjs';
import { readLedger, summarise } from './mutation/ledger.mjs';
import { runMutants } from './mutation/run.mjs';
import { AUDIT_CACHE, PROJECT } from './project-copy.mjs';

const LEDGER = join(PROJECT, 'audit', 'mutants.md');
const SUMMARY = join(PROJECT, 'audit', 'mutation.json');
const CACHE = join(AUDIT_CACHE, 'mutation');

/** The first `size` mutants of a shuffle that depends on the seed alone. */
function sample(mutants, size, seed) {
  const rank = ({ id }) => createHash('sha256').update(`${seed}:${id}`).digest('hex');
  return mutants
    .map((mutant) => [rank(mutant), mutant])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, size)
    .map(([, mutant]) => mutant);
}

function describe({ id, file, line, place, operator, from, to }) {
  return `${id}  ${file}:${line} ${place}  ${operator}  ${from}  =>  ${to || '(nothing)'}`;
}

/** Warns when the committed summary was made from other sources or operators. */
function warnIfStale(hash) {
  const committed = existsSync(SUMMARY) ? JSON.parse(readFileSync(SUMMARY, 'utf8')) : undefined;
  if (committed?.sourceHash === hash && committed.generator === GENERATOR_VERSION) return;
  process.stderr.write('warning: the sources changed since audit/mutation.json was written; run with --all\n');
}

async function writeSummary(text) {
  writeFileSync(SUMMARY, await formatted(SUMMARY, text));
}

async function main() {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      file: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      mutants: { type: 'string', default: '60' },
      only: { type: 'string' },
      retry: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      tests: { type: 'string' },
      threads: { type: 'string', default: '2' },
      work: { type: 'string', default: CACHE },
    },
  });
  const sources = readSources();
  const compiler = loadCompiler();
  const hash = sourceHash(sources);
  const files = values.file?.split(',');
  const all = generateMutants(sources, compiler.asts(sources)).filter(
    ({ file }) => files === undefined || files.includes(file),
  );
  if (all.length === 0) throw new Error(`no mutants of ${values.file}`);
  const only = values.only?.split(',');
  if (values.list) {
    for (const mutant of all) process.stdout.write(`${describe(mutant)}\n`);
    return 0;
  }
  let mutants = values.all ? all : sample(all, Number(values.mutants), values.seed);
  if (only !== undefined) mutants = all.filter(({ id }) => only.includes(id));
  // Results hold only for the same sources and operators, so the file's name carries both.
  const name = only === undefined ? `results-v${GENERATOR_VERSION}-${hash.slice(0, 12)}` : `only-${process.pid}`;
  const resultsFile = join(values.work, `${name}.jsonl`);
  if (values.fresh) rmSync(resultsFile, { force: true });
  const results = await runMutants({
    mutants,
    folder: values.work,
    resultsFile,
    threads: Number(values.threads),
    tests: values.tests,
    retry: values.retry,
    onProgress: (done, total) => {
      if (done % 50 === 0 || done === total) process.stderr.write(`${done} of ${total} mutants\n`);
    },
  });
  const reasons = readLedger(LEDGER);
  const { unexplained, ...counts } = summarise(mutants, results, reasons);
  const killedNow = [...reasons.keys()].filter((id) => results.get(id)?.status === 'killed');
  for (const mutant of unexplained) process.stdout.write(`survived: ${describe(mutant)}\n`);
  for (const id of killedNow) process.stdout.write(`in the ledger, but killed: ${id}\n`);
  const seed = values.all || only !== undefined ? null : values.seed;
  const summary = { generator: GENERATOR_VERSION, sourceHash: hash, compiler: compiler.version, seed, ...counts };
  if (values.all && files === undefined) await writeSummary(JSON.stringify(summary));
  else warnIfStale(hash);
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  return unexplained.length === 0 ? 0 : 1;
}

main().then(
  (status) => {
    process.exitCode = status;
  },
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 2;
  },
);
