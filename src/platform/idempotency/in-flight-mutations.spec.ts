import { InFlightMutations } from './in-flight-mutations.js';

const pending = <T>() => {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};

it('equal mutations share one execution', async () => {
  const inFlight = new InFlightMutations<number>(10, 1000);
  const gate = pending<number>();
  const lead = jest.fn(() => gate.promise);
  const runs = Array.from({ length: 50 }, () => inFlight.run('s', 'a', lead));
  gate.resolve(7);
  const outcomes = await Promise.all(runs);
  expect(lead).toHaveBeenCalledTimes(1);
  expect(outcomes.filter((run) => typeof run === 'object' && run.led)).toHaveLength(1);
  expect(outcomes.every((run) => typeof run === 'object' && run.outcome === 7)).toBe(true);
});

it('when the leader fails only its caller learns why, and one of those who waited leads', async () => {
  const inFlight = new InFlightMutations<number>(10, 1000);
  const gate = pending<number>();
  const first = inFlight.run('s', 'a', () => gate.promise);
  const lead = jest.fn(() => Promise.resolve(8));
  const others = [inFlight.run('s', 'a', lead), inFlight.run('s', 'a', lead)];
  gate.reject(new Error('boom'));
  await expect(first).rejects.toThrow('boom');
  expect(await Promise.all(others)).toEqual([
    { outcome: 8, led: true },
    { outcome: 8, led: false },
  ]);
  expect(lead).toHaveBeenCalledTimes(1);
});

it('a stuck leader is not waited for longer than allowed', async () => {
  const inFlight = new InFlightMutations<number>(10, 20);
  const gate = pending<number>();
  const first = inFlight.run('s', 'a', () => gate.promise);
  expect(await inFlight.run('s', 'a', () => Promise.resolve(1))).toBe('timeout');
  gate.resolve(1);
  await first;
});

it('one account runs only so many at once, others are not affected, and places become free again', async () => {
  const inFlight = new InFlightMutations<number>(2, 1000);
  const gate = pending<number>();
  const running = ['1', '2'].map((scope) => inFlight.run(scope, 'a', () => gate.promise));
  expect(await inFlight.run('3', 'a', () => Promise.resolve(3))).toBe('busy');
  expect(await inFlight.run('4', 'b', () => Promise.resolve(4))).toEqual({ outcome: 4, led: true });
  gate.resolve(0);
  await Promise.all(running);
  expect(await inFlight.run('3', 'a', () => Promise.resolve(3))).toEqual({ outcome: 3, led: true });
});
