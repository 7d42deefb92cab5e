import process from 'node:process';
import { peakDuring, residentIn, residentMib } from './resident-memory.js';

describe('the memory that a process holds', () => {
  it('is read from what the kernel says, in MiB', () => {
    expect(residentIn('Name:\tnode\nVmHWM:\t  409600 kB\nVmRSS:\t  204800 kB\n')).toBe(200);
  });

  it('is not that of a process that has ended', () => {
    expect(() => residentIn('Name:\tnode\nState:\tZ (zombie)\n')).toThrow('has ended');
  });

  it('is at its peak what it holds in the meantime', async () => {
    // What this process holds without the buffer may shrink meanwhile, when its garbage is collected.
    let held = 0;
    const { peak, result } = await peakDuring(process.pid, () => {
      const buffer = Buffer.alloc(128 * 2 ** 20, 1);
      held = residentMib(process.pid);
      return Promise.resolve(buffer.length);
    });
    expect(result).toBe(128 * 2 ** 20);
    expect(held).toBeGreaterThan(128);
    expect(peak).toBeGreaterThanOrEqual(held);
  });
});
