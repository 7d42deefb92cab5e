#!/usr/bin/env node
// `npm test`: all specs, then the tests of the contracts.
//
// The specs with a database or a market wait for processes, blocks and pages half of their time. The unit tests wait for
// nothing, so they run beside them with the processor time that is left, and what they print follows at the end.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const JEST = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin', 'jest.js');

/** Starts jest on these projects. Its workers have the same option of V8: most of what a spec makes is garbage soon. */
function jest(projects, options, stdio) {
  const args = ['--max-semi-space-size=64', JEST, '--selectProjects', ...projects, ...options];
  return spawn(process.execPath, args, { cwd: ROOT, stdio });
}

/** Lets a process, and all that it starts, run only when the others leave a processor free. */
function yieldToOthers({ pid }) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without this right it takes its share, and all take a little longer.
  }
}

/** What a process prints, once it has ended. */
async function printed(child) {
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(part));
  await once(child, 'close');
  return Buffer.concat(parts);
}

// Their limit of time is no measure of them: they may have to wait for a processor.
const unit = jest(['unit'], ['--maxWorkers=1', '--testTimeout=900000'], ['ignore', 'pipe', 'pipe']);
yieldToOthers(unit);
const unitOutput = printed(unit);
const others = jest(['integration', 'e2e'], [], 'inherit');
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => [unit, others].forEach((one) => one.kill(signal)));
await once(others, 'close');
process.stdout.write(await unitOutput);
const contracts = [join(ROOT, 'libs/contracts/solidity/tools/test-builds.mjs')];
const passed = unit.exitCode === 0 && others.exitCode === 0;
process.exitCode = passed ? (spawnSync(process.execPath, contracts, { cwd: ROOT, stdio: 'inherit' }).status ?? 1) : 1;
