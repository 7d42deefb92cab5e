import { randomUUID } from 'node:crypto';
import { expectError, expectEveryHeader } from '../../support/e2e/answers.js';
import { send, sendBytes } from '../../support/e2e/http-request.js';
import { expectUntouched, WatchedNode } from './watched-node.js';
import type { ApiAnswer } from '../../support/market.js';

let watched: WatchedNode;

beforeAll(async () => {
  watched = await WatchedNode.create();
});

/** Requests that were refused in this file must have changed nothing. */
afterEach(() => expectUntouched(watched));
afterAll(() => watched.fixture.close());

describe('a path that is not exactly one of ours', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v2/tasks',
    '/v0/tasks',
    '/tasks',
    '/V1/tasks',
    '/v1/Tasks',
    '/v1/tasks/',
    '//v1/tasks',
    '/v1//tasks',
    '/v1/./tasks',
    '/v1/../v1/tasks',
    '/v1/%2e%2e/v1/tasks',
    '/v1/tasks%2f',
    '/v1/tasks%00',
    '/v1/tasks;x=1',
    '/v1/tasks.json',
    '/%76%31/tasks/',
    '/metrics',
    '/health',
    '/health/live',
    '/health/ready',
    '/admin',
    '/favicon.ico',
    '/.env',
    '/v1/openapi.json',
    '/constructor',
    '/__proto__',
  ])('%s is 404', async (path) => {
    for (const answer of [await watched.get(path), await send(path), await watched.post({}, path)])
      expectError(answer, 404, 'unknown_route');
  });
});

describe('a method that a path does not have', () => {
  const CASES: [string, string][] = ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'].map((method) => [
    method,
    '/v1/tasks',
  ]);

  it.each(CASES)('%s %s is 405 with what it has', async (method, path) => {
    const answer = await send(path, { method, headers: [['X-Api-Key', watched.buyer.keys.read]] });
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('TRACE and CONNECT show nothing of the request', async () => {
    const trace = await sendBytes(
      `TRACE /v1/tasks HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${watched.buyer.keys.read}\r\nConnection: close\r\n\r\n`,
    );
    expect([405, 404]).toContain(trace.status);
    expectError(trace, trace.status, trace.body.error.code);
    expect(trace.text).not.toContain(watched.buyer.keys.read);
  });

  it('GET on operation 1 is 405', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD']) {
      const answer = await send(watched.intents, { method, headers: [['X-Api-Key', watched.worker.keys.worker]] });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'OPTIONS, POST']);
      expectEveryHeader(answer);
    }
  });

  it('OPTIONS says what it has, and allows no origin', async () => {
    const answer = await send('/v1/tasks', {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'GET' },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expectEveryHeader(answer);
  });

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])('%s changes nothing', async (name) => {
    const answer = await send(watched.intents, {
      method: 'GET',
      headers: [
        ['X-Api-Key', watched.worker.keys.worker],
        [name, 'POST'],
        ['Idempotency-Key', randomUUID()],
      ],
    });
    expectError(answer, 405, 'method_not_allowed');
    expectError(
      await send(`${watched.intents}?_method=POST`, { headers: [['X-Api-Key', watched.worker.keys.worker]] }),
      405,
      'method_not_allowed',
    );
  });
});

describe('what HTTP itself does not allow', () => {
  const head = (...lines: string[]): string =>
    `${['GET /v1/tasks HTTP/1.1', 'Host: x', ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`;

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a header without a colon', head('X-Api-Key')],
    ['a blank in a header name', head('X Api: 1')],
    ['a bare line feed smuggling a header', head('X-A: 1\rX-B: 2')],
    ['a null in a header', head('X-A: a\0b')],
    ['two lengths', head('Content-Length: 1', 'Content-Length: 2')],
    ['a length and chunks', head('Content-Length: 5', 'Transfer-Encoding: chunked')],
    ['a length that is no number', head('Content-Length: ten')],
    [
      'an unknown transfer coding',
      'POST /v1/tasks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    ],
    ['an unknown protocol', 'GET /v1/tasks HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a blank in the target', 'GET /v1/tasks x HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no host', 'GET /v1/tasks HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['TLS on the plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('%s is 400', async (_, bytes) => {
    expectError(await sendBytes(bytes), 400, 'invalid_request');
  });

  it('a header that is smuggled in by CRLF in a value does not reach the answer', async () => {
    for (const path of ['/v1/tasks/a%0d%0aX-Evil:%201', '/v1/tasks?cursor=%0d%0aX-Evil:%201', '/%0d%0aX-Evil:%201']) {
      const answer = await watched.get(path, [['X-Request-Id', 'a b']]);
      expect(answer.headers.get('x-evil')).toBeNull();
      expectError(answer, answer.status, answer.body.error.code);
    }
  });

  it('a target of more than 8 KiB is 414', async () => {
    for (const length of [9_000, 15_000, 40_000]) {
      const answer = await sendBytes(
        `GET /v1/tasks?cursor=${'x'.repeat(length)} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${watched.buyer.keys.read}\r\nConnection: close\r\n\r\n`,
      );
      expectError(answer, 414, 'uri_too_long');
    }
  });

  it('headers of more than 32 KiB are 431', async () => {
    expectError(await sendBytes(head(`X-Long: ${'x'.repeat(40_000)}`)), 431, 'headers_too_large');
    expectError(
      await sendBytes(head(...Array.from({ length: 1_500 }, (_, n) => `X-Header-Number-${n}: abcdefgh`))),
      431,
      'headers_too_large',
    );
  });

  it('leaves the service as it was', async () => {
    expect((await watched.get('/v1/tasks?limit=1')).status).toBe(200);
  });
});

describe('headers', () => {
  it('that name another host, protocol or caller change nothing that is answered', async () => {
    const answer = await watched.get('/v1/tasks?limit=1', [
      ['Host', 'evil.example'],
      ['X-Forwarded-Host', 'evil.example'],
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-Prefix', '/evil'],
      ['Forwarded', 'host=evil.example'],
      ['X-Original-URL', '/v1/quotes'],
      ['X-Rewrite-URL', '/v1/quotes'],
      ['X-Forwarded-For', '1.2.3.4'],
    ]);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('link')).toContain(`<${watched.fixture.market.base_url}/v1/tasks?`);
    expect(JSON.stringify([...answer.headers]) + answer.text).not.toContain('evil');
  });

  it('of a browser elsewhere are given no access', async () => {
    const answer = await watched.get('/v1/tasks?limit=1', [['Origin', 'https://evil.example']]);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('Service-Version twice is 400', async () => {
    const version = (await watched.get('/v1/tasks?limit=1')).headers.get('service-version')!;
    expectError(
      await watched.get('/v1/tasks', [
        ['Service-Version', version],
        ['Service-Version', version],
      ]),
      400,
      'invalid_version',
    );
  });

  it('If-None-Match that names nothing gets the whole answer', async () => {
    for (const condition of ['', ',', '"', 'W/', '"x', '"*"', '*, *', `"${'x'.repeat(8_000)}"`]) {
      expect((await watched.get('/v1/tasks?limit=1', [['If-None-Match', condition]])).status).toBe(200);
    }
  });

  it('Expect is answered, or refused in the one shape', async () => {
    const answer = await watched.get('/v1/tasks?limit=1', [['Expect', '200-ok']]);
    expect([200, 400, 417]).toContain(answer.status);
    expectEveryHeader(answer);
  });
});

it('the checks are made in the fixed order', async () => {
  const wrongEverywhere = {
    method: 'POST',
    body: '{',
    headers: [['Content-Type', 'application/json']] as [string, string][],
  };
  const with_ = (headers: [string, string][], path: string, method = 'POST'): Promise<ApiAnswer> =>
    send(path, { ...wrongEverywhere, method, headers: [...wrongEverywhere.headers, ...headers] });
  const bad = '/v1/tasks/!/nodes/!/abandon-intents?x=1';
  // Route and method are checked before the version, the version before the credential, then the scope, and the input
  // last.
  expectError(await with_([['Service-Version', 'x']], '/v9/tasks'), 404, 'unknown_route');
  expectError(await with_([['Service-Version', 'x']], bad, 'PUT'), 405, 'method_not_allowed');
  expectError(await with_([['Service-Version', 'x']], bad), 400, 'invalid_version');
  expectError(await with_([], bad), 401, 'unauthenticated');
  expectError(await with_([['X-Api-Key', watched.worker.keys.read]], bad), 403, 'insufficient_scope');
  const parameters = await with_([['X-Api-Key', watched.worker.keys.worker]], bad);
  expect([parameters.status, ['invalid_parameter', 'unknown_parameter'].includes(parameters.body.error.code)]).toEqual([
    400,
    true,
  ]);
  expectError(
    await with_([['X-Api-Key', watched.worker.keys.worker]], watched.intents),
    400,
    'idempotency_key_missing',
  );
  expectError(
    await with_(
      [
        ['X-Api-Key', watched.worker.keys.worker],
        ['Idempotency-Key', 'k'],
      ],
      watched.intents,
    ),
    400,
    'invalid_body',
  );
});
