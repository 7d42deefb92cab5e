import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const BUILT = pathToFileURL(resolve(__dirname, '../dist/src/start-memory.js')).href;

/** MiB that the young generation has after a start that keeps 50 MB, after its release, and after as much again. */
function youngAfter(begin: string): { started: number; released: number; loaded: number } {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { holdStartSmall, releaseStart } from ${JSON.stringify(BUILT)};
    const young = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20;
    const kept = [];
    const fill = () => { for (let i = 0; i < 500_000; i += 1) kept.push({ text: String(i), values: [i, i] }); };
    ${begin}
    fill();
    const started = young();
    releaseStart();
    const released = young();
    fill();
    process.stdout.write(JSON.stringify({ started, released, loaded: young() }));`;
  const args = ['--max-semi-space-size=32', '--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

describe('the memory of a start', () => {
  it('is not that of a young generation at its limit, which requests may use all the same', () => {
    const { started, released, loaded } = youngAfter('holdStartSmall();');
    expect(started).toBeLessThanOrEqual(4);
    expect(released).toBeLessThanOrEqual(4);
    expect(loaded).toBeGreaterThan(8);
  });

  it('would be more without it', () => {
    expect(youngAfter('').started).toBeGreaterThan(8);
  });
});
