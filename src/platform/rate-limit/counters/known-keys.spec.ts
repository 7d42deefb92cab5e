import { knownKeys } from './known-keys.js';

it('knows the keys that were used last, and no more', () => {
  const keys = knownKeys<number>(3);
  for (const [place, key] of ['a', 'b', 'c'].entries()) keys.set(key, place);
  keys.get('a');
  keys.set('d', 3);
  expect([...keys.keys()].sort()).toEqual(['a', 'c', 'd']);
});

it('stays at its bound however many keys come', () => {
  const keys = knownKeys<true>();
  for (let key = 0; key < 50_000; key += 1) keys.set(String(key), true);
  expect(keys.size).toBe(20_000);
  expect([keys.has('29999'), keys.has('30000')]).toEqual([false, true]);
});

it('forgets a key after its time', async () => {
  const keys = knownKeys<true>(3, 1);
  keys.set('a', true);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(keys.get('a')).toBeUndefined();
});
