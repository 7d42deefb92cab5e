import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { createMigratedDatabase } from '../../support/database.js';
import { AccessTokenRows } from '../../support/oauth/access-token-rows.js';
import { ProofKey } from './proof-key.js';
import { PROBE_TABLE, type ProbeApp, startProbeApp } from '../../support/probe-app.js';
import { testEnvironment } from '../../support/test-environment.js';

/** Has a path prefix, which the gateway removes before the request arrives. */
const BASE_URL = 'https://market.example/api';
const WHOAMI = `${BASE_URL}/v1/whoami`;
const METADATA = `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource"`;
const ALGORITHMS = 'algs="ES256 EdDSA"';

let database: { url: string; dataSource: DataSource };
let app: ProbeApp;
let other: ProbeApp;
let rows: AccessTokenRows;
let key: ProofKey;

beforeAll(async () => {
  database = await createMigratedDatabase();
  await database.dataSource.query(PROBE_TABLE);
  rows = new AccessTokenRows((text, values) => database.dataSource.query(text, values), BASE_URL);
  const settings = testEnvironment(database.url, { baseUrl: BASE_URL, rateLimitAuthFailures: 100_000 });
  [app, other] = await Promise.all([startProbeApp(settings), startProbeApp(settings)]);
  key = await ProofKey.make();
});

afterAll(async () => {
  await Promise.all([app?.close(), other?.close()]);
  await database?.dataSource.destroy();
});

interface Seen {
  status: number;
  code: string | undefined;
  challenge: string | null;
}

interface Sent {
  scheme?: string;
  proofs?: readonly string[];
  path?: string;
  method?: string;
  at?: ProbeApp;
  headers?: Record<string, string>;
}

async function send(token: string, sent: Sent = {}): Promise<Seen> {
  const { scheme = 'DPoP', proofs = [], path = '/v1/whoami', method = 'GET', at = app } = sent;
  const headers = new Headers({ Authorization: `${scheme} ${token}`, ...sent.headers });
  for (const proof of proofs) headers.append('DPoP', proof);
  const answer = await fetch(at.url + path, { method, headers });
  const text = await answer.text();
  const { error } = text === '' ? { error: undefined } : (JSON.parse(text) as { error?: { code: string } });
  return { status: answer.status, code: error?.code, challenge: answer.headers.get('www-authenticate') };
}

const bound = async (by = key) => {
  const { accountId } = await app.newCaller();
  return (await rows.issue(accountId, { jkt: by.thumbprint })).token;
};
const refusedProof = {
  status: 401,
  code: 'invalid_dpop_proof',
  challenge:
    `Bearer realm="tasktree", scope="read", ${METADATA}, ` +
    `DPoP realm="tasktree", error="invalid_dpop_proof", ${ALGORITHMS}`,
};
const refusedToken = {
  status: 401,
  code: 'invalid_token',
  challenge: `Bearer realm="tasktree", scope="read", ${METADATA}, DPoP realm="tasktree", error="invalid_token", ${ALGORITHMS}`,
};

describe('a token that is bound to a key', () => {
  it.each(['ES256', 'EdDSA'] as const)('works with a proof of that key: %s', async (alg) => {
    const own = await ProofKey.make(alg);
    const token = await bound(own);
    for (let i = 0; i < 3; i++) {
      const proof = await own.proof({ url: WHOAMI, token });
      expect(await send(token, { proofs: [proof] })).toEqual({ status: 200, code: undefined, challenge: null });
    }
  });

  it('works for a URL with a query, of which the proof says nothing', async () => {
    const token = await bound();
    const proof = await key.proof({ url: WHOAMI, token });
    expect((await send(token, { proofs: [proof], path: '/v1/whoami?a=/../&b=%2F?c' })).status).toBe(200);
  });

  it('works for a HEAD request, whose proof says so', async () => {
    const token = await bound();
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => key.proof({ method, url: WHOAMI, token })));
    expect((await send(token, { proofs: [head!], method: 'HEAD' })).status).toBe(200);
    expect((await send(token, { proofs: [get!], method: 'HEAD' })).status).toBe(401);
  });

  it('works for a write', async () => {
    const token = await bound();
    const path = `/v1/tasks/${randomUUID()}/nodes/n/abandon-intents`;
    const proof = await key.proof({ method: 'POST', url: BASE_URL + path, token });
    const headers = { 'Idempotency-Key': randomUUID() };
    expect((await send(token, { proofs: [proof], path, method: 'POST', headers })).status).toBe(200);
  });

  it('has no proof looked at or remembered while its caller has no requests left', async () => {
    const narrow = await startProbeApp(testEnvironment(database.url, { baseUrl: BASE_URL, rateLimitPrincipal: 3 }));
    try {
      const token = await bound();
      const remembered = async () =>
        (await database.dataSource.query<{ n: number }[]>('SELECT count(*)::int AS n FROM dpop_proofs'))[0]!.n;
      const before = await remembered();
      const statuses: number[] = [];
      for (let i = 0; i < 8; i += 1) {
        const proof = await key.proof({ url: WHOAMI, token });
        statuses.push((await send(token, { proofs: [proof], at: narrow })).status);
      }
      expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
      expect(await remembered()).toBe(before + 3);
    } finally {
      await narrow.close();
    }
  });

  it('is no bearer token, with a proof or without', async () => {
    const token = await bound();
    const proof = await key.proof({ url: WHOAMI, token });
    const refused = {
      status: 401,
      code: 'invalid_token',
      challenge:
        `Bearer realm="tasktree", error="invalid_token", scope="read", ${METADATA}, ` +
        `DPoP realm="tasktree", ${ALGORITHMS}`,
    };
    expect(await send(token, { scheme: 'Bearer' })).toEqual(refused);
    expect(await send(token, { scheme: 'Bearer', proofs: [proof] })).toEqual(refused);
    // It is refused even right after the token was accepted with a proof.
    expect((await send(token, { proofs: [proof] })).status).toBe(200);
    expect(await send(token, { scheme: 'Bearer' })).toEqual(refused);
  });

  it('needs exactly one proof', async () => {
    const token = await bound();
    const [first, second] = await Promise.all([1, 2].map(() => key.proof({ url: WHOAMI, token })));
    expect(await send(token)).toEqual(refusedProof);
    expect(await send(token, { proofs: [first!, second!] })).toEqual(refusedProof);
    expect(await send(token, { proofs: [first!, first!] })).toEqual(refusedProof);
    expect(await send(token, { proofs: ['junk'] })).toEqual(refusedProof);
    expect((await send(token, { proofs: [first!] })).status).toBe(200);
  });

  it('is refused with a good proof of another key', async () => {
    const thief = await ProofKey.make();
    const token = await bound();
    expect(await send(token, { proofs: [await thief.proof({ url: WHOAMI, token })] })).toEqual(refusedToken);
  });

  it.each([
    ['another method', { method: 'POST' }],
    ['another operation', { url: `${BASE_URL}/v1/tasks/t` }],
    ['the URL behind the gateway', { url: 'https://market.example/v1/whoami' }],
    ['another host', { url: 'https://evil.example/api/v1/whoami' }],
    ['another token', { token: 'A'.repeat(43) }],
    ['a time two minutes ago', { claims: { iat: Math.floor(Date.now() / 1000) - 120 } }],
    ['a time to come', { claims: { iat: Math.floor(Date.now() / 1000) + 120 } }],
  ])('is refused with a proof for %s', async (_, change) => {
    const token = await bound();
    expect(await send(token, { proofs: [await key.proof({ url: WHOAMI, token, ...change })] })).toEqual(refusedProof);
  });

  it.each(['evil.example', 'market.example:444'])('is held to the public URL, whatever Host says: %s', async (host) => {
    const token = await bound();
    const headers = { 'X-Forwarded-Host': host, 'X-Forwarded-Proto': 'http', Forwarded: `host=${host}` };
    const [wrong, right] = await Promise.all(
      [`http://${host}/v1/whoami`, WHOAMI].map((url) => key.proof({ url, token })),
    );
    expect(await send(token, { proofs: [wrong!], headers })).toEqual(refusedProof);
    expect((await send(token, { proofs: [right!], headers })).status).toBe(200);
  });

  it('is told so when its scope is too small', async () => {
    const { accountId } = await app.newCaller();
    const { token } = await rows.issue(accountId, { jkt: key.thumbprint, scopes: ['buyer'] });
    expect(await send(token, { proofs: [await key.proof({ url: WHOAMI, token })] })).toEqual({
      status: 403,
      code: 'insufficient_scope',
      challenge: `DPoP realm="tasktree", error="insufficient_scope", scope="read", ${METADATA}, ${ALGORITHMS}`,
    });
  });
});

describe('a proof', () => {
  it('is good for one request, whichever process it reaches', async () => {
    const token = await bound();
    const proof = await key.proof({ url: WHOAMI, token });
    expect((await send(token, { proofs: [proof] })).status).toBe(200);
    expect(await send(token, { proofs: [proof] })).toEqual(refusedProof);
    expect(await send(token, { proofs: [proof], at: other })).toEqual(refusedProof);
  });

  it('is good for one of fifty racing requests', async () => {
    const token = await bound();
    const proof = await key.proof({ url: WHOAMI, token });
    const race = Array.from({ length: 50 }, (_, i) => send(token, { proofs: [proof], at: i % 2 === 0 ? app : other }));
    const statuses = (await Promise.all(race)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(49);
  });

  it('has its jti to itself: the same one of another key is another proof', async () => {
    const second = await ProofKey.make();
    const [first, jti] = [await bound(), randomUUID()];
    const token = await bound(second);
    expect((await send(first, { proofs: [await key.proof({ url: WHOAMI, token: first, jti })] })).status).toBe(200);
    expect((await send(token, { proofs: [await second.proof({ url: WHOAMI, token, jti })] })).status).toBe(200);
    const again = await key.proof({ url: WHOAMI, token: first, jti, claims: { other: true } });
    expect(await send(first, { proofs: [again] })).toEqual(refusedProof);
  });

  it('that does not hold is not used up', async () => {
    const [token, jti] = [await bound(), randomUUID()];
    const wrong = await key.proof({ url: `${WHOAMI}/x`, token, jti });
    expect(await send(token, { proofs: [wrong] })).toEqual(refusedProof);
    expect((await send(token, { proofs: [await key.proof({ url: WHOAMI, token, jti })] })).status).toBe(200);
  });

  it('is remembered by a hash, until it is too old to be used', async () => {
    const [token, jti] = [await bound(), randomUUID()];
    await send(token, { proofs: [await key.proof({ url: WHOAMI, token, jti })] });
    const kept = await database.dataSource.query('SELECT proof_hash::text AS hash, expires_at FROM dpop_proofs');
    expect(JSON.stringify(kept)).not.toContain(jti);
    for (const { expires_at: end } of kept) {
      expect(end.getTime() - Date.now()).toBeGreaterThan(60_000);
      expect(end.getTime() - Date.now()).toBeLessThan(180_000);
    }
  });
});

describe('a token that is not bound to a key', () => {
  it('is refused under the scheme DPoP, with a proof or without', async () => {
    const { accountId } = await app.newCaller();
    const { token } = await rows.issue(accountId);
    expect(await send(token)).toEqual(refusedToken);
    expect(await send(token, { proofs: [await key.proof({ url: WHOAMI, token })] })).toEqual(refusedToken);
    expect((await send(token, { scheme: 'Bearer' })).status).toBe(200);
    expect(await send(token)).toEqual(refusedToken);
  });

  it('is a bearer token whatever proof comes with it', async () => {
    const { accountId } = await app.newCaller();
    const { token } = await rows.issue(accountId);
    expect((await send(token, { scheme: 'Bearer', proofs: ['junk'] })).status).toBe(200);
  });

  it('an unknown token under DPoP is refused before its proof is looked at', async () => {
    expect(await send('A'.repeat(43))).toEqual(refusedToken);
    expect(await send('junk', { proofs: ['junk'] })).toEqual(refusedToken);
  });
});
