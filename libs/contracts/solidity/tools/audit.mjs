#!/usr/bin/env node
// Runs the audits of the contract whose tools npm does not carry, and the long runs. `npm test` needs none of them.
//
//   npm run contracts:audit                          slither, halmos, a sample of 60 mutants
//   npm run contracts:audit -- --all                 every mutant, and audit/mutation.json is written
//   npm run contracts:audit -- --mutants 200 --seed 7
//   npm run contracts:audit -- --histories 10000     the differential run too
//   npm run contracts:audit -- --only slither        one part: slither, halmos, mutation, deletions or histories
//   npm run contracts:audit -- --only deletions      deletes each check of audit/deletions.json: its proof must fail
//   npm run contracts:audit -- --quick               a sample of 20 mutants, and the checks that halmos decides in seconds
//
// Slither and halmos come from PyPI, with exact versions, into node_modules/.cache/contracts-audit; `--python DIR`
// names a virtual environment that has them already.
// Exit status: 0 clean, 1 a finding or a part that failed, 2 neither, but the tools of a part could not be had.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDeletions } from './audit/deletions.mjs';
import { QUICK, runHalmos } from './audit/halmos.mjs';
import { PACKAGES, preparePython } from './audit/python.mjs';
import { runSlither } from './audit/slither.mjs';
import { AUDIT_CACHE, PROJECT } from './project-copy.mjs';

const REPOSITORY = join(PROJECT, '..', '..', '..');
const version = (name) => `${name} ${PACKAGES[name]}`;

/** Runs a program that prints a report, and returns its status with the printed lines. */
function report(command, args, detailOf) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const warnings = stderr.split('\n').filter((line) => line.startsWith('warning:'));
  const lines = [...warnings, ...stdout.trim().split('\n')];
  if (status === 0 || status === 1)
    return { status: status === 0 ? 'clean' : 'finding', detail: detailOf(lines), lines: lines.slice(0, -1) };
  return { status: 'failed', detail: 'the run itself failed', lines: [...lines.slice(-5), stderr.slice(-2000)] };
}

function runMutation({ all, mutants, seed, threads }) {
  const choice = all ? ['--all'] : ['--mutants', mutants, '--seed', seed];
  return report(process.execPath, [join(PROJECT, 'tools', 'mutate.mjs'), ...choice, '--threads', threads], (lines) => {
    const { tried, killed, explained, score } = JSON.parse(lines.at(-1));
    const sampled = all ? '' : ` (sample, seed ${seed})`;
    return `${tried} mutants${sampled}: ${killed} killed, ${explained} explained, score ${score} %`;
  });
}

function runHistories({ histories, seed }) {
  const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
  if (scripts['contracts:differential'] === undefined)
    return { status: 'failed', detail: 'there is no script contracts:differential', lines: [] };
  const args = ['run', '--silent', 'contracts:differential', '--', '--histories', histories, '--seed', seed];
  const result = report('npm', args, (lines) => lines.find((line) => line.includes(' histories, ')) ?? lines.at(-1));
  return result.status === 'clean' ? { ...result, lines: [] } : result;
}

/** Prints rows as a table whose columns are as wide as their longest cell. */
function print(rows) {
  const cells = [
    ['part', 'result', 'seconds', 'detail'],
    ...rows.map((r) => [r.part, r.result, `${r.seconds}`, r.detail]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  for (const line of cells)
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd()}\n`,
    );
}

function main() {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      histories: { type: 'string' },
      mutants: { type: 'string' },
      only: { type: 'string' },
      python: { type: 'string' },
      quick: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      threads: { type: 'string', default: '2' },
    },
  });
  let python;
  const withPython = (run, folder) => () => {
    python ??=
      values.python === undefined ? preparePython(join(AUDIT_CACHE, 'python')) : { bin: join(values.python, 'bin') };
    if (python.bin !== undefined && !existsSync(python.bin))
      return { status: 'failed', detail: `${python.bin} is not there`, lines: [] };
    if (python.missing !== undefined) return { status: 'missing', detail: python.missing, lines: [] };
    return run(python.bin, join(AUDIT_CACHE, folder));
  };
  const parts = {
    slither: [version('slither-analyzer'), withPython(runSlither, 'slither')],
    halmos: [
      version('halmos'),
      withPython((bin, work) => runHalmos(bin, work, values.quick ? QUICK : undefined), 'halmos'),
    ],
    mutation: ['mutation', () => runMutation({ ...values, mutants: values.mutants ?? (values.quick ? '20' : '60') })],
  };
  if (values.only === 'deletions') {
    const tell = (line) => process.stderr.write(`${line}\n`);
    parts.deletions = ['deletions', withPython((bin, work) => runDeletions(bin, work, tell), 'deletions')];
  }
  if (values.histories !== undefined) parts.histories = ['differential', () => runHistories(values)];
  if (values.only !== undefined && parts[values.only] === undefined) throw new Error(`no part ${values.only}`);
  const rows = [];
  for (const [part, [title, run]] of Object.entries(parts)) {
    if (values.only !== undefined && part !== values.only) continue;
    const started = performance.now();
    const { status, detail, lines } = run();
    for (const line of lines) process.stdout.write(`  ${line}\n`);
    rows.push({ part: title, result: status, detail, seconds: Math.round((performance.now() - started) / 1000) });
  }
  print(rows);
  if (rows.some(({ result }) => result === 'finding' || result === 'failed')) return 1;
  return rows.some(({ result }) => result === 'missing') ? 2 : 0;
}

process.exitCode = main();
