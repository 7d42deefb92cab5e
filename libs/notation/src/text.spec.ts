import { hidesText, stripControls } from './text.js';

test('line feeds, tabs and every visible character stay', () => {
  const text = 'Über\t資料\n\u0627\u0644 😀 é \u0300';
  expect(stripControls(text)).toBe(text);
});

test.each<[string, string]>([
  ['controls', '\u0000\u0007\u001b\u007f\u009f'],
  ['carriage returns', '\r'],
  ['bidirectional overrides', '\u202a\u202b\u202c\u202d\u202e'],
  ['bidirectional isolates', '\u2066\u2067\u2068\u2069'],
  ['direction marks', '\u200e\u200f\u061c'],
  ['characters without width', '\u200b\u200c\u200d\u2060\ufeff\u00ad'],
  ['line and paragraph separators', '\u2028\u2029'],
  ['tag characters', '\u{e0041}\u{e007f}'],
])('%s are removed', (_what, hidden) => {
  expect(stripControls(`pay${hidden}ee`)).toBe('payee');
});

test('an escape sequence for terminals loses its escape', () => {
  expect(stripControls('\u001b[31mred')).toBe('[31mred');
});

test.each(['می\u200cخواهم', 'क्\u200dष', '👩\u200d👩\u200d👧', '❤\ufe0f\u200d🔥', 'two\nlines\tand a tab'])(
  'the joiners that %s needs hide nothing',
  (text) => expect(hidesText(text)).toBe(false),
);

test.each(['pay\u200b', '\u200dx', 'x\u200d', 'x\u200c\u200cy', 'x\u202ey', 'x\ry', '1\u200d2'])(
  'text %j hides something',
  (text) => expect(hidesText(text)).toBe(true),
);
