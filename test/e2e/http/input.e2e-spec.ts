import { Environment } from '../../../src/platform/config/environment.js';
import { Cursors } from '../../../src/platform/pagination/cursor.js';
import { Sealer } from '../../../src/platform/secrets/sealer.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { expectError } from '../../support/e2e/answers.js';
import { rowsAbout } from '../../support/e2e/database-rows.js';
import { sendBytes } from '../../support/e2e/http-request.js';
import { marketSecret } from '../../support/e2e/market-fixture.js';
import { expectUntouched, WatchedNode } from './watched-node.js';

let watched: WatchedNode;

beforeAll(async () => {
  watched = await WatchedNode.create();
});

/** Requests that were refused in this file must have changed nothing. */
afterEach(() => expectUntouched(watched));
afterAll(() => watched.fixture.close());

it('the watch over the tables sees a change', async () => {
  const quoted = await watched.fixture.person('Watched');
  const first = await rowsAbout(quoted.account_id);
  await watched.fixture.draft(quoted);
  expect(await rowsAbout(quoted.account_id)).not.toEqual(first);
});

describe('a body', () => {
  const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  it.each([
    ['that is not JSON', '{'],
    ['cut off', '{"a":"b'],
    ['with a trailing comma', '{"a":1,}'],
    ['in single quotes', "{'a':1}"],
    ['with NaN', '{"a":NaN}'],
    ['with something behind it', '{} {}'],
    ['with a member twice', '{"a":1,"a":1}'],
    ['with a member twice inside', '{"x":{"a":1,"\\u0061":2}}'],
    ['that is an array', '[]'],
    ['that is a text', '"abandon"'],
    ['that is a number', '1'],
    ['that is null', 'null'],
    ['of blanks only', '   '],
    ['that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['with a lone surrogate', '{"a":"\\ud800"}'],
    ['a thousand objects deep', deep(1_000)],
    ['ten thousand arrays deep', '{"a":' + '['.repeat(10_000) + ']'.repeat(10_000) + '}'],
  ])('%s is 400', async (_, body) => {
    expectError(await watched.post({ body }), 400, 'invalid_body');
  });

  it.each([64 * 1024 + 1, 1_048_576])('of %i bytes is 413', async (size) => {
    const body = `{"a":"${'x'.repeat(size - 8)}"}`;
    expect(Buffer.byteLength(body)).toBe(size);
    expectError(await watched.post({ body }), 413, 'payload_too_large');
  });

  it('of too many bytes in chunks is 413 too', async () => {
    const chunk = 'x'.repeat(8_192);
    const head =
      `POST ${watched.intents} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${watched.worker.keys.worker}\r\nIdempotency-Key: chunks\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
    const answer = await sendBytes(`${head}${`2000\r\n${chunk}\r\n`.repeat(10)}0\r\n\r\n`);
    expectError(answer, 413, 'payload_too_large');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonx',
    'text/json',
  ])('of type %s is 415', async (type) => {
    expectError(
      await watched.post({ body: '{"a":1}', headers: [['Content-Type', type]] }),
      415,
      'unsupported_media_type',
    );
  });

  it('without a type is 415', async () => {
    expectError(await watched.post({ body: '{"a":1}', headers: [] }), 415, 'unsupported_media_type');
  });

  it.each(['gzip', 'deflate', 'br'])('that is compressed with %s is refused', async (encoding) => {
    const answer = await watched.post({
      body: '{}',
      headers: [
        ['Content-Type', 'application/json'],
        ['Content-Encoding', encoding],
      ],
    });
    expectError(answer, 415, 'unsupported_media_type');
  });

  it('of another charset is refused', async () => {
    const answer = await watched.post({ body: '{}', headers: [['Content-Type', 'application/json; charset=utf-16']] });
    expectError(answer, 415, 'unsupported_media_type');
  });
});

describe('query parameters', () => {
  const LISTS = [
    '/v1/tasks',
    '/v1/quotes',
    '/v1/deliveries',
    '/v1/receipts',
    '/v1/reputation',
    ['nodes'],
    ['matches'],
  ] as const;
  const listPath = (list: (typeof LISTS)[number]): string =>
    typeof list === 'string' ? list : `/v1/tasks/${watched.node.task.id}/${list[0]}`;

  it.each([
    '0',
    '101',
    '-1',
    '1000000000',
    '99999999999999999999',
    '1.0',
    '1e1',
    '+5',
    '%2B5',
    '٣',
    encodeURIComponent('٣'),
    '0x10',
    '',
    '%20',
    '5%20',
    'NaN',
    'true',
    'null',
    '5%00',
    '1,2',
  ])('limit=%s is 400 on every list, never clamped', async (limit) => {
    for (const list of LISTS) {
      const bytes = Buffer.from(`${listPath(list)}?limit=${limit}`, 'utf8').toString('latin1');
      const answer = /[^ -~]/.test(limit)
        ? await sendBytes(
            `GET ${bytes} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${watched.buyer.keys.read}\r\nConnection: close\r\n\r\n`,
          )
        : await watched.get(bytes);
      expect([list, answer.status]).toEqual([list, 400]);
      expectError(answer, 400, /[^ -~]/.test(limit) ? answer.body.error.code : 'invalid_parameter');
    }
  });

  it.each(['1', '100', '007'])('limit=%s', async (limit) => {
    const { status } = await watched.get(`/v1/tasks?limit=${limit}`);
    expect(status).toBe(200);
  });

  it('that are unknown, repeated or not plain are 400 on every operation', async () => {
    for (const list of LISTS) {
      for (const query of [
        'page=1',
        'Limit=1',
        'limit=1&limit=1',
        'limit=1&limit=2',
        'limit[]=1',
        'limit[a]=1',
        'x',
        '__proto__=1',
        'constructor=1',
        'cursor[$ne]=1',
        '%6cimit=1&limit=1',
      ]) {
        expectError(await watched.get(`${listPath(list)}?${query}`), 400, 'unknown_parameter');
      }
    }
    for (const path of [`/v1/tasks/${watched.node.task.id}`, `/v1/tasks/${watched.node.task.id}/preview`]) {
      expectError(await watched.get(`${path}?limit=1`), 400, 'unknown_parameter');
    }
    expectError(await watched.post({}, `${watched.intents}?dry_run=1`), 400, 'unknown_parameter');
  });

  it('of one list are unknown to another', async () => {
    expectError(await watched.get('/v1/tasks?task_id=x'), 400, 'unknown_parameter');
    expectError(await watched.get('/v1/quotes?agent_id=x'), 400, 'unknown_parameter');
    expectError(await watched.get('/v1/reputation?task_id=x'), 400, 'unknown_parameter');
    expectError(await watched.get('/v1/deliveries?status=submitted'), 400, 'unknown_parameter');
  });

  it.each(['a b', 'é', 'a/b', "a'--", 'a'.repeat(129), '', '../x', 'a\0', '<x>'])(
    'an id %j in a filter is 400',
    async (id) => {
      for (const path of [
        '/v1/quotes?task_id=',
        '/v1/deliveries?task_id=',
        '/v1/receipts?task_id=',
        '/v1/reputation?agent_id=',
      ])
        expectError(await watched.get(path + encodeURIComponent(id)), 400, 'invalid_parameter');
    },
  );

  it('of a closed enumeration take its values only', async () => {
    for (const query of ['status=Draft', 'status=', 'status=nonsense', 'status=draft,open', 'role=hirer', 'role='])
      expectError(await watched.get(`/v1/tasks?${query}`), 400, 'invalid_parameter');
  });

  it('that are not decodable are 400', async () => {
    for (const query of ['limit=%', 'limit=%zz', 'cursor=%ff', '%=1']) {
      const answer = await watched.get(`/v1/tasks?${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
      expectError(answer, 400, answer.body.error.code);
    }
  });
});

describe('a cursor', () => {
  const refused = async (cursor: string, path = '/v1/tasks'): Promise<string> => {
    const answer = await watched.get(`${path}?limit=1&cursor=${encodeURIComponent(cursor)}`);
    expectError(answer, 400, 'invalid_cursor');
    return answer.text;
  };

  it('that was tampered with anywhere, or made up, is 400 in the same words', async () => {
    const good: string = (await watched.get('/v1/tasks?limit=1')).body.next_page;
    expect((await watched.get(`/v1/tasks?limit=1&cursor=${good}`)).status).toBe(200);
    const flip = (at: number): string => good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1);
    const bad = [
      ...Array.from({ length: good.length }, (_, at) => flip(at)),
      good.slice(0, -1),
      `${good}A`,
      `${good}=`,
      `${good} `,
      good + good,
      'x',
      '0',
      'AAAA',
      Buffer.from('{"offset":25}').toString('base64url'),
      'x'.repeat(2_000),
      "' OR 1=1",
      '٣',
    ];
    const words = new Set<string>();
    for (const cursor of bad) words.add(await refused(cursor));
    expect(words.size).toBe(1);
  });

  it('that is empty or too long is 400', async () => {
    expectError(await watched.get('/v1/tasks?cursor='), 400, 'invalid_parameter');
    expectError(await watched.get(`/v1/tasks?cursor=${'x'.repeat(4_000)}`), 400, 'invalid_parameter');
  });

  it('lives 72 hours, and not an hour more', async () => {
    const sealer = new Sealer(Object.assign(new Environment(), { appSecret: marketSecret() }));
    const clock = new Clock();
    const cursors = new Cursors(sealer, clock);
    const binding = { accountId: watched.buyer.account_id, operationId: 'listTasks', filters: {} };
    const position = cursors.open(binding, (await watched.get('/v1/tasks?limit=1')).body.next_page);
    const madeAgo = (hours: number): string => {
      clock.nowMs = () => Date.now() - hours * 3_600_000;
      return new Cursors(sealer, clock).seal(binding, position);
    };
    // Sealed as the service seals cursors, so that only the age can make the difference.
    expect((await watched.get(`/v1/tasks?limit=1&cursor=${madeAgo(72)}`)).status).toBe(200);
    await refused(madeAgo(73.01));
    await refused(cursors.seal({ ...binding, accountId: watched.worker.account_id }, position));
  });
});

describe('an id in a path', () => {
  it.each(['a b', 'é', "a'--", '<x>', '..;', 'a'.repeat(129), '%', 'a.b', 'a\0b', '*', '$where'])(
    '%j is 400',
    async (id) => {
      const text = encodeURIComponent(id);
      for (const path of [
        `/v1/tasks/${text}`,
        `/v1/tasks/${text}/nodes`,
        `/v1/tasks/${text}/matches`,
        `/v1/tasks/${text}/preview`,
        `/v1/actions/${text}`,
      ])
        expectError(await watched.get(path), 400, 'invalid_parameter');
      expectError(
        await watched.post({}, `/v1/tasks/${text}/nodes/${watched.node.id}/abandon-intents`),
        400,
        'invalid_parameter',
      );
      expectError(
        await watched.post({}, `/v1/tasks/${watched.node.task.id}/nodes/${text}/abandon-intents`),
        400,
        'invalid_parameter',
      );
    },
  );

  it('of 128 characters may be, and is not found', async () => {
    expectError(await watched.get(`/v1/tasks/${'a'.repeat(128)}`), 404, 'not_found');
  });

  it('may be written in percent signs, and is the same', async () => {
    const encoded = Array.from(watched.node.task.id, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    expect((await watched.get(`/v1/tasks/${encoded}`)).body.id).toBe(watched.node.task.id);
  });

  it('with an encoded slash, dots or bad percent signs finds nothing', async () => {
    for (const path of [
      '/v1/tasks/a%2Fb',
      '/v1/tasks/..%2Ftasks',
      '/v1/tasks/%2e%2e',
      '/v1/tasks/%',
      '/v1/tasks/%zz',
      '/v1/tasks/%c0%ae',
    ]) {
      const answer = await watched.get(path);
      expect([path, [400, 404].includes(answer.status)]).toEqual([path, true]);
      expectError(answer, answer.status, answer.body.error.code);
    }
  });
});
