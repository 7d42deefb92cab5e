import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { pid } from 'node:process';
import { cpuSeconds, familyOf, familySeconds, parentOf, processorSeconds } from './processor-time.js';

const BUSY = `const end = process.cpuUsage(); while (process.cpuUsage(end).user < 300_000); console.log('done');`;

describe('processor time', () => {
  it('counts what a child used, while it runs and when it has ended', async () => {
    const before = familySeconds(pid);
    const child = spawn(process.execPath, ['-e', `${BUSY} setTimeout(() => {}, 60_000)`], { stdio: 'pipe' });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    expect(parentOf(child.pid!)).toBe(pid);
    expect(familyOf(pid)).toEqual(expect.arrayContaining([pid, child.pid]));
    expect(cpuSeconds(child.pid!)).toBeGreaterThanOrEqual(0.25);
    expect(familySeconds(pid) - before).toBeGreaterThanOrEqual(0.25);
    child.kill();
    await exited;
    expect(cpuSeconds(child.pid!)).toBeNull();
    expect(() => parentOf(child.pid!)).toThrow('has ended');
    expect(familyOf(pid)).not.toContain(child.pid);
    expect(familySeconds(pid) - before).toBeGreaterThanOrEqual(0.25);
  });

  it('counts each processor of the machine', () => {
    const each = processorSeconds();
    expect(each).toHaveLength(cpus().length);
    for (const { busy, total } of each) {
      expect(busy).toBeGreaterThan(0);
      expect(busy).toBeLessThanOrEqual(total);
    }
  });
});
