import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { OAuthClients } from '../../../src/modules/oauth/storage/oauth-clients.js';
import type { NewClient } from '../../../src/modules/oauth/registration/new-client.js';
import { AccessTokenRows } from '../../support/oauth/access-token-rows.js';
import { ListeningService } from '../../support/listening-service.js';
import { runTool } from '../../support/tool-run.js';

// Each call of a tool starts a process.
jest.setTimeout(240_000);

const app_: NewClient = { name: 'App', redirectUris: ['https://app.example/cb'], authMethod: 'client_secret_basic' };
const gateway: NewClient = { name: 'Gateway', redirectUris: [], authMethod: 'client_secret_basic', isGateway: true };
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwks = { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), alg: 'ES256' }] };

let app: ListeningService;
let clients: OAuthClients;
let tokens: AccessTokenRows;

beforeAll(async () => {
  app = await ListeningService.listen();
  clients = app.get(OAuthClients);
  tokens = new AccessTokenRows((text, values) => app.dataSource.query(text, values), app.environment.baseUrl);
});
afterAll(() => app?.close());

/**
 * Introspects a token, as a gateway does, which needs no consent. The status tells whether the client was recognized.
 */
const introspect = async (fields: Record<string, string>, basic?: string, token = 'unknown') => {
  const headers: Record<string, string> =
    basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` };
  const answer = await fetch(`${app.url}/oauth/introspect`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ token, ...fields }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
const assertion = (clientId: string) =>
  new SignJWT({})
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(app.environment.baseUrl)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(pair.privateKey);
const everything = async () => {
  const [{ text }] = (await app.rows<{ text: string }>(
    `SELECT string_agg(row::text, ' ') AS text FROM (
       SELECT r::text AS row FROM oauth_records r UNION ALL SELECT a::text FROM audit_events a) rows`,
  )) as [{ text: string }];
  return text;
};
const events = (clientId: string) =>
  app.rows<{ event: string; request_id: string | null; detail: Record<string, unknown> }>(
    'SELECT event, request_id, detail FROM audit_events WHERE client_id = $1 ORDER BY id',
    [clientId],
  );

describe('a registered application', () => {
  it('is known at once, by its secret, of which the database has a hash only', async () => {
    const { clientId, secret } = await clients.register(gateway, 'req_made');
    expect(await introspect({}, `${clientId}:${secret}`)).toEqual({ status: 200, body: { active: false } });
    const text = await everything();
    expect(text).toContain(clientId);
    expect(text).not.toContain(secret);
    expect((await events(clientId))[0]).toMatchObject({
      event: 'client_registered',
      request_id: 'req_made',
      detail: { by: 'operator', name: 'Gateway', gateway: true },
    });
  });

  it.each([
    ['a wrong secret', () => 'x'],
    ['no secret', () => ''],
    ['more than its secret', (secret: string) => `${secret}x`],
  ])('is refused with %s', async (_, sent) => {
    const { clientId, secret } = await clients.register(gateway, null);
    expect(await introspect({}, `${clientId}:${sent(secret ?? '')}`)).toMatchObject({
      status: expect.any(Number),
      body: { error: expect.stringMatching(/^invalid_(client|request)$/) },
    });
  });

  it('is not let in by the hash that somebody read in the database, nor by that of another application', async () => {
    const one = await clients.register(gateway, null);
    const other = await clients.register(gateway, null);
    const hashOf = async (clientId: string) => {
      const [row] = await app.rows<{ hash: string }>(
        `SELECT payload ->> 'client_secret' AS hash FROM oauth_records WHERE payload ->> 'client_id' = $1`,
        [clientId],
      );
      return row!.hash;
    };
    expect((await introspect({}, `${one.clientId}:${await hashOf(one.clientId)}`)).status).toBe(401);
    await app.dataSource.query(
      `UPDATE oauth_records SET payload = jsonb_set(payload, '{client_secret}', to_jsonb($2::text)) WHERE payload ->> 'client_id' = $1`,
      [one.clientId, await hashOf(other.clientId)],
    );
    expect((await introspect({}, `${one.clientId}:${other.secret}`)).status).toBe(401);
  });

  it('may prove itself with a key; with an assertion once', async () => {
    const { clientId, secret } = await clients.register({ ...gateway, authMethod: 'private_key_jwt', jwks }, null);
    expect(secret).toBeNull();
    const fields = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion(clientId),
    };
    expect((await introspect(fields)).status).toBe(200);
    expect((await introspect(fields)).status).toBe(401);
  });

  it('that is no gateway may not ask about tokens of others', async () => {
    const { id: accountId } = await app.account('Ada');
    const { clientId, secret } = await clients.register(app_, null);
    const token = await tokens.token(await tokens.grant(accountId, { scopes: ['read'], clientId: 'client_other' }));
    expect((await introspect({}, `${clientId}:${secret}`, token)).body).not.toMatchObject({ active: true });
  });

  it('is refused as a whole when something is wrong with it', async () => {
    const before = await app.rows('SELECT count(*) FROM oauth_records');
    await expect(clients.register({ ...app_, redirectUris: ['http://app.example/cb'] }, null)).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
    expect(await app.rows('SELECT count(*) FROM oauth_records')).toEqual(before);
  });
});

describe('a new secret', () => {
  it('works at once, and the old one does not any more', async () => {
    const { clientId, secret } = await clients.register(gateway, null);
    expect((await introspect({}, `${clientId}:${secret}`)).status).toBe(200);
    const next = await clients.rotateSecret(clientId, 'req_rotated');
    expect((await introspect({}, `${clientId}:${secret}`)).status).toBe(401);
    expect((await introspect({}, `${clientId}:${next}`)).status).toBe(200);
    expect((await events(clientId)).map(({ event }) => event)).toContain('client_changed');
    expect(await everything()).not.toContain(next);
  });

  it.each([
    ['an application that nobody knows', async () => 'client_none', 'not_found'],
    [
      'a public one',
      async () => (await clients.register({ ...app_, authMethod: 'none' }, null)).clientId,
      'state_conflict',
    ],
    ['one that registered itself', async () => (await selfRegistered()).client_id, 'state_conflict'],
  ])('is not made for %s', async (_, clientId, code) => {
    await expect(clients.rotateSecret(await clientId(), null)).rejects.toMatchObject({ code });
  });
});

const selfRegistered = async () => {
  const answer = await fetch(`${app.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Self',
      redirect_uris: ['http://localhost/cb'],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { client_id: string; client_secret: string };
};

describe('the list', () => {
  it('has every application with its kind and its last grant', async () => {
    const { id } = await app.account('Ada');
    const operators = await clients.register(gateway, null);
    const self = await selfRegistered();
    const document = 'https://assistant.example/client.json';
    await tokens.grant(id, { clientId: self.client_id });
    const { id: grantId } = await tokens.grant(id, { clientId: document });
    await app.dataSource.query(`UPDATE oauth_grants SET client_host = 'assistant.example' WHERE id = $1`, [grantId]);
    const listed = await clients.list();
    const find = (clientId: string) => listed.find((each) => each.clientId === clientId);
    expect(find(operators.clientId)).toMatchObject({
      origin: 'operator',
      name: 'Gateway',
      isGateway: true,
      liveGrants: 0,
      lastGrantAt: null,
    });
    expect(find(self.client_id)).toMatchObject({
      origin: 'self',
      name: 'Self',
      authMethod: 'client_secret_post',
      redirectUris: ['http://localhost/cb'],
      liveGrants: 1,
      lastGrantAt: expect.any(Date),
    });
    expect(find(document)).toMatchObject({ origin: 'document', authMethod: null, registeredAt: null, liveGrants: 1 });
    expect(JSON.stringify(listed)).not.toContain(self.client_secret);
  });
});

describe('a removed application', () => {
  it('is unknown, and its tokens stop at once', async () => {
    const { id } = await app.account('Ada');
    const { clientId, secret } = await clients.register(gateway, null);
    const grant = await tokens.grant(id, { clientId, scopes: ['read'] });
    const token = await tokens.token(grant);
    const call = async () =>
      (await fetch(`${app.url}/v1/tasks`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await call()).toBe(200);
    expect(await clients.remove(clientId, 'req_removed')).toBe(1);
    for (let i = 0; i < 100 && (await call()) !== 401; i++) await new Promise((done) => setTimeout(done, 20));
    expect(await call()).toBe(401);
    expect((await introspect({}, `${clientId}:${secret}`)).status).toBe(401);
    const recorded = (await events(clientId)).filter(({ request_id: requestId }) => requestId === 'req_removed');
    expect(recorded.map(({ event }) => event)).toEqual(['grant_revoked', 'client_removed']);
    expect(recorded[1]?.detail).toMatchObject({ name: 'Gateway', grants_revoked: 1 });
    await expect(clients.remove(clientId, null)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('takes nothing from others', async () => {
    const { id } = await app.account('Ada');
    const { clientId } = await clients.register(app_, null);
    const other = await tokens.grant(id, { clientId: 'client_other' });
    expect(await clients.remove(clientId, null)).toBe(0);
    expect(await app.rows('SELECT revoked_at FROM oauth_grants WHERE id = $1', [other.id])).toEqual([
      { revoked_at: null },
    ]);
  });
});

describe('the command line', () => {
  const run = (...args: string[]) => runTool(app.environment, 'clients', ...args);
  const json = async (...args: string[]) => {
    const { out, err } = await run(...args, '--json');
    expect(err).toBe('');
    return JSON.parse(out);
  };

  it('registers, lists, gives a new secret and removes, and the running service hears of it', async () => {
    const made = await json('create', '--name', 'Gate', '--gateway', '--auth', 'client_secret_basic');
    expect((await introspect({}, `${made.client_id}:${made.client_secret}`)).status).toBe(200);
    const listed = await json('list');
    expect(listed).toContainEqual(
      expect.objectContaining({ client_id: made.client_id, origin: 'operator', gateway: true }),
    );
    expect(JSON.stringify(listed)).not.toContain(made.client_secret);
    const rotated = await json('rotate-secret', made.client_id);
    expect((await introspect({}, `${made.client_id}:${rotated.client_secret}`)).status).toBe(200);
    expect((await run('remove', made.client_id)).out).toBe(`${made.client_id} is removed; 0 grants were revoked.\n`);
    expect((await introspect({}, `${made.client_id}:${rotated.client_secret}`)).status).toBe(401);
    const audit = await json('audit', '--event', 'client_removed', '--limit', '1');
    expect(audit).toMatchObject([{ event: 'client_removed', client_id: made.client_id, request_id: null }]);
  });

  it('registers with a file of public keys', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tasktree-clients-'));
    const file = join(folder, 'jwks.json');
    writeFileSync(file, JSON.stringify(jwks));
    const made = await json(
      'create',
      '--name',
      'Bank',
      '--redirect',
      'https://bank.example/cb',
      '--auth',
      'private_key_jwt',
      '--jwks',
      file,
      '--fapi2',
    );
    rmSync(folder, { recursive: true });
    expect(made).toEqual({ client_id: expect.any(String), client_secret: null });
    expect(await clients.list()).toContainEqual(expect.objectContaining({ clientId: made.client_id, isFapi2: true }));
  });

  it('lists grants of an account and ends one', async () => {
    const name = `Ada ${randomUUID()}`;
    const { id } = await app.account(name);
    const grant = await tokens.grant(id, { scopes: ['read'], fundingCap: 1_500_000n });
    expect(await json('grants', '--account', name)).toMatchObject([
      { grant_id: grant.id, account_id: id, scopes: ['read'], funding_cap: '1.50', state: 'live' },
    ]);
    expect((await run('revoke-grant', grant.id)).out).toContain('is revoked');
    expect((await run('grants', '--account', name)).out).toContain('  revoked  ');
    expect(await json('audit', '--account', name)).toMatchObject([
      { event: 'grant_revoked', detail: { by: 'operator' } },
    ]);
  });

  it('publishes a new signing key, which the running service takes up without a restart', async () => {
    const published = async () => {
      const { keys } = (await (await fetch(`${app.url}/oauth/jwks`)).json()) as { keys: { kid: string; d?: string }[] };
      expect(keys.every((key) => !('d' in key))).toBe(true);
      return keys.map(({ kid }) => kid);
    };
    const before = await published();
    const { key_id: keyId } = await json('rotate-signing-key');
    for (let i = 0; i < 100 && !(await published()).includes(keyId); i++)
      await new Promise((done) => setTimeout(done, 20));
    expect(await published()).toEqual([...before, keyId]);
    expect((await run('rotate-signing-key')).err).toContain('A new key is published already');
  });

  it('writes no control character of an application’s words to the terminal', async () => {
    const { id } = await app.account('Ada');
    const { id: grantId } = await tokens.grant(id, { clientId: 'client_x' });
    await app.dataSource.query('UPDATE oauth_grants SET client_name = $2 WHERE id = $1', [
      grantId,
      'evil\u001b[2J\u202e\nname',
    ]);
    const { out } = await run('grants', '--account', id);
    expect(out).toContain('evil\\u{1b}[2J\\u{202e} name');
    for (const hidden of ['\u001b', '\u202e']) expect(out).not.toContain(hidden);
  });

  it.each([
    ['an unknown command', 2, ['destroy'], 'There is no command'],
    ['an unknown application', 1, ['remove', 'client_none'], 'There is no such application.'],
    ['an unknown grant', 1, ['revoke-grant', 'x'], 'There is no such live grant.'],
    ['an unknown account', 1, ['grants', '--account', 'Nobody'], 'There is no account "Nobody".'],
    ['no redirect', 1, ['create', '--name', 'A'], 'redirect_uris must be a list of 1 to 10 URIs.'],
    ['a file that is not there', 2, ['create', '--name', 'A', '--jwks', '/none.json'], 'cannot be read'],
  ])('answers %s with a sentence and exit code %i', async (_, expected, args, sentence) => {
    const { code, err } = await run(...args);
    expect(code).toBe(expected);
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/^\s+at /m);
  });
});
