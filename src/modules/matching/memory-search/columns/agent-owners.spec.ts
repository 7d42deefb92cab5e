import { AgentOwners, excludedOwners, ownerNumber } from './agent-owners.js';

const account = (n: number): string => `acct_01J${String(n).padStart(23, '0')}`;
const wallet = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;

it.each([1, 8, 9, 300])('excludes the agents of %i owners, by account and by wallet, and no others', (count) => {
  const owners = new AgentOwners();
  for (let agent = 1; agent <= 4_000; agent += 1) owners.set(agent, account(agent), wallet(agent));
  const texts = Array.from({ length: count }, (_, n) => (n % 2 === 0 ? account(10 * n + 3) : wallet(10 * n + 3)));
  const excluded = excludedOwners(texts);
  const found = Array.from({ length: 4_000 }, (_, n) => n + 1).filter((agent) => owners.isExcluded(agent, excluded));
  expect(found).toEqual(texts.map((_, n) => 10 * n + 3));
  expect(owners.isExcluded(4_001, excluded)).toBe(false);
  expect(owners.isExcluded(5_000_000, excluded)).toBe(false);
});

it('follows an agent to another account and wallet', () => {
  const owners = new AgentOwners();
  owners.set(7, account(1), wallet(1));
  owners.set(7, account(2), wallet(2));
  const isExcluded = (text: string) => owners.isExcluded(7, excludedOwners([text]));
  expect([account(1), wallet(1), account(2), wallet(2)].map(isExcluded)).toEqual([false, false, true, true]);
});

it('gives different numbers, none of them 0, to many ids that differ in few signs', () => {
  const numbers = new Set<number>();
  for (let n = 0; n < 20_000; n += 1) for (const text of [account(n), wallet(n)]) numbers.add(ownerNumber(text));
  expect(numbers.size).toBe(40_000);
  expect(numbers.has(0)).toBe(false);
  const low = new Set([...numbers].map((number) => number % 1_024));
  expect(low.size).toBe(1_024);
});

it('is read by another thread by its array, and keeps what it knew when it grows', () => {
  const owners = new AgentOwners();
  owners.set(3, account(3), wallet(3));
  owners.set(1_000_000, account(4), wallet(4));
  const other = new AgentOwners(owners.shared);
  expect(other.isExcluded(3, excludedOwners([wallet(3)]))).toBe(true);
  expect(other.isExcluded(1_000_000, excludedOwners([account(4)]))).toBe(true);
  expect(owners.bytes).toBeLessThan(17 * 1_000_001);
});
