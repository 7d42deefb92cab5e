import type { Candidate } from '../ranking/candidate-source.js';
import { KnownAgents, type WantedAgents } from './known-agents.js';

/** Agents that may be hired unless `refused`. `asked` collects every number that was queried. */
function agents(refused: (number: number) => boolean): { known: KnownAgents; asked: number[]; statements: number[] } {
  const asked: number[] = [];
  const statements: number[] = [];
  const known = new KnownAgents(async (numbers) => {
    asked.push(...numbers);
    statements.push(numbers.length);
    return numbers
      .filter((number) => !refused(number))
      .toReversed()
      .map((agentNumber) => ({ agentNumber }) as Candidate);
  });
  return { known, asked, statements };
}

const counting = (end: number) => (count: number) => Array.from({ length: Math.min(count, end) }, (_, n) => n);
const numbersOf = (candidates: readonly Candidate[]) => candidates.map(({ agentNumber }) => agentNumber);

it('returns the first agents that may be hired, and queries few more than these', async () => {
  const { known, asked, statements } = agents((number) => number === 3);
  const found = await known.firstOf([{ first: counting(1_000), limit: 10 }]);
  expect(numbersOf(found)).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9, 10]);
  expect([asked.length, statements]).toEqual([12, [12]]);
});

it('goes on until it has enough or none are left, however few may be hired', async () => {
  const { known, asked } = agents((number) => number % 10 !== 0);
  const found = await known.firstOf([{ first: counting(500), limit: 20 }]);
  expect(numbersOf(found)).toEqual(Array.from({ length: 20 }, (_, n) => n * 10));
  expect(asked.length).toBeLessThan(400);
  const none = agents(() => true);
  expect(await none.known.firstOf([{ first: counting(50), limit: 20 }])).toEqual([]);
  expect(none.asked).toEqual(counting(50)(50));
});

it('queries and returns an agent of two kinds once', async () => {
  const { known, asked } = agents(() => false);
  const found = await known.firstOf([
    { first: counting(4), limit: 3 },
    { first: () => [2, 3, 9], limit: 5 },
    { first: () => [], limit: 5 },
  ]);
  expect(numbersOf(found)).toEqual([0, 1, 2, 3, 9]);
  expect(asked.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 9]);
});

it('queries one kind while another is still searched, and no agent twice', async () => {
  const { known, asked } = agents(() => false);
  let tell: (kind: WantedAgents) => void = () => undefined;
  const later = new Promise<WantedAgents>((resolve) => (tell = resolve));
  const finding = known.firstOf([later, { first: counting(4), limit: 3 }]);
  await new Promise(setImmediate);
  expect(asked).toEqual([0, 1, 2, 3]);
  tell({ first: () => [2, 3, 9], limit: 5 });
  expect(new Set(numbersOf(await finding))).toEqual(new Set([0, 1, 2, 3, 9]));
  expect(asked).toEqual([0, 1, 2, 3, 9]);
});

it('fails when the search of one kind fails, whatever the others do', async () => {
  const { known } = agents(() => false);
  const failing = Promise.reject(new Error('no such table'));
  await expect(known.firstOf([{ first: counting(4), limit: 3 }, failing])).rejects.toThrow('no such table');
});

it('spreads many over two statements', async () => {
  const { known, statements } = agents(() => false);
  await known.firstOf([{ first: counting(1_000), limit: 600 }]);
  expect(statements).toEqual([360, 360]);
});
