import { searchableText, searchQuery } from './searchable-text.js';

describe('searchable text', () => {
  test.each([
    ['translateText', 'translate Text'],
    ['PDFParser', 'PDF Parser'],
    ['smart_contract-audit', 'smart contract audit'],
    ['text/translate.v2', 'text translate v2'],
    ['plain words', 'plain words'],
    ['', ''],
  ])('of %j is %j', (text, words) => {
    expect(searchableText(text)).toBe(words);
  });
});

describe('a search query', () => {
  test.each([
    ['contractAudit', 'contract Audit'],
    ['smart-contract', 'smart contract'],
    ['"smart-contract audit"', '"smart contract audit"'],
    ['audit -translation', 'audit -"translation"'],
    ['audit -dataEntry', 'audit -"data Entry"'],
    ['audit -"data entry"', 'audit -"data entry"'],
    ['audit or review', 'audit or review'],
    ['an "open phrase', 'an "open phrase"'],
    ['-', ''],
    ['"', ''],
    ['-" "', ''],
    ['--audit', '-"audit"'],
    ['   ', ''],
    ['', ''],
  ])('typed as %j is %j', (text, query) => {
    expect(searchQuery(text)).toBe(query);
  });
});
