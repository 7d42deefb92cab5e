import { agentLexemes, anyOfLexemes, queryLexemes, textLexemes } from './lexemes.js';

describe('the words of an agent', () => {
  it('are counted by field, weight A being the name', () => {
    const { terms, lengths } = agentLexemes(`'audit':2A,4B,9C 'solid':1A 'code':7C,8C`);
    expect(Object.fromEntries(terms)).toEqual({
      audit: { name: 1, rest: 2 },
      solid: { name: 1, rest: 0 },
      code: { name: 0, rest: 2 },
    });
    expect(lengths).toEqual({ name: 2, rest: 4 });
  });

  it('may hold quotation marks, backslashes, blanks and what looks like a position', () => {
    const { terms } = agentLexemes(String.raw`'it''s':1A 'a\\b':2 'c'':3A ''d':4B '\\':5 '''':6 '😀 x':7A`);
    expect([...terms.keys()]).toEqual(["it's", 'a\\b', "c':3A 'd", '\\', "'", '😀 x']);
  });

  it('of empty texts are none', () => {
    expect(agentLexemes('')).toEqual({ terms: new Map(), lengths: { name: 0, rest: 0 } });
  });
});

describe('the words that are looked for', () => {
  it('are those of the title first, then the most frequent, then by code unit', () => {
    const title = textLexemes(`'zebra':1 'audit':2`);
    const rest = textLexemes(`'audit':3 'b':4 'a':5 'often':1,2,6`);
    expect(queryLexemes(title, rest)).toEqual(['audit', 'zebra', 'often', 'a', 'b']);
  });

  it('are 64 at most, whatever the order of the texts', () => {
    const words = Array.from({ length: 200 }, (_, i): [string, number] => [`w${String(i).padStart(3, '0')}`, 1]);
    const found = queryLexemes(new Map(), new Map(words));
    expect(found).toHaveLength(64);
    expect(found.at(-1)).toBe('w063');
    expect(queryLexemes(new Map(), new Map(words.toReversed()))).toEqual(found);
  });
});

it('a query for any of some lexemes is a tsquery in which their characters are escaped', () => {
  expect(anyOfLexemes(['audit', "it's", 'a\\b', '!x:*'])).toBe("'audit' | 'it''s' | 'a\\\\b' | '!x:*'");
  expect(anyOfLexemes([])).toBe('');
});
