import { leadingWords, searchTerms, wordsOf } from './search-terms.js';

const word = (of: string) => ({ kind: 'word', word: of });
const NOT = { kind: 'not' };
const COUNTS: Readonly<Record<string, number>> = { rare: 3, known: 40, common: 1_000 };
const leading = (text: string) => leadingWords(searchTerms(text)!, (one) => COUNTS[one] ?? 0);

describe('a query', () => {
  it.each([
    [`'audit'`, word('audit')],
    [`'it''s' `, word(`it's`)],
    [`'a\\\\b'`, word('a\\b')],
    [`'(' & '&'`, { kind: 'all', of: [word('('), word('&')] }],
    [
      `'a' & 'b' | !'c' & 'd'`,
      {
        kind: 'any',
        of: [
          { kind: 'all', of: [word('a'), word('b')] },
          { kind: 'all', of: [NOT, word('d')] },
        ],
      },
    ],
    [`'a' <-> 'b' <2> 'c'`, { kind: 'all', of: [word('a'), word('b'), word('c')] }],
    [`!( 'a' <-> 'b' ) & 'c'`, { kind: 'all', of: [NOT, word('c')] }],
    [`( 'a' | 'b' ) & 'c'`, { kind: 'all', of: [{ kind: 'any', of: [word('a'), word('b')] }, word('c')] }],
    [`!'a'`, NOT],
    ['', null],
  ])('%s is parsed with the right precedence', (text, expected) => {
    expect(searchTerms(text)).toEqual(expected);
  });

  it('has each word once, without negated words', () => {
    expect(wordsOf(searchTerms(`'a' & 'b' | 'a' & !'c'`)!)).toEqual(['a', 'b']);
  });
});

describe('the words by which candidates of a query are found', () => {
  it.each([
    [`'common'`, ['common']],
    [`'common' & 'rare' & 'known'`, ['rare']],
    [`'common' <-> 'known'`, ['known']],
    [`'known' | 'rare'`, ['known', 'rare']],
    [`( 'known' | 'rare' ) & 'common'`, ['known', 'rare']],
    [`( 'common' | 'rare' ) & 'known'`, ['known']],
    [`'common' & !'rare'`, ['common']],
    [`'rare' & 'common' | 'rare' & 'known'`, ['rare']],
  ])('of %s are %j', (text, expected) => {
    expect(leading(text)).toEqual(expected);
  });

  it.each([`!'rare'`, `!'rare' & !'known'`, `'common' | !'rare'`, `( 'common' | !'rare' ) & !'known'`])(
    'are none of %s, by which nearly everybody would be found',
    (text) => {
      expect(leading(text)).toBeNull();
    },
  );
});
