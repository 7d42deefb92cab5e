// Symbolic proofs by halmos: every `check_` function of proofs/, for all inputs and from an arbitrary consistent state.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, copyProject, searchPath } from '../project-copy.mjs';

/** Time limit of one assertion; a check that exceeds it counts as not decided. */
const LIMIT_PER_ASSERTION = '300s';
const LIMIT_MS = 60 * 60_000;

/** Checks that are decided in seconds, of nonces and of money that stays. */
export const QUICK = [
  'check_aWithdrawalsNonceIsUsedOnce',
  'check_nonceUsed_followsTheVersion',
  'check_invalidateNonces_movesNoMoney',
];

/** Exit codes of one check in halmos' report. */
const OUTCOMES = { 0: 'proved', 1: 'refuted', 2: 'not decided' };

/** Names of all checks, read from the sources, so that a check that halmos leaves out is reported. */
export function expectedChecks() {
  const names = [];
  for (const file of readdirSync(join(PROJECT, 'proofs'))) {
    const text = readFileSync(join(PROJECT, 'proofs', file), 'utf8');
    for (const [, name] of text.matchAll(/^ {4}function (check_\w+)\(/gm)) names.push(name);
  }
  return names;
}

/**
 * Copies sources and proofs, to be compiled with the settings of the deployed code, so that the proofs hold for it. That takes
 * longer than some checks, so only the files that hold the named ones are left.
 * @param {string} work is emptied first
 * @param {string[]} [only] names of checks; all if none are named
 */
export function prepareProofs(work, only) {
  const adapt = (text) => text.replace(/^test = .*$/m, 'test = "proofs"\nvia_ir = true');
  copyProject(work, ['src', 'proofs', join('test', 'base', 'TypedData.sol')], adapt);
  if (only === undefined) return;
  for (const file of readdirSync(join(work, 'proofs')).filter((name) => name.endsWith('.t.sol'))) {
    const text = readFileSync(join(work, 'proofs', file), 'utf8');
    if (!only.some((name) => text.includes(`function ${name}(`))) rmSync(join(work, 'proofs', file));
  }
}

/**
 * Has halmos decide checks in a prepared folder.
 * @param {string[]} [only] names of checks; all if none are named
 * @param {boolean} [refutes] whether one counterexample is enough, so that a check ends with its first
 * @returns {{ results: { name: string, outcome: string, paths: string, seconds: string }[], failure?: string[] }} the end
 *   of what halmos printed if it gave no report
 */
export function decide(bin, work, only, refutes = false) {
  const report = join(work, 'halmos.json');
  rmSync(report, { force: true });
  // Without a time limit on the solver at branches, halmos follows no infeasible path, so loops end by themselves.
  const args = [
    '--no-status',
    '--solver-timeout-branching=0',
    `--solver-timeout-assertion=${LIMIT_PER_ASSERTION}`,
    `--json-output=${report}`,
    ...(refutes ? ['--early-exit'] : []),
    ...(only === undefined ? [] : ['--match-test', `^(${only.join('|')})\\b`]),
  ];
  const { stdout, stderr } = spawnSync(join(bin, 'halmos'), args, {
    cwd: work,
    env: { ...process.env, PATH: searchPath(bin), FOUNDRY_PROFILE: 'default', NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: LIMIT_MS,
  });
  const reported = existsSync(report);
  const tests = reported ? Object.values(JSON.parse(readFileSync(report, 'utf8')).test_results).flat() : [];
  const byName = new Map(tests.map((result) => [result.name.replace(/\(.*$/s, ''), result]));
  const results = (only ?? expectedChecks()).map((name) => {
    const result = byName.get(name);
    if (result === undefined) return { name, outcome: 'not run', paths: '?', seconds: '?' };
    const bounded = result.num_bounded_loops > 0;
    const outcome = bounded ? 'proved up to the loop bound only' : (OUTCOMES[result.exitcode] ?? 'not decided');
    return { name, outcome, paths: `${result.num_paths?.[0] ?? '?'}`, seconds: result.time?.[0]?.toFixed(0) ?? '?' };
  });
  return reported ? { results } : { results, failure: [stdout.slice(-2000), stderr.slice(-2000)] };
}

/**
 * @param {string} bin folder of halmos
 * @param {string} work folder that may be emptied
 * @param {string[]} [only] names of checks; all if none are named
 * @returns {{ status: 'clean' | 'finding' | 'failed', detail: string, lines: string[] }}
 */
export function runHalmos(bin, work, only) {
  prepareProofs(work, only);
  const { results, failure } = decide(bin, work, only);
  if (failure !== undefined) return { status: 'failed', detail: 'halmos gave no report', lines: failure };
  const proved = results.filter(({ outcome }) => outcome === 'proved').length;
  return {
    status: proved === results.length ? 'clean' : 'finding',
    detail: `${proved} of ${results.length} checks proved`,
    lines: results.map(({ name, outcome, paths, seconds }) => `${name}: ${outcome}, ${paths} paths, ${seconds} s`),
  };
}
