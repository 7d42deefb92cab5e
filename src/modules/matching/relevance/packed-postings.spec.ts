import { relevanceIn } from './packed-postings.js';

/** As Postgres sends them: base64 in lines of 76 characters. */
function packed(postings: readonly (readonly [termId: number, impact: number])[]): string {
  const bytes = Buffer.concat(
    postings.map(([termId, impact]) => {
      const posting = Buffer.alloc(5);
      posting.writeUInt32BE(termId);
      posting.writeUInt8(impact, 4);
      return posting;
    }),
  );
  return bytes.toString('base64').replace(/.{76}/g, '$&\n');
}

it('adds idf and impact over the words that are looked for', () => {
  const postings = Array.from({ length: 200 }, (_, n) => [1_000_000 * n + 7, 1 + (n % 255)] as const);
  const idfs = new Map([
    [7, 3],
    [150_000_007, 1_000],
    [199_000_007, 2],
    [8, 999_999],
  ]);
  expect(relevanceIn(packed(postings), idfs)).toBe(3 * 1 + 1_000 * 151 + 2 * 200);
});

it('of an agent without postings, and for no words, is 0', () => {
  expect(relevanceIn('', new Map([[7, 3]]))).toBe(0);
  expect(relevanceIn(packed([[7, 200]]), new Map())).toBe(0);
});
