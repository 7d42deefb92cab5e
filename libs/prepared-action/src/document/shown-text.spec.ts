import { durationText, foundText, quoted } from './shown-text.js';

test.each<[string, string]>([
  ['Lex\u2800i\ufe0fc\u{1d173}a\u3164', '“Lex\\u{2800}i\\u{fe0f}c\\u{1d173}a\\u{3164}”'],
  ['left\u202e to\u2028 right', '“left\\u{202e} to right”'],
  ['pay\u{e0041}\u{16fe4}ee', '“pay\\u{e0041}\\u{16fe4}ee”'],
  ['می\u200cخواهم 👩\u200d💻', '“می\u200cخواهم 👩\u200d💻”'],
])('%j of another person is shown as %s', (text, shown) => {
  expect(quoted(text)).toBe(shown);
});

test('a value that is no prose shows every character that a reader cannot see', () => {
  expect(foundText('0xab\u200d\u202e\n \u{1f469}')).toBe('“0xab\\u{200d}\\u{202e} \u{1f469}”');
});

test('a cut leaves no joiner without what it joins', () => {
  const characters = Array.from(quoted('👩\u200d'.repeat(40) + '💻'.repeat(60)));
  expect(characters.slice(-4)).toEqual(['\u200d', '👩', '…', '”']);
});

test.each([
  [432_000, '5 days'],
  [431_987, '4 days 23 hours'],
  [86_700, '1 day'],
  [5_400, '1 hour 30 minutes'],
  [3_600, '1 hour'],
  [61, '1 minute 1 second'],
  [13, '13 seconds'],
  [0, '0 seconds'],
])('%i seconds are said as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
