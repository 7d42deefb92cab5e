import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MarketChild } from './child-process.js';

let folder: string;
let child: MarketChild;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-child-'));
});
afterEach(async () => {
  await child.stop();
  rmSync(folder, { recursive: true, force: true });
});

function say(script: string): Promise<MarketChild> {
  const logFile = join(folder, 'log');
  return MarketChild.start({
    name: 'A part',
    command: process.execPath,
    args: ['-e', script],
    env: {},
    logFile,
    stopSignal: 'SIGTERM',
  });
}

it('finds the expected output when much more text follows in the same chunk', async () => {
  child = await say(
    `process.stdout.write('{"url":"here"}\\n' + 'a log line\\n'.repeat(3000)); setInterval(() => {}, 1000)`,
  );
  await expect(child.output(/^\{"url":.*\}$/m, 10_000)).resolves.toContain('{"url":"here"}');
});

it('finds the expected output when it arrives in two chunks', async () => {
  child = await say(
    `process.stdout.write('{"url":'); setTimeout(() => process.stdout.write('"here"}\\n'), 50); setInterval(() => {}, 1000)`,
  );
  await expect(child.output(/^\{"url":.*\}$/m, 10_000)).resolves.toContain('{"url":"here"}');
});

it('rejects when the process ends first', async () => {
  child = await say(`process.stdout.write('nothing')`);
  await expect(child.output(/never/, 10_000)).rejects.toThrow('A part stopped while it started.');
});
