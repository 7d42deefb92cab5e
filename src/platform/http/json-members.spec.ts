import { checkJsonMembers, JsonMembersError } from './json-members.js';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

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
