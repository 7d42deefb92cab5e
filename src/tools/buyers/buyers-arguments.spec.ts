import { parseBuyersArguments } from './buyers-arguments.js';

const parse = (...words: string[]) => parseBuyersArguments(words);

it.each([
  [['verify', 'Acme', '--note', 'met in person'], { name: 'verify', account: 'Acme', note: 'met in person' }],
  [['verify', 'acct_1'], { name: 'verify', account: 'acct_1', note: '' }],
  [['unverify', 'acct_1'], { name: 'unverify', account: 'acct_1' }],
  [['list'], { name: 'list' }],
  [[], { name: 'help' }],
  [['list', '--help'], { name: 'help' }],
])('%j is understood', (words, command) => {
  expect(parse(...words).command).toEqual(command);
});

it.each([
  [['trust', 'Acme'], 'no command "trust"'],
  [['verify'], 'needs one NAME|ID'],
  [['verify', 'a', 'b'], 'needs one NAME|ID'],
  [['unverify', 'a', '--note', 'x'], 'takes no --note'],
  [['list', 'extra'], 'takes no "extra"'],
])('%j is refused with a sentence', (words, sentence) => {
  expect(() => parse(...words)).toThrow(sentence);
});
