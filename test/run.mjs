#!/usr/bin/env node
// `npm test`: all specs, and the tests of the contracts.
//
// The specs with a database or a market wait for processes, blocks and pages half of their time. The unit tests and those
// of the contracts wait for nothing, so they run beside them, one after the other, with the processor time that is left, and
// what they print follows at the end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const JEST = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin', 'jest.js');
/** Jest, whose workers have the same option of V8: most of what a spec makes is garbage soon. */
const SPECS = ['--max-semi-space-size=64', JEST, '--selectProjects'];
const BESIDE = [
  // Their limit of time is no measure of them: they may have to wait for a processor.
  [...SPECS, 'unit', '--maxWorkers=1', '--testTimeout=900000'],
  [join(ROOT, 'libs/contracts/solidity/tools/test-builds.mjs')],
];

const running = new Set();
let isStopped = false;

/** Starts a program of Node, which a signal to this process stops, too. */
function start(args, stdio) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** Lets a process, and all that it starts, run only when the others leave a processor free. */
function yieldToOthers({ pid }) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without this right it takes its share, and all take a little longer.
  }
}

/** Runs a program with what is left of the processors. @returns what it printed, once it has ended, and how it ended. */
async function runBeside(args) {
  const child = start(args, ['ignore', 'pipe', 'pipe']);
  yieldToOthers(child);
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(part));
  await once(child, 'close');
  return { output: Buffer.concat(parts), passed: child.exitCode === 0 };
}

async function runAllBeside() {
  const results = [];
  for (const args of BESIDE) if (!isStopped) results.push(await runBeside(args));
  return results;
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isStopped = true;
    for (const child of running) child.kill(signal);
  });
const beside = runAllBeside();
const others = start([...SPECS, 'integration', 'e2e'], 'inherit');
await once(others, 'close');
const results = await beside;
for (const { output } of results) process.stdout.write(output);
process.exitCode = others.exitCode === 0 && !isStopped && results.every(({ passed }) => passed) ? 0 : 1;
