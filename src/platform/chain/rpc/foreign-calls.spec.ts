import { ChainUnavailableError } from './chain-unavailable.error.js';
import { ForeignCalls } from './foreign-calls.js';

/** A call that lasts until it is told to end. */
function slow() {
  let end = (): void => undefined;
  const call = jest.fn(() => new Promise<void>((resolve) => (end = resolve)));
  return { call, end: () => end() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('an owner has two at once; another owner is not concerned, and who waits comes next', async () => {
  const calls = new ForeignCalls();
  const [first, second, third, other] = [slow(), slow(), slow(), slow()];
  const running = [first, second, third].map(({ call }) => calls.run('a', call));
  running.push(calls.run('b', other.call));
  await turn();
  expect([first, second, third, other].map(({ call }) => call.mock.calls.length)).toEqual([1, 1, 0, 1]);
  first.end();
  await turn();
  expect(third.call).toHaveBeenCalledTimes(1);
  [second, third, other].forEach(({ end }) => end());
  await Promise.all(running);
});

it('of all owners together sixteen run at once', async () => {
  const calls = new ForeignCalls();
  const many = Array.from({ length: 17 }, slow);
  const running = many.map(({ call }, index) => calls.run(`owner ${index}`, call));
  await turn();
  expect(many.filter(({ call }) => call.mock.calls.length === 1)).toHaveLength(16);
  many[0]!.end();
  await turn();
  expect(many[16]!.call).toHaveBeenCalledTimes(1);
  many.forEach(({ end }) => end());
  await Promise.all(running);
});

it('a call that fails leaves its place, and one that gets none in time is a 503 and is never made', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const calls = new ForeignCalls();
  await expect(calls.run('a', () => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
  const [first, second, late] = [slow(), slow(), slow()];
  const running = [calls.run('a', first.call), calls.run('a', second.call)];
  const refused = calls.run('a', late.call).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(1_500);
  expect(await refused).toBeInstanceOf(ChainUnavailableError);
  first.end();
  second.end();
  await Promise.all(running);
  await calls.run('a', () => Promise.resolve());
  expect(late.call).not.toHaveBeenCalled();
  jest.useRealTimers();
});
