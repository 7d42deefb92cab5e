import { checkJsonMembers, JsonMembersError } from './json-members.js';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const parts = (count: number, part: string) => `[${Array(count).fill(part).join(' , ')}]`;

it.each([
  '{}',
  '{"a":1,"b":1}',
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":1}]',
  '{"a":"a","b":["a","a","b"]}',
  '{"a":"b\\":1,\\"a","b":2}',
  '{"a\\"":1,"a":2}',
  '{"a":"{\\"x\\":1,\\"x\\":2}"}',
  '{"a" \n:1, "b"\t: 2}',
  '{"constructor":1,"toString":2}',
  nested(32),
])('%s has nothing wrong', (text) => expect(() => checkJsonMembers(text)).not.toThrow());

it.each([
  '{"a":1,"a":1}',
  '{"a":1,"b":{},"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"":1,"":2}',
  '[[{"x":{"a":1,"b":[],"a":2}}]]',
  '{"a":"}","a":1}',
  '{"a":"\\\\","a":1}',
  '{"__proto__":1}',
  '{"a":{"\\u005f_proto__":{}}}',
  nested(33),
])('%s is refused', (text) => expect(() => checkJsonMembers(text)).toThrow(JsonMembersError));

it.each(['', '{', '"', '"\\', '{"a', '}}]]', '{"a":1,,}'])('broken text %s is left to the parser', (text) => {
  expect(() => checkJsonMembers(text)).not.toThrow();
});

describe('members and elements', () => {
  it.each([
    ['elements', parts(1_000, '0')],
    ['objects with nothing in them', parts(1_000, '{ }')],
    ['elements of elements', parts(500, '[0]')],
    ['members', `{${Array.from({ length: 1_000 }, (_, n) => `"m${n}":0`).join()}}`],
    ['members of elements', `{"a":[${Array(333).fill('{"a":0,"b":1}').join()}]}`],
    ['texts with commas and brackets', parts(1_000, '"[,,,{,\\",[]"')],
  ])('up to a thousand %s are taken', (_, text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(() => checkJsonMembers(text)).not.toThrow();
  });

  it.each([
    ['elements', parts(1_001, '0')],
    ['objects with nothing in them', parts(1_001, '{ }')],
    ['elements of elements', parts(501, '[0]')],
    ['members', `{${Array.from({ length: 1_001 }, (_, n) => `"m${n}":0`).join()}}`],
    ['members of elements', `{"a":[${Array(334).fill('{"a":0,"b":1}').join()}]}`],
  ])('more than a thousand %s are refused', (_, text) => {
    expect(() => checkJsonMembers(text)).toThrow('The body has more than 1000 members and elements.');
  });

  it('the first fault ends it: what comes behind is not looked at', () => {
    expect(() => checkJsonMembers(`${parts(1_001, '0')}{"a":1,"a":1}`)).toThrow('more than 1000');
    expect(() => checkJsonMembers(`[{"a":1,"a":1},${parts(1_001, '0')}]`)).toThrow('twice');
  });
});
