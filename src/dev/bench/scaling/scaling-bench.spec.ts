import { boundBy } from './scaling-bench.js';

describe('what bounds a throughput', () => {
  it('is the machine when all its processors are in use, whoever uses them', () => {
    expect(boundBy({ busiest: 1, postgres: 1, machine: 0.97 })).toBe('all processors of the machine');
  });

  it("is one thread of a process when that is as busy as a thread can be and the machine isn't", () => {
    expect(boundBy({ busiest: 0.99, postgres: 0.4, machine: 0.5 })).toBe("a process's one thread");
  });

  it('is the processor of Postgres when the processes wait for it', () => {
    expect(boundBy({ busiest: 0.5, postgres: 0.98, machine: 0.6 })).toBe("Postgres' processor");
  });

  it('is waiting when nothing is busy', () => {
    expect(boundBy({ busiest: 0.4, postgres: 0.3, machine: 0.3 })).toBe('waiting: locks, or too few connections');
  });
});
