import { oneLine } from './one-line.js';

it.each([
  ['Claude', 'Claude'],
  ['  a \n\t b\u00a0c ', 'a b c'],
  ['safe\u202eelbon', 'safe\\u{202e}elbon'],
  ['zero\u200bwidth\u0000', 'zero\\u{200b}width\\u{0}'],
  ['\u200b\n ', '\\u{200b}'],
  ['Lex\u2800i\ufe0fc\u{1d173}a\u3164', 'Lex\\u{2800}i\\u{fe0f}c\\u{1d173}a\\u{3164}'],
  ['می\u200cخواهم 👩\u200d💻', 'می\u200cخواهم 👩\u200d💻'],
  ['', ''],
])('%j is shown as %j', (text, line) => {
  expect(oneLine(text)).toBe(line);
});

it('is at most 80 characters long, with a sign that it was longer', () => {
  expect(oneLine('x'.repeat(80))).toBe('x'.repeat(80));
  expect(oneLine('x'.repeat(20_000))).toBe(`${'x'.repeat(79)}…`);
});

it('counts characters and cuts none in two', () => {
  expect(oneLine('😀'.repeat(80))).toBe('😀'.repeat(80));
  expect(Array.from(oneLine('😀'.repeat(5_000)))).toHaveLength(80);
  expect(() => encodeURIComponent(oneLine('😀'.repeat(5_000)))).not.toThrow();
});

it('reads no more of a text of megabytes than it shows', () => {
  const text = ' \u202e'.repeat(5_000_000);
  // Whoever read all of it each time would take minutes, far longer than a test may.
  for (let call = 0; call < 200; call += 1) expect(oneLine(text)).toBe(oneLine(text.slice(0, 5_000)));
});
