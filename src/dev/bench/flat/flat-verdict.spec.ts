import { isAnswered, isFlat, unreached } from './flat-verdict.js';

const cost = (ms: number, buffers: number) => ({ statements: 1, ms, buffers });

it.each([
  ['what is cheap at any size, however many buffers', cost(0.1, 3), cost(3, 900), true],
  ['twice the time and three times the buffers', cost(4, 100), cost(8, 300), true],
  ['more than twice the time', cost(4, 100), cost(8.1, 100), false],
  ['more than three times the buffers', cost(4, 100), cost(5, 301), false],
])('%s', (_what, small, large, expected) => {
  expect(isFlat(small, large)).toBe(expected);
});

describe('an operation that nobody has reached', () => {
  const answer = (operation: string, status: number) => ({ status, request: { operation } });

  it('is one that every caller was refused', () => {
    const answers = [answer('a', 404), answer('a', 200), answer('b', 409), answer('b', 403), answer('c', 302)];
    expect(unreached(answers)).toEqual(['b']);
  });

  it('is none that needs an address which no bench has', () => {
    expect(unreached([answer('setAgentEndpoint', 400)])).toEqual([]);
  });

  it('has its answer where the address is away, and no other operation has', () => {
    const answers = [answer('setAgentEndpoint', 503), answer('getTask', 404), answer('getTask', 503)];
    expect(answers.map(isAnswered)).toEqual([true, true, false]);
  });
});
