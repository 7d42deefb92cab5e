import { terminalLine } from './terminal-line.js';

it.each([
  ['an escape sequence', 'Evil\u001b[2J', 'Evil\\u{1b}[2J'],
  ['a turn of the direction of text', 'Evil\u202egnp', 'Evil\\u{202e}gnp'],
  ['a character without width', 'Ev\u200bil', 'Ev\\u{200b}il'],
])('shows %s as its code point, so that it neither steers the terminal nor goes unseen', (_what, name, shown) => {
  expect(terminalLine(['agent_1', 'suspended', name])).toBe(`agent_1  suspended  ${shown}`);
});

it('keeps a row in one line, whatever line feeds and tabs a text has', () => {
  expect(terminalLine(['task_1', 'two\nlines\tand\r\nmore'])).toBe('task_1  two lines and  more');
});
