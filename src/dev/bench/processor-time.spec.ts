import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pid } from 'node:process';
import { cpuSeconds, familyOf, familySeconds, machineSeconds, parentOf } from './processor-time.js';

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

  it('counts all processors of the machine', () => {
    const { busy, total } = machineSeconds();
    expect(busy).toBeGreaterThan(0);
    expect(busy).toBeLessThanOrEqual(total);
  });
});
