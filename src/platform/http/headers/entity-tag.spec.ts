import type { Response } from 'express';
import { answerNotModified, nameCoding } from './entity-tag.js';

const BYTES = Buffer.from('{"id":"task_1"}');
const DIGEST = tagOf().slice(1, -1);

/** A response as far as the tag needs it. */
function responseTo(condition?: string) {
  const headers = new Map<string, string>();
  const response = {
    req: { headers: condition === undefined ? {} : { 'if-none-match': condition } },
    statusCode: 200,
    isEnded: false,
    setHeader: (name: string, value: string) => headers.set(name, value),
    getHeader: (name: string) => headers.get(name),
    vary: (name: string) => headers.set('Vary', name),
    end() {
      response.isEnded = true;
    },
  };
  return Object.assign(response as unknown as Response & typeof response, { sent: headers });
}

function tagOf(bytes = BYTES): string {
  const response = responseTo();
  answerNotModified(response, bytes);
  return response.sent.get('ETag')!;
}

it('is strong, the same for the same bytes and another for others', () => {
  expect(tagOf()).toMatch(/^"[\w-]{22}"$/);
  expect(tagOf(Buffer.from(BYTES))).toBe(tagOf());
  expect(tagOf(Buffer.from('{"id":"task_2"}'))).not.toBe(tagOf());
});

it.each([
  ['alone', `"${DIGEST}"`, `"${DIGEST}"`],
  ['among others', `"x", W/"y",  "${DIGEST}" , "z"`, `"${DIGEST}"`],
  ['weakened by a proxy', `W/"${DIGEST}"`, `"${DIGEST}"`],
  ['of the compressed answer', `"${DIGEST}.br"`, `"${DIGEST}.br"`],
  ['of the compressed answer, weakened', `"other", W/"${DIGEST}.gzip"`, `"${DIGEST}.gzip"`],
  ['by a star', ' * ', `"${DIGEST}"`],
])('named %s, the answer is 304 with the tag that its 200 would have', (_, condition, tag) => {
  const response = responseTo(condition);
  expect(answerNotModified(response, BYTES)).toBe(true);
  expect([response.statusCode, response.isEnded, response.sent.get('ETag')]).toEqual([304, true, tag]);
  expect(response.sent.get('Vary')).toBe('Accept-Encoding');
});

it.each([
  undefined,
  '',
  ',',
  DIGEST,
  `'${DIGEST}'`,
  `"${DIGEST}`,
  `"${DIGEST.slice(1)}"`,
  `"${DIGEST}x"`,
  `"${DIGEST}.zip"`,
  `w/"${DIGEST}"`,
  `"*"`,
  '*, *',
  `"x" "${DIGEST}"`,
  '"other", W/"another"',
])('%j does not name it', (condition) => {
  const response = responseTo(condition);
  expect(answerNotModified(response, BYTES)).toBe(false);
  expect([response.statusCode, response.isEnded, response.sent.get('ETag')]).toEqual([200, false, `"${DIGEST}"`]);
});

it('says the content coding, which makes another representation of the answer', () => {
  const response = responseTo();
  answerNotModified(response, BYTES);
  nameCoding(response);
  expect(response.sent.get('ETag')).toBe(`"${DIGEST}"`);
  response.setHeader('Content-Encoding', 'br');
  nameCoding(response);
  expect(response.sent.get('ETag')).toBe(`"${DIGEST}.br"`);
});

it("leaves a tag of somebody else's as it is", () => {
  const response = responseTo();
  response.setHeader('ETag', '"made-elsewhere"');
  response.setHeader('Content-Encoding', 'gzip');
  nameCoding(response);
  expect(response.sent.get('ETag')).toBe('"made-elsewhere"');
});
