import { readinessOf } from './readiness.js';

const works = { name: 'database', check: async () => undefined };
const fails = { name: 'chain', check: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7')) };
const throwsAtOnce = {
  name: 'migrations',
  check: (): Promise<void> => {
    throw new Error('no');
  },
};

it('is ready when every part works', async () => {
  expect(await readinessOf([works])).toEqual({ reads: true, writes: true, checks: { database: 'ok' } });
});

it('names the part that does not, and nothing more', async () => {
  expect(await readinessOf([works, fails, throwsAtOnce])).toEqual({
    reads: false,
    writes: false,
    checks: { database: 'ok', chain: 'failing', migrations: 'failing' },
  });
});

it('serves what is read without a part that only writes need', async () => {
  expect(await readinessOf([works, { ...fails, isForWritesOnly: true }])).toEqual({
    reads: true,
    writes: false,
    checks: { database: 'ok', chain: 'failing' },
  });
});

it('does not wait for a part that is silent', async () => {
  jest.useFakeTimers();
  const answer = readinessOf([{ name: 'chain', check: () => new Promise(() => undefined) }]);
  await jest.advanceTimersByTimeAsync(2000);
  expect(await answer).toEqual({ reads: false, writes: false, checks: { chain: 'failing' } });
  jest.useRealTimers();
});
