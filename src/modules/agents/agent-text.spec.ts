import { searchableText } from './agent-text.js';

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
