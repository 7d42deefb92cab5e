import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ObservedProcess, processesOf } from '../../support/market-process.js';

const BENCH = 'dist/src/dev/bench/bench.main.js';

describe('a measurement that is stopped by a signal', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tasktree-stopped-'));
    // Postgres may have to run as another user, who must be able to enter this folder.
    chmodSync(folder, 0o711);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const start = (...args: string[]) => ObservedProcess.node([BENCH, ...args], { TMPDIR: folder });

  it('leaves no process and no file of its market behind', async () => {
    const bench = start('--only', 'deep', '--tasks', '2000');
    await bench.says('2,000 tasks of');
    expect(processesOf(folder).join()).toMatch(/anvil/);
    expect([await bench.stop('SIGTERM'), processesOf(folder), readdirSync(folder)]).toEqual([1, [], []]);
  });

  it('leaves no database of its own behind', async () => {
    const bench = start('--only', 'settlement');
    await bench.says('settlements of');
    expect([await bench.stop('SIGINT'), processesOf(folder), readdirSync(folder)]).toEqual([1, [], []]);
  });
});
