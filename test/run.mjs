#!/usr/bin/env node
// `npm test`: all specs, and the tests of the contracts.
//
// The specs with a database or a market wait for processes, blocks and pages half of their time. The unit tests wait for
// nothing, so they run beside them with the processor time that is left, and what they print follows at the end. Forge runs
// alone: its threads wait for each other by asking, and beside others took fifteen times as much processor time.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const JEST = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin', 'jest.js');
const CONTRACTS = join(ROOT, 'libs/contracts/solidity/tools/test-builds.mjs');
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => running.forEach((child) => child.kill(signal)));

/** Runs Node. @returns whether it ended well, and what it printed, where that is not inherited. */
async function node(args, stdio, isBeside) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio });
  running.add(child);
  if (isBeside) yieldToOthers(child);
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => parts.push(part));
  const [code] = await once(child, 'close');
  running.delete(child);
  return { passed: code === 0, output: Buffer.concat(parts) };
}

/** Runs jest. Its workers have the same option of V8: most of what a spec makes is garbage soon. */
function jest(projects, options, stdio, isBeside) {
  const args = ['--max-semi-space-size=64', JEST, '--selectProjects', ...projects, ...options];
  return node(args, stdio, isBeside);
}

/**
 * Lets a process, and all that it starts, run when the others leave a processor free. Linux' class for this, because a
 * process of low priority runs its milliseconds to the end while a service wakes for an answer, a thousand times a spec.
 */
function yieldToOthers({ pid }) {
  try {
    const { status } = spawnSync('chrt', ['--idle', '--all-tasks', '--pid', '0', `${pid}`], { stdio: 'ignore' });
    if (status !== 0) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or there is no such right: then it takes its share, and all take a little longer.
  }
}

// Their limit of time is no measure of them: they may have to wait for a processor.
const unitOptions = ['--maxWorkers=1', '--testTimeout=900000'];
const specs = await Promise.all([
  jest(['integration', 'e2e'], [], 'inherit', false),
  jest(['unit'], unitOptions, ['ignore', 'pipe', 'pipe'], true),
]);
for (const { output } of specs) process.stdout.write(output);
const contracts = await node([CONTRACTS], 'inherit', false);
process.exitCode = [...specs, contracts].every(({ passed }) => passed) ? 0 : 1;
