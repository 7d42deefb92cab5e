import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOOK_MS, peakDuring, residentIn, residentMib } from './resident-memory.js';

const MIB = 256;
/** Takes that much memory when it is told to, and gives it back when it is told that. */
const HOLDER = `
  let held;
  process.stdin.on('data', (line) => {
    held = line.toString() === 'take\\n' ? Buffer.alloc(${MIB} * 2 ** 20, 1) : undefined;
    process.stdout.write('done');
  });
  setInterval(gc, 10);
  process.stdout.write('ready');`;

describe('the memory that a process holds', () => {
  it('is read from what the kernel says, in MiB', () => {
    expect(residentIn('Name:\tnode\nVmHWM:\t  409600 kB\nVmRSS:\t  204800 kB\n')).toBe(200);
  });

  it('is not that of a process that has ended', () => {
    expect(() => residentIn('Name:\tnode\nState:\tZ (zombie)\n')).toThrow('has ended');
  });

  it('is at its peak what it holds in the meantime', async () => {
    // Another process, because what this one holds beside its buffer shrinks whenever its garbage is collected.
    const holder = spawn(process.execPath, ['--expose-gc', '-e', HOLDER], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const heard = async (): Promise<void> => void (await once(holder.stdout, 'data'));
      await heard();
      const before = residentMib(holder.pid ?? 0);
      const { peak, result } = await peakDuring(holder.pid ?? 0, async () => {
        holder.stdin.write('take\n');
        await heard();
        await sleep(2 * LOOK_MS);
        holder.stdin.write('free\n');
        // The memory goes back to the kernel some time after it was given up.
        while (residentMib(holder.pid ?? 0) > MIB) await sleep(10);
        return residentMib(holder.pid ?? 0);
      });
      expect(before).toBeLessThan(MIB);
      expect(peak).toBeGreaterThan(MIB);
      expect(result).toBeLessThan(MIB);
    } finally {
      holder.kill();
    }
  });
});
