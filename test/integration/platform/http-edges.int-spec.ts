import { once } from 'node:events';
import { connect } from 'node:net';
import type { Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Body, Controller, Get, type INestApplication, Module, Post, Query, Req } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { IsOptional, IsString } from 'class-validator';
import type { Request } from 'express';
import { Environment } from '../../../src/platform/config/environment.js';
import { createHttpAdapter, useUriVersions } from '../../../src/app.setup.js';
import { cors } from '../../../src/platform/http/headers/cors.middleware.js';
import { ErrorFilter } from '../../../src/platform/http/server/error.filter.js';
import { InputGuard } from '../../../src/platform/http/input/input.guard.js';
import { OperationInput } from '../../../src/platform/http/input/operation-input.js';
import { RawJson } from '../../../src/platform/http/raw-json.js';
import { type RequestOutcome, requestContext } from '../../../src/platform/http/request-context.middleware.js';
import { PageQuery } from '../../../src/platform/operations/page.query.js';
import { defaultHeaders } from '../../../src/platform/http/service-messages.js';
import { CURRENT_VERSION } from '../../../src/platform/versioning/api-versions.js';
import { VersionGuard } from '../../../src/platform/versioning/version.guard.js';

class NoteBody {
  @IsString()
  text!: string;

  @IsOptional()
  @IsString()
  more?: string;
}

@Controller({ path: 'probes', version: '1' })
class ProbesController {
  @Get()
  @OperationInput({ query: PageQuery, readsBody: false })
  list(@Query() query: PageQuery) {
    return { data: [query.limit], next_page: query.cursor === undefined ? 'the+next/one' : null };
  }

  @Get('raw')
  @OperationInput({ readsBody: false })
  raw() {
    return new RawJson('{"as": "it  stands"}', { 'X-Extra': 'yes' });
  }

  @Get('fault')
  fault() {
    throw new Error('password of the database: hunter2');
  }

  @Get('away')
  away() {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  }

  @Get('prototypes')
  prototypes(@Req() request: Request) {
    return {
      request: Object.getPrototypeOf(request) === Reflect.get(request.app, 'request'),
      response: Object.getPrototypeOf(request.res) === Reflect.get(request.app, 'response'),
    };
  }

  @Get(':probe_id')
  @OperationInput({ readsBody: false })
  one(@Req() request: Request) {
    return { id: request.params.probe_id };
  }

  @Post('ignored')
  @OperationInput({ readsBody: true })
  ignored(@Req() request: Request) {
    return { digest: request.context.requestDigest };
  }

  @Post('notes')
  @OperationInput({ readsBody: true, body: NoteBody })
  note(@Body() body: NoteBody) {
    return { text: body.text, isChecked: body instanceof NoteBody };
  }
}

@Module({
  controllers: [ProbesController],
  providers: [
    { provide: APP_GUARD, useClass: VersionGuard },
    { provide: APP_GUARD, useClass: InputGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
class ProbesModule {}

const EMPTY_DIGEST = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const outcomes: RequestOutcome[] = [];
let app: INestApplication;
let base: string;
let port: number;

beforeAll(async () => {
  const environment = Object.assign(new Environment(), {
    baseUrl: 'https://public.example/market',
    trustedProxies: [],
    corsOrigins: ['https://app.example'],
  });
  app = await NestFactory.create(ProbesModule, createHttpAdapter(environment), { bodyParser: false, logger: false });
  useUriVersions(app);
  app.use(requestContext((outcome) => outcomes.push(outcome)));
  app.use(cors(environment.corsOrigins));
  await app.listen(0, '127.0.0.1');
  const server: Server = app.getHttpServer();
  ({ port } = server.address() as { port: number });
  base = `http://127.0.0.1:${port}`;
});

afterAll(() => app.close());

/** Sends a request and checks what every answer must have, whatever was asked. */
async function answer(path: string, init: RequestInit & { duplex?: 'half' } = {}) {
  const response = await fetch(`${base}${path}`, init);
  const text = await response.text();
  expect(response.headers.get('service-version')).toBe(CURRENT_VERSION);
  expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(response.headers.get('x-powered-by')).toBeNull();
  expect(response.headers.get('etag')).toBeNull();
  expect(response.headers.get('vary')).toContain('Service-Version');
  const body: any = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body, code: body?.error?.code };
}

function post(path: string, body: BodyInit, headers: Record<string, string> = {}) {
  return answer(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
}

/** Sends bytes unchanged and reads until the connection closes. */
async function raw(bytes: string): Promise<{ status: number; head: string; body: any }> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) };
}

function rawRequest(line: string, ...headers: string[]) {
  return raw(`${[line, 'Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`);
}

describe('routing', () => {
  it.each(['/V1/PROBES', '/v1/Probes', '/v1/probes/', '/v1//probes', '/v2/probes', '/', '/v1'])(
    '%s is no path of the service',
    async (path) => expect(await answer(path)).toMatchObject({ status: 404, code: 'unknown_route' }),
  );

  it.each(['DELETE', 'PUT', 'PATCH', 'POST'])(
    '%s on a path without it is 405 and names what there is',
    async (method) => {
      const refused = await answer('/v1/probes', { method });
      expect(refused).toMatchObject({ status: 405, code: 'method_not_allowed' });
      expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    },
  );

  it('a method in X-HTTP-Method-Override is not looked at', async () => {
    const refused = await answer('/v1/probes', { method: 'POST', headers: { 'x-http-method-override': 'GET' } });
    expect(refused).toMatchObject({ status: 405 });
  });

  it('TRACE is refused and echoes nothing', async () => {
    const refused = await rawRequest('TRACE /v1/probes HTTP/1.1', 'X-Secret: abc');
    expect(refused.status).toBe(405);
    expect(JSON.stringify(refused)).not.toContain('abc');
  });

  it('HEAD answers as GET, without the body', async () => {
    const head = await answer('/v1/probes', { method: 'HEAD' });
    const get = await answer('/v1/probes');
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-length')).toBe(String(get.text.length));
  });

  it('OPTIONS names the methods and lets no browser in', async () => {
    const options = await answer('/v1/probes', { method: 'OPTIONS', headers: { origin: 'https://evil.example' } });
    expect(options).toMatchObject({ status: 204, text: '' });
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(options.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('a listed origin passes its preflight and reads the headers', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    const preflight = await answer('/v1/probes', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    const read = await answer('/v1/probes', { headers: { origin: 'https://app.example' } });
    expect(read.headers.get('access-control-expose-headers')).toContain('Service-Version');
    expect(read.headers.get('vary')).toContain('Origin');
  });

  it('an identifier is taken decoded, and anything else is refused', async () => {
    expect((await answer('/v1/probes/t%31')).body).toEqual({ id: 't1' });
    for (const id of ['a%20b', 'a%2Fb', 'a%0d%0ab', 'x'.repeat(129), "a'--"]) {
      expect(await answer(`/v1/probes/${id}`)).toMatchObject({ status: 400, code: 'invalid_parameter' });
    }
    expect(await answer('/v1/probes/%FF')).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});

describe('query', () => {
  it('has its defaults and its numbers', async () => {
    expect((await answer('/v1/probes')).body.data).toEqual([25]);
    expect((await answer('/v1/probes?limit=100')).body.data).toEqual([100]);
  });

  it.each(['0', '101', '1e9', '-1', '+5', '1.5', '0x10', '', 'ten', '%201'])('limit=%s is refused', async (limit) => {
    expect(await answer(`/v1/probes?limit=${limit}`)).toMatchObject({ status: 400, code: 'invalid_parameter' });
  });

  it.each([
    'limit=1&limit=2',
    'limit=1&limit=1',
    'page[x]=1',
    'limit[]=1',
    'Limit=1',
    'offset=3',
    'api_key=k',
    '__proto__=1',
  ])('%s is refused as unknown', async (query) =>
    expect(await answer(`/v1/probes?${query}`)).toMatchObject({ status: 400, code: 'unknown_parameter' }),
  );

  it('a wrong limit is told its range, and everything that is wrong is told at once', async () => {
    const range = 'limit is an integer between 1 and 100.';
    for (const limit of ['0', '101', 'ten', '']) {
      expect((await answer(`/v1/probes?limit=${limit}`)).body.error).toEqual({
        code: 'invalid_parameter',
        reason: range,
        details: [{ path: 'limit', reason: range }],
      });
    }
    const both = await answer('/v1/probes?limit=0&cursor=');
    expect(both.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual(['cursor', 'limit']);
  });

  it('a parameter that is not known is named, as one line of visible text', async () => {
    expect((await answer('/v1/probes?lmit=1')).body.error.reason).toContain('"lmit"');
    const hostile = await answer(`/v1/probes?${encodeURIComponent(`\u202ea\r\n${'b'.repeat(500)}`)}=1`);
    expect(hostile.body.error.reason).toContain(`"\\u{202e}a ${'b'.repeat(54)}…"`);
  });

  it('an operation without parameters takes none', async () => {
    expect(await answer('/v1/probes/raw?x=1')).toMatchObject({ status: 400, code: 'unknown_parameter' });
  });

  it('an empty cursor, a huge one and one that is not UTF-8 are refused', async () => {
    for (const cursor of ['', 'x'.repeat(3000), '%E0%A4']) {
      expect(await answer(`/v1/probes?cursor=${cursor}`)).toMatchObject({ status: 400, code: 'invalid_parameter' });
    }
  });

  it('the same query asked twice has the same answer', async () => {
    const [first, second] = [await answer('/v1/probes?limit=7'), await answer('/v1/probes?limit=7')];
    expect(second.body).toEqual(first.body);
  });
});

describe('body', () => {
  it('no bytes are no body, however they are sent', async () => {
    expect((await answer('/v1/probes/ignored', { method: 'POST' })).body).toEqual({ digest: EMPTY_DIGEST });
    const chunked = await rawRequest(
      'POST /v1/probes/ignored HTTP/1.1',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked\r\n\r\n0',
    );
    expect(chunked.body).toEqual({ digest: EMPTY_DIGEST });
  });

  it('an object that is not needed is bound to the digest, in any order of members', async () => {
    const [a, b, c] = [
      await post('/v1/probes/ignored', '{"a":1,"b":[2]}'),
      await post('/v1/probes/ignored', ' {"b": [2.0],\n "a": 1}'),
      await post('/v1/probes/ignored', '{}'),
    ];
    expect(a.body).toEqual(b.body);
    expect(c.body.digest).toBe('0x44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  });

  it.each([
    ['a duplicate member', '{"text":"a","text":"b"}'],
    ['a duplicate member spelled otherwise', '{"text":"a","\\u0074ext":"b"}'],
    ['a duplicate member deep inside', '{"text":{"a":[{"b":1,"b":2}]}}'],
    ['a prototype member', '{"text":"a","__proto__":{"x":1}}'],
    ['broken JSON', '{"text":'],
    ['two documents', '{"text":"a"}{}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a text', '"text"'],
    ['a byte order mark', '\ufeff{"text":"a"}'],
    ['a lone surrogate', '{"text":"\\ud800"}'],
    ['a number beyond all', '{"text":1e999}'],
    ['100 levels', `${'{"text":'.repeat(100)}1${'}'.repeat(100)}`],
    ['an unknown member', '{"text":"a","other":1}'],
    ['a wrong type', '{"text":1}'],
    ['a missing member', '{}'],
  ])('%s is refused', async (_, body) => {
    expect(await post('/v1/probes/notes', body)).toMatchObject({ status: 400, code: 'invalid_body' });
  });

  it('every member that is wrong is told in one answer', async () => {
    const refused = await post('/v1/probes/notes', '{"more":1}');
    expect(refused.body.error).toEqual({
      code: 'invalid_body',
      reason: 'text is required. One more is in details.',
      details: [
        { path: 'text', reason: 'text is required.' },
        { path: 'more', reason: 'more must be a string.' },
      ],
    });
  });

  it('a member that is not known is named, and nothing else is told', async () => {
    const { error } = (await post('/v1/probes/notes', '{"txet":"a","more":1}')).body;
    expect(error.reason).toBe('The body has a member "txet", which is not known.');
    expect(error.suggestion).toBe('This body takes text, more.');
    expect(error.details).toEqual([{ path: 'txet', reason: error.reason }]);
  });

  it('a thousand members and elements are as many as there may be, also where no body is declared', async () => {
    const many = (count: number) =>
      `{"a":[${Array(count - 1)
        .fill('{}')
        .join()}]}`;
    expect((await post('/v1/probes/ignored', many(1_000))).status).toBe(201);
    const refused = await post('/v1/probes/ignored', many(1_001));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_body' });
    expect(refused.body.error.reason).toContain('1000');
  });

  it('bytes that are not UTF-8 are refused', async () => {
    expect(await post('/v1/probes/ignored', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toMatchObject({
      status: 400,
      code: 'invalid_body',
    });
  });

  it('a body of the declared shape arrives checked', async () => {
    expect((await post('/v1/probes/notes', '{"text":"a"}')).body).toEqual({ text: 'a', isChecked: true });
  });

  it('64 KiB pass and one byte more does not', async () => {
    const body = (bytes: number) => `{"x":"${'a'.repeat(bytes - 8)}"}`;
    expect((await post('/v1/probes/ignored', body(65_536))).status).toBe(201);
    expect(await post('/v1/probes/ignored', body(65_537))).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  it('a compressed body is refused before it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(await post('/v1/probes/ignored', bomb, { 'content-encoding': 'gzip' })).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
    });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', 'application/jsonx'])(
    '%s is refused',
    async (type) => {
      expect(await post('/v1/probes/ignored', '{}', { 'content-type': type })).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
      });
    },
  );
});

describe('the HTTP parser', () => {
  it.each([
    ['no HTTP', 'nonsense\r\n\r\n'],
    ['a broken header', 'GET /v1/probes HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n'],
    [
      'a length and chunks',
      'POST /v1/probes HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST /v1/probes HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc'],
    ['no host', 'GET /v1/probes HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('%s gets the one error shape', async (_, bytes) => {
    const { status, head, body } = await raw(bytes);
    expect(status).toBe(400);
    expect(head).toContain(`Service-Version: ${CURRENT_VERSION}`);
    expect(head).toMatch(/X-Request-Id: [A-Za-z0-9_-]+/);
    expect(body).toEqual({ error: { code: 'invalid_request', reason: expect.any(String) } });
  });

  it('headers beyond the limit are 431', async () => {
    const refused = await rawRequest('GET /v1/probes HTTP/1.1', `X-Long: ${'a'.repeat(40_000)}`);
    expect(refused).toMatchObject({ status: 431, body: { error: { code: 'headers_too_large' } } });
    expect(refused.head).toContain(`Service-Version: ${CURRENT_VERSION}`);
  });

  it.each([9_000, 40_000])('a target of %d characters is 414', async (length) => {
    const refused = await rawRequest(`GET /v1/probes?cursor=${'a'.repeat(length)} HTTP/1.1`);
    expect(refused).toMatchObject({ status: 414, body: { error: { code: 'uri_too_long' } } });
    expect(refused.head).toContain(`Service-Version: ${CURRENT_VERSION}`);
  });

  it('an expectation nobody knows does not change the answer', async () => {
    expect((await rawRequest('GET /v1/probes/raw HTTP/1.1', 'Expect: the-unexpected')).status).toBe(200);
  });
});

describe('versions', () => {
  it.each(['yesterday', '2026-1-1', '20261120', '2026-09-31', `${CURRENT_VERSION}, ${CURRENT_VERSION}`, ''])(
    '"%s" is not a version',
    async (version) => {
      const refused = await answer('/v1/probes', { headers: { 'service-version': version } });
      expect(refused).toMatchObject({ status: 400, code: 'invalid_version' });
    },
  );

  it.each(['2020-01-01', '2026-08-15', '2026-11-21', '2999-01-01'])(
    '%s, before the first or after the newest, is refused with those that are published',
    async (version) => {
      const refused = await answer('/v1/probes', { headers: { 'service-version': version } });
      expect(refused).toMatchObject({ status: 400, code: 'unsupported_version' });
      expect(refused.body.error.suggestion).toContain('2026-08-16, 2026-11-20');
    },
  );

  it.each([
    ['2026-08-16', '2026-08-16'],
    ['2026-08-17', '2026-08-16'],
    ['2026-11-19', '2026-08-16'],
    ['2026-11-20', '2026-11-20'],
  ])('%s is served, with %s', async (named, version) => {
    const served = await fetch(`${base}/v1/probes`, { headers: { 'service-version': named } });
    expect([served.status, served.headers.get('service-version')]).toEqual([200, version]);
    // A refusal names the same version as an answer does.
    const refused = await fetch(`${base}/v1/probes?limit=0`, { headers: { 'service-version': named } });
    expect([refused.status, refused.headers.get('service-version')]).toEqual([400, version]);
  });
});

describe('replies', () => {
  it('ready JSON leaves byte for byte, with its headers', async () => {
    const reply = await answer('/v1/probes/raw');
    expect(reply.text).toBe('{"as": "it  stands"}');
    expect(reply.headers.get('x-extra')).toBe('yes');
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(reply.headers.get('content-length')).toBe('20');
  });

  it('a page that has a next one links to it at the public address, whatever Host says', async () => {
    const page = await answer('/v1/probes?limit=3', { headers: { 'x-forwarded-host': 'evil.example' } });
    expect(page.headers.get('link')).toBe(
      '<https://public.example/market/v1/probes?limit=3&cursor=the%2Bnext%2Fone>; rel="next"',
    );
    expect((await answer('/v1/probes?cursor=a')).headers.get('link')).toBeNull();
  });

  it('a fault shows nothing of itself', async () => {
    const fault = await answer('/v1/probes/fault');
    expect(fault).toMatchObject({ status: 500, code: 'internal_error' });
    expect(fault.text).not.toContain('hunter2');
  });

  it('a part that is away is 503, and says when to come back', async () => {
    const away = await answer('/v1/probes/away');
    expect(away).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('a request id from a stranger is not taken over', async () => {
    const reply = await answer('/v1/probes', { headers: { 'x-request-id': 'mine' } });
    expect(reply.headers.get('x-request-id')).not.toBe('mine');
  });

  it('every request is reported once, with its route and code', async () => {
    outcomes.length = 0;
    await answer('/v1/probes/p1?x=1');
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ status: 400, request: { context: { errorCode: 'unknown_parameter' } } });
    expect(outcomes[0]!.request.route.path).toBe('/v1/probes/:probe_id');
  });
});

describe('Express', () => {
  it('finds its own prototypes on every message and changes none', async () => {
    const changed: object[] = [];
    const original = Object.setPrototypeOf;
    const spy = jest.spyOn(Object, 'setPrototypeOf').mockImplementation((target: any, prototype) => {
      if (Object.getPrototypeOf(target) !== prototype) changed.push(target);
      return original(target, prototype);
    });
    const reply = await answer('/v1/probes/prototypes');
    spy.mockRestore();
    expect(reply.body).toEqual({ request: true, response: true });
    const messages = changed.filter((target) => 'httpVersion' in target || 'statusCode' in target);
    expect(messages).toEqual([]);
  });
});

describe('a service with a certificate', () => {
  it('tells browsers never to ask it in clear, also where the parser refuses', async () => {
    expect((await answer('/v1/probes')).headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect((await raw('nonsense\r\n\r\n')).head).toContain('Strict-Transport-Security: max-age=31536000');
  });

  it('is silent about it on http, where browsers would ignore it', () => {
    expect(defaultHeaders('http://127.0.0.1:3000').map(([name]) => name)).not.toContain('Strict-Transport-Security');
  });
});
