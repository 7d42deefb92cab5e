import { Pages } from './pages.js';

const PAGES = [[1, 2], [], [3], [4, 5]];

function list(): { pages: Pages<number>; asked: (string | undefined)[] } {
  const asked: (string | undefined)[] = [];
  const pages = new Pages((cursor) => {
    asked.push(cursor);
    const at = Number(cursor ?? 0);
    return Promise.resolve({ data: PAGES[at] ?? [], next_page: at + 1 < PAGES.length ? String(at + 1) : null });
  });
  return { pages, asked };
}

it('a loop goes through all pages, and asks for none that it does not need', async () => {
  const { pages, asked } = list();
  const seen: number[] = [];
  for await (const one of pages) seen.push(one);
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  expect(asked).toEqual([undefined, '1', '2', '3']);
  const other = list();
  for await (const one of other.pages) if (one === 2) break;
  expect(other.asked).toEqual([undefined]);
});

it('an array has at most so many, and a number must be named', async () => {
  expect(await list().pages.toArray({ limit: 3 })).toEqual([1, 2, 3]);
  expect(await list().pages.toArray({ limit: 100 })).toHaveLength(5);
  for (const limit of [0, -1, 1.5, Number.NaN, undefined as unknown as number]) {
    await expect(list().pages.toArray({ limit })).rejects.toThrow(RangeError);
  }
});
