import { boundBy } from './scaling-bench.js';

describe('what bounds a throughput', () => {
  it('is the processors of the service and the load when all of them are in use, whoever uses them', () => {
    expect(boundBy({ busiest: 0.6, shared: 0.97, ofPostgres: 0.97 })).toBe('the processors of service and load');
  });

  it('is the processors of Postgres when those of the service have time left', () => {
    expect(boundBy({ busiest: 0.5, shared: 0.6, ofPostgres: 0.98 })).toBe('the processors of Postgres');
  });

  it('is one thread of a process when that is as busy as a thread can be and processors have time left', () => {
    expect(boundBy({ busiest: 0.99, shared: 0.5, ofPostgres: 0.5 })).toBe("a process's one thread");
  });

  it('is waiting when nothing is busy', () => {
    expect(boundBy({ busiest: 0.4, shared: 0.3, ofPostgres: 0.3 })).toBe('waiting: locks, or too few connections');
  });
});
