import { jcs } from './canonical-json.js';

test('the example of RFC 8785 is canonicalised as the RFC shows', () => {
  const input = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
      '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  );
  expect(jcs(input)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test('members are sorted by UTF-16 code units, as the RFC orders them', () => {
  const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
  const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
  const text = jcs(Object.fromEntries(names.map((name, i) => [name, i])));
  expect(Object.keys(JSON.parse(text)).filter((name) => name !== '1')).toEqual(sorted.filter((name) => name !== '1'));
  expect(text.indexOf('"\\r"')).toBeLessThan(text.indexOf('"1"'));
});

test.each<[unknown, string]>([
  [-0, '0'],
  [1e21, '1e+21'],
  [123456789012345680000, '123456789012345680000'],
  [5e-324, '5e-324'],
  [Number('9007199254740993'), '9007199254740992'],
  ['\u2028', '"\u2028"'],
  [{}, '{}'],
  [[], '[]'],
  [{ b: undefined, a: [{ d: 1, c: null }] }, '{"a":[{"c":null,"d":1}]}'],
  [JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
])('%j is canonically %s', (value, text) => {
  expect(jcs(value)).toBe(text);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, [Number.NEGATIVE_INFINITY]])('%p has no canonical form', (value) => {
  expect(() => jcs(value)).toThrow(RangeError);
});

test.each<[string, unknown]>([
  ['a lone high surrogate', '\ud800'],
  ['a lone low surrogate in a name', { '\udc00': 1 }],
  ['undefined', undefined],
  ['undefined in an array', [undefined]],
  ['a bigint', 1n],
  ['a function', () => 1],
  ['a Date', new Date(0)],
  ['a Map', new Map()],
])('%s has no canonical form', (_what, value) => {
  expect(() => jcs(value)).toThrow(TypeError);
});

test('hostile nesting is refused before it exhausts the stack', () => {
  expect(() => jcs(JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`))).toThrow(RangeError);
  expect(jcs(JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`))).toBe(`${'['.repeat(200)}${']'.repeat(200)}`);
});
