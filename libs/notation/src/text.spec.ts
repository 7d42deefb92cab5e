import { leastProcessorTime } from '../../../test/support/least-processor-time.js';
import { hidesText, markedLine, markHidden, stripControls } from './text.js';

test('line feeds, tabs and every visible character stay', () => {
  const text = 'Über\t資料\n\u0627\u0644 😀 é \u0300 ½ \u00a0\u3000 \u0600 ⠿';
  expect(stripControls(text)).toBe(text);
  expect(hidesText(text)).toBe(false);
});

test.each<[string, string]>([
  ['controls', '\u0000\u0007\u001b\u007f\u009f'],
  ['carriage returns', '\r'],
  ['bidirectional overrides', '\u202a\u202b\u202c\u202d\u202e'],
  ['bidirectional isolates', '\u2066\u2067\u2068\u2069'],
  ['direction marks', '\u200e\u200f\u061c'],
  ['characters without width', '\u200b\u200c\u200d\u2060\u2061\u2064\u2065\ufeff\u00ad\u034f'],
  ['line and paragraph separators', '\u2028\u2029'],
  ['tag characters', '\u{e0000}\u{e0001}\u{e0041}\u{e007f}\u{e0fff}'],
  ['selectors of variants', '\ufe00\ufe01\ufe0e\ufe0f\u{e0100}\u{e01ef}'],
  ['fillers', '\u3164\u115f\u1160\uffa0\u{16fe4}'],
  ['the blank of Braille', '\u2800'],
  ['signs of musical and of hieroglyphic layout', '\u{1d159}\u{1d173}\u{1d17a}\u{13430}\u{13440}'],
  ['Mongolian selectors', '\u180b\u180c\u180d\u180e\u180f'],
  ['Khmer inherent vowels', '\u17b4\u17b5'],
  ['annotations and objects', '\ufff9\ufffa\ufffb\ufffc'],
  ['reserved ones that fonts leave out', '\ufff0\ufff8\u206a\u206f\u{1bca0}\u{1bca3}'],
  ['what is no character', '\udfff\ud800\ufdd0\uffff\u{1ffff}'],
])('%s are removed, one by one', (_what, hidden) => {
  for (const character of hidden) {
    expect([character.codePointAt(0)?.toString(16), stripControls(`pay${character}ee`)]).toEqual([
      character.codePointAt(0)?.toString(16),
      'payee',
    ]);
    expect(hidesText(`pay${character}ee`)).toBe(true);
    expect(hidesText(character)).toBe(true);
  }
});

test.each<[string, string, string]>([
  ['a name', 'Lex\u2800i\ufe0fc\u{1d173}a\u3164', 'Lex\\u{2800}i\\u{fe0f}c\\u{1d173}a\\u{3164}'],
  ['a turned order', 'left\u202e to right', 'left\\u{202e} to right'],
  ['what is no character', 'x\ud800y', 'x\\u{d800}y'],
  ['a joiner that joins nothing', 'x\u200dy', 'x\\u{200d}y'],
  ['a joiner that joins', 'می\u200cخواهم 👩\u200d💻', 'می\u200cخواهم 👩\u200d💻'],
  ['lines', 'two\nlines\tand a tab', 'two\nlines\tand a tab'],
])('%s is shown with the numbers of what is hidden in it', (_what, text, shown) => {
  expect(markHidden(text)).toBe(shown);
  expect(hidesText(shown)).toBe(false);
});

test.each<[string, string]>([
  ['  a \r\n\t b\u00a0\u2028c ', 'a b c'],
  ['\ufeffname', '\\u{feff}name'],
  ['\u200b\n', '\\u{200b}'],
  [' \n', ''],
])('%j is %j on one line', (text, line) => {
  expect(markedLine(text)).toBe(line);
});

test('an escape sequence for terminals loses its escape', () => {
  expect(stripControls('\u001b[31mred')).toBe('[31mred');
});

test.each<[string, string]>([
  ['Persian', 'می\u200cخواهم'],
  ['the hijri year', '۱۴۰۵ ه\u200d.ش.'],
  ['Hindi', 'क्\u200dष'],
  ['Sinhala', 'ශ්\u200dරී'],
  ['Kannada', 'ರ\u200d್ಕ'],
  ['Malayalam of before its chillus had characters', 'അവന്\u200d വന്നു'],
  ['Khmer', 'ស\u200c៊ី'],
  ['Mongolian', 'ᠰ\u180bᠠ ᠨ\u180eᠠ'],
  ['a family', '👩\u200d👩\u200d👧'],
  ['a heart on fire', '❤\ufe0f\u200d🔥'],
  ['a detective', '🕵🏽\u200d♀\ufe0f and 🕵\ufe0f\u200d♂\ufe0f'],
  ['a rainbow flag', '🏳\ufe0f\u200d🌈'],
  ['signs that are emoji', '©\ufe0f ☂\ufe0f ⭐\ufe0f'],
  ['an arrow that is none', '↩\ufe0e'],
  ['keys', '1\ufe0f⃣ #\ufe0f⃣'],
  ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['the flag of a country', '🇺🇦'],
  ['several lines', 'two\nlines\tand a tab'],
])('what %s needs is no hiding place', (_what, text) => {
  expect(stripControls(text)).toBe(text);
  expect(hidesText(text)).toBe(false);
});

test.each<[string, string]>([
  ['x\u200dy', 'xy'],
  ['x\u200cy', 'xy'],
  ['\u200dx', 'x'],
  ['x\u200d', 'x'],
  ['1\u200d2', '12'],
  ['1\ufe0f', '1'],
  ['x\ufe0f', 'x'],
  ['😀\ufe0f\ufe0f', '😀\ufe0f'],
  ['😀\u200d', '😀'],
  ['\u200d😀', '😀'],
  ['😀\u200d\u200d😀', '😀😀'],
  ['😀\u200dx', '😀x'],
  ['می\u200c\u200cخواهم', 'میخواهم'],
  ['می\u200c', 'می'],
  ['م\u200dx', 'مx'],
  ['क्\u200cx', 'क्x'],
  ['🏴\u{e0067}\u{e0062}\u{e0068}\u{e0069}\u{e007f}', '🏴'],
  ['x\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', 'x'],
  ['x\u180bᠠ', 'xᠠ'],
  ['葛\u{e0100}', '葛'],
])('%j hides something: what is seen of it is %j', (text, seen) => {
  expect(hidesText(text)).toBe(true);
  expect(stripControls(text)).toBe(seen);
});

test.each<[string, string]>([
  ['joiners', '\u200d'],
  ['joined pictures', '😀\u200d'],
  ['pictures with selectors', '❤\ufe0f'],
  ['joined words', 'م\u200c'],
  ['viramas', 'क्\u200d'],
  ['keys without their frame', '1\ufe0f'],
  ['flags without an end', '🏴\u{e0067}\u{e0062}\u{e0073}'],
  ['selectors', '\ufe0f'],
])('%s take time in proportion to their number', (_what, part) => {
  const time = (length: number): number => {
    const text = part.repeat(Math.ceil(length / part.length));
    return leastProcessorTime(() => {
      stripControls(text);
      hidesText(text);
    });
  };
  time(16_384);
  // Sixteen times as long: what is quadratic takes 256 times as long.
  expect(time(262_144)).toBeLessThan(100 * Math.max(time(16_384), 0.2));
});
