import http from 'node:http';
import { Controller, Get, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { RouteAudit } from '../../../src/modules/credentials/guards/route-audit.js';
import { RequireScope, SCOPES, type Scope } from '../../../src/modules/credentials/scope.js';
import { Public } from '../../../src/platform/http/public-route.decorator.js';
import { createMigratedDatabase } from '../../support/database.js';
import { PROBE_TABLE, type ProbeApp, startProbeApp } from '../../support/probe-app.js';
import { testEnvironment } from '../../support/test-environment.js';
import { madeUpKey } from '../../support/made-up-key.js';

const METADATA = 'resource_metadata="https://market.example/.well-known/oauth-protected-resource"';
const DPOP = 'DPoP realm="tasktree", algs="ES256 EdDSA"';

let database: { url: string; dataSource: DataSource };
let app: ProbeApp;
let keys: Record<Scope, string>;

beforeAll(async () => {
  database = await createMigratedDatabase();
  await database.dataSource.query(PROBE_TABLE);
  app = await startProbeApp(
    testEnvironment(database.url, { rateLimitAuthFailures: 1000, trustedProxies: ['127.0.0.1'] }),
  );
  keys = (await app.newCaller()).keys;
});

afterAll(async () => {
  await app?.close();
  await database?.dataSource.destroy();
});

interface Seen {
  status: number;
  code: string | undefined;
  body: any;
  challenge: string | undefined;
}

function get(path: string, headers: Record<string, string | string[]> = {}, url = app.url): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const request = http.get(url + path, { headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const body = JSON.parse(text);
        const challenge = response.headers['www-authenticate'];
        resolve({ status: response.statusCode!, code: body.error?.code, body, challenge });
      });
    });
    request.on('error', reject);
  });
}

it('a good key is its account', async () => {
  const { status, body } = await get('/v1/whoami', { 'X-Api-Key': keys.read });
  expect([status, body.account_id, body.credential_id]).toEqual([
    200,
    expect.stringMatching(/^acct_/),
    expect.stringMatching(/^key_/),
  ]);
});

describe('no credential', () => {
  it.each([
    ['at all', '/v1/whoami', () => ({})],
    ['but a key in the query', '/v1/whoami?api_key=', () => ({})],
    ['but a key in a cookie', '/v1/whoami', () => ({ Cookie: `api_key=${keys.read}; X-Api-Key=${keys.read}` })],
    [
      'but a key as Basic credentials',
      '/v1/whoami',
      () => ({ Authorization: `Basic ${Buffer.from(`${keys.read}:`).toString('base64')}` }),
    ],
    ['but a key as its own scheme', '/v1/whoami', () => ({ Authorization: `ApiKey ${keys.read}` })],
  ])('%s: 401 with a challenge', async (_, path, headers) => {
    const seen = await get(path.endsWith('=') ? path + keys.read : path, headers());
    expect([seen.status, seen.code]).toEqual([401, 'unauthenticated']);
    expect(seen.challenge).toBe(`Bearer realm="tasktree", scope="read", ${METADATA}, ${DPOP}`);
  });
});

describe('a bearer token', () => {
  it.each(['Bearer x.y.z', 'bearer x', 'Bearer', 'BEARER  '])(
    '"%s" is not valid, and says where to get one',
    async (value) => {
      const seen = await get('/v1/whoami', { Authorization: value });
      expect([seen.status, seen.code]).toEqual([401, 'invalid_token']);
      expect(seen.challenge).toBe(`Bearer realm="tasktree", error="invalid_token", scope="read", ${METADATA}, ${DPOP}`);
    },
  );

  it('that is an API key is not valid', async () => {
    expect((await get('/v1/whoami', { Authorization: `Bearer ${keys.read}` })).code).toBe('invalid_token');
  });
});

describe('two credentials', () => {
  it.each([
    ['a key and a token', () => ({ 'X-Api-Key': keys.read, Authorization: 'Bearer x' })],
    ['a key and Basic', () => ({ 'X-Api-Key': keys.read, Authorization: 'Basic eDp5' })],
    ['two keys', () => ({ 'X-Api-Key': [keys.read, keys.buyer] })],
    ['one key twice', () => ({ 'X-Api-Key': [keys.read, keys.read] })],
  ])('%s: 400', async (_, headers) => {
    const seen = await get('/v1/whoami', headers());
    expect([seen.status, seen.code]).toEqual([400, 'ambiguous_credentials']);
  });
});

describe('a wrong key', () => {
  it('has the same answer whether unknown, broken, truncated, of the other environment or no key at all', async () => {
    const { read } = keys;
    const wrong = [
      madeUpKey(),
      madeUpKey('live'),
      `${read.slice(0, -1)}${read.endsWith('A') ? 'B' : 'A'}`,
      read.slice(0, -1),
      `${read}0`,
      read.toUpperCase(),
      'x',
      `${read}, ${read}`,
      'mkt_test_r_'.padEnd(47, '\u00e9'),
    ];
    const seen = await Promise.all(wrong.map((key) => get('/v1/whoami', { 'X-Api-Key': key })));
    expect(seen.map(({ status, code }) => `${status} ${code}`)).toEqual(wrong.map(() => '401 invalid_api_key'));
    expect(new Set(seen.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(new Set(seen.map(({ challenge }) => challenge))).toEqual(
      new Set([`Bearer realm="tasktree", ${METADATA}, ${DPOP}`]),
    );
  });

  it('that is empty is no valid key', async () => {
    const empty = await get('/v1/whoami', { 'X-Api-Key': '' });
    expect([empty.code, empty.body.error.suggestion]).toEqual([
      'invalid_api_key',
      expect.stringContaining('/account/keys'),
    ]);
  });
});

describe('too many failures', () => {
  it('1000 wrong keys of one address end in 429, while its good keys and other addresses pass', async () => {
    const strict = await startProbeApp(
      testEnvironment(database.url, { rateLimitIp: 20, trustedProxies: ['127.0.0.1'] }),
    );
    const from = (address: string, key: string) =>
      get('/v1/whoami', { 'X-Api-Key': key, 'X-Forwarded-For': address }, strict.url);
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < 1000; i += 50) {
      const burst = Array.from({ length: 50 }, () => from('203.0.113.5', madeUpKey()));
      codes.push(...(await Promise.all(burst)).map(({ code }) => code));
    }
    expect(codes.filter((code) => code === 'invalid_api_key')).toHaveLength(20);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(980);
    expect((await from('203.0.113.5', keys.read)).status).toBe(200);
    expect((await from('203.0.113.6', madeUpKey())).code).toBe('invalid_api_key');
    await strict.close();
  });
});

describe('a scope', () => {
  it.each(SCOPES)('%s opens exactly its own routes, and the refusal names what is needed and held', async (scope) => {
    const read = await get('/v1/whoami', { 'X-Api-Key': keys[scope] });
    if (scope === 'read') return expect(read.status).toBe(200);
    expect([read.status, read.code]).toEqual([403, 'insufficient_scope']);
    expect(read.body.error.reason).toContain(`"read"`);
    expect(read.body.error.reason).toContain(`"${scope}"`);
    expect(read.challenge).toContain('error="insufficient_scope", scope="read"');
    expect(read.challenge).toContain(METADATA);
  });

  it('is what the database says, not the letter in the key', async () => {
    const { key, secret } = await app.keys.create((await app.newCaller()).accountId, { scope: 'read', name: 'x' });
    await database.dataSource.query("UPDATE api_keys SET scope = 'worker' WHERE id = $1", [key.id]);
    expect((await get('/v1/whoami', { 'X-Api-Key': secret })).code).toBe('insufficient_scope');
  });

  it('is not asked for on an open route, whatever credential is sent', async () => {
    expect((await get('/v1/open', { 'X-Api-Key': 'junk' })).status).toBe(200);
  });
});

describe('the version', () => {
  it('pinned to the key serves a request that names none', async () => {
    const { key, secret } = await app.keys.create((await app.newCaller()).accountId, { scope: 'read', name: 'x' });
    await database.dataSource.query("UPDATE api_keys SET pinned_version = '2020-01-01' WHERE id = $1", [key.id]);
    const versionOf = async (headers: Record<string, string>) =>
      (await fetch(`${app.url}/v1/whoami`, { headers: { 'X-Api-Key': secret, ...headers } })).headers.get(
        'Service-Version',
      );
    expect(await versionOf({})).toBe('2020-01-01');
    expect(await versionOf({ 'Service-Version': '2026-11-20' })).toBe('2026-11-20');
    expect(await versionOf({ 'Service-Version': '2026-10-01' })).toBe('2026-08-16');
  });
});

describe('the audit of routes', () => {
  @Controller('a')
  class Forgotten {
    @Get()
    nobodySaidWho() {}
  }

  @Controller('b')
  class Both {
    @Get()
    @RequireScope('read')
    @Public('also')
    twice() {}
  }

  @Controller('c')
  class Right {
    @Get()
    @RequireScope('read')
    scoped() {}

    @Get('open')
    @Public('a page')
    open() {}

    notARoute() {}
  }

  const boot = async (...controllers: (new () => object)[]) => {
    @Module({ imports: [DiscoveryModule], controllers, providers: [RouteAudit] })
    class Audited {}
    const module = await Test.createTestingModule({ imports: [Audited] }).compile();
    await module.init();
    await module.close();
  };

  it('does not let a service start with a route that says neither or both', async () => {
    await expect(boot(Right)).resolves.toBeUndefined();
    await expect(boot(Right, Forgotten)).rejects.toThrow('Forgotten.nobodySaidWho');
    await expect(boot(Both)).rejects.toThrow('Both.twice');
  });
});
