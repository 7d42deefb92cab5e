import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { type Answer, AttackFixture, CALLBACK, refusal } from './attack-fixture.js';
import { sha256 } from '../../support/oauth/access-token-rows.js';

interface Key {
  key: CryptoKey;
  jwk: JWK;
  /** The key with its private half, as a JWK. */
  whole: JWK;
  thumbprint: string;
}

let fixture: AttackFixture;
let own: Key;
let thief: Key;

beforeAll(async () => {
  fixture = await AttackFixture.start({ environment: { oauthRefreshLeewaySeconds: 0 } });
  [own, thief] = await Promise.all([makeKey(), makeKey()]);
});

afterAll(() => fixture?.close());

async function makeKey(): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { key: privateKey, jwk, whole: await exportJWK(privateKey), thumbprint: await calculateJwkThumbprint(jwk) };
}

/** A valid proof for the token endpoint, with these changes. */
function proof(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}, by = own): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  return new SignJWT({ htm: 'POST', htu: `${fixture.url}/oauth/token`, jti: randomUUID(), iat, ...claims })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: by.jwk, ...header })
    .sign(by.key);
}

/** A valid proof for the list of tasks, with these changes. */
function resourceProof(token: string, claims: Record<string, unknown> = {}, by = own): Promise<string> {
  const ath = sha256(token).toString('base64url');
  return proof({ htm: 'GET', htu: `${fixture.url}/v1/tasks`, ath, ...claims }, {}, by);
}

type Waiting = Awaited<ReturnType<AttackFixture['code']>>;

function redeem({ code, asked }: Waiting, proofs: readonly string[]): Promise<Answer> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: asked.verifier };
  return send({ ...form, client_id: fixture.client.clientId }, proofs);
}

function refresh(token: string, proofs: readonly string[]): Promise<Answer> {
  return send({ grant_type: 'refresh_token', refresh_token: token, client_id: fixture.client.clientId }, proofs);
}

function send(form: Record<string, string>, proofs: readonly string[]): Promise<Answer> {
  const headers = new Headers({ 'Content-Type': 'application/x-www-form-urlencoded' });
  for (const each of proofs) headers.append('DPoP', each);
  return fixture.send('/oauth/token', { method: 'POST', headers, body: new URLSearchParams(form).toString() });
}

/** Tokens bound to the person's own key, and the proof that bound them. */
async function bound(): Promise<{ access: string; refresh: string; proof: string }> {
  const used = await proof();
  const answer = await redeem(await fixture.code(), [used]);
  const { access_token: access, refresh_token: token, token_type: type } = JSON.parse(answer.text);
  expect([answer.status, type]).toEqual([200, 'DPoP']);
  return { access, refresh: token, proof: used };
}

const now = () => Math.floor(Date.now() / 1000);
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a proof at the token endpoint', () => {
  it.each<[string, () => Promise<string[]>]>([
    ['for another method (htm)', async () => [await proof({ htm: 'GET' })]],
    ['without a method', async () => [await proof({ htm: undefined })]],
    ['for another endpoint (htu)', async () => [await proof({ htu: `${fixture.url}/oauth/par` })]],
    ['for another host', async () => [await proof({ htu: 'https://evil.example/oauth/token' })]],
    ['for another port', async () => [await proof({ htu: 'http://127.0.0.1:1/oauth/token' })]],
    ['for no address', async () => [await proof({ htu: undefined })]],
    ['of an hour ago (iat)', async () => [await proof({ iat: now() - 3_600 })]],
    ['of an hour to come', async () => [await proof({ iat: now() + 3_600 })]],
    ['without a time', async () => [await proof({ iat: undefined })]],
    ['without a jti', async () => [await proof({ jti: undefined })]],
    ['with a nonce that is not ours', async () => [await proof({ nonce: 'evil' })]],
    ['of another type', async () => [await proof({}, { typ: 'JWT' })]],
    ['with the private key in it', async () => [await proof({}, { jwk: own.whole })]],
    ['with the key of another', async () => [await proof({}, { jwk: thief.jwk })]],
    ['with no key', async () => [await proof({}, { jwk: undefined })]],
    [
      'with no signature (alg none)',
      async () => [`${encoded({ typ: 'dpop+jwt', alg: 'none', jwk: own.jwk })}.${(await proof()).split('.')[1]}.`],
    ],
    [
      'with a shared secret',
      async () => [
        await new SignJWT({ htm: 'POST', htu: `${fixture.url}/oauth/token`, jti: randomUUID() })
          .setIssuedAt()
          .setProtectedHeader({ typ: 'dpop+jwt', alg: 'HS256', jwk: own.jwk })
          .sign(new TextEncoder().encode(JSON.stringify(own.jwk))),
      ],
    ],
    ['of which there are two', async () => [await proof(), await proof()]],
    ['that is junk', async () => ['evil']],
  ])('%s binds nothing, and the code stays good', async (_, make) => {
    const waiting = await fixture.code();
    const proofs = await make();
    const answer = await fixture.unharmed(() => redeem(waiting, proofs));
    expect(answer.status).toBe(400);
    expect(['invalid_dpop_proof', 'use_dpop_nonce', 'invalid_request']).toContain(refusal(answer)[1]);
    expect(answer.text).not.toContain('evil');
    expect(await fixture.events(answer)).toEqual(['token_refused']);
    expect((await redeem(waiting, [await proof()])).status).toBe(200);
  });

  it('is good once: the second code with it gives nothing', async () => {
    const [first, second] = [await fixture.code(), await fixture.code()];
    const used = await proof();
    expect((await redeem(first, [used])).status).toBe(200);
    const answer = await fixture.fruitless(() => redeem(second, [used]));
    expect(answer.status).toBe(400);
    expect(refusal(answer)[1]).toMatch(/^invalid_(grant|dpop_proof)$/);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
  });
});

describe('a code that was asked for with a key (dpop_jkt)', () => {
  it.each<[string, () => Promise<string[]>]>([
    ['without a proof', async () => []],
    ['with a proof of another key', async () => [await proof({}, {}, thief)]],
  ])('gives nothing %s', async (_, make) => {
    const waiting = await fixture.code('read', { dpop_jkt: own.thumbprint });
    const proofs = await make();
    const answer = await fixture.fruitless(() => redeem(waiting, proofs));
    expect(refusal(answer)[0]).toBe(400);
    expect(refusal(answer)[1]).toMatch(/^invalid_(grant|dpop_proof)$/);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
  });

  it('is refused at once when it names two keys: its own and that of its proof', async () => {
    const { url } = fixture.client.authorization('read', { dpop_jkt: own.thumbprint });
    const other = await proof({ htu: `${fixture.url}/oauth/par` }, {}, thief);
    const answer = await fixture.unharmed(() => fixture.form('/oauth/par', url.search.slice(1), { DPoP: other }));
    expect(refusal(answer)[0]).toBe(400);
    expect(refusal(answer)[1]).toMatch(/^invalid_(request|dpop_proof)$/);
    expect(await fixture.events(answer)).toEqual(['authorization_refused']);
  });
});

describe('a bound refresh token', () => {
  it.each<[string, (used: string) => Promise<string[]>]>([
    ['without a proof', async () => []],
    ['with a proof of another key', async () => [await proof({}, {}, thief)]],
    ['with the proof that bound it', async (used) => [used]],
    ['with a proof for the interface', async () => [await resourceProof('x')]],
  ])('gives nothing %s, and its owner keeps it', async (_, make) => {
    const tokens = await bound();
    const proofs = await make(tokens.proof);
    const answer = await fixture.unharmed(() => refresh(tokens.refresh, proofs));
    expect(refusal(answer)[0]).toBe(400);
    expect(refusal(answer)[1]).toMatch(/^invalid_(grant|dpop_proof)$/);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
    expect((await refresh(tokens.refresh, [await proof()])).status).toBe(200);
  });

  it('never becomes a token that anybody may carry', async () => {
    const tokens = await bound();
    const next = JSON.parse((await refresh(tokens.refresh, [await proof()])).text);
    expect([next.token_type, await fixture.opens(next.access_token)]).toEqual(['DPoP', 401]);
  });
});

describe('a bound access token that was stolen', () => {
  const call = (token: string, proofs: readonly string[], scheme = 'DPoP') => {
    const headers = new Headers({ Authorization: `${scheme} ${token}` });
    for (const each of proofs) headers.append('DPoP', each);
    return fixture.send('/v1/tasks', { headers });
  };

  it.each<[string, string, (token: string, used: string) => Promise<string[]>]>([
    ['as Bearer', 'Bearer', async () => []],
    ['as Bearer, with a good proof', 'Bearer', async (token) => [await resourceProof(token)]],
    ['without a proof', 'DPoP', async () => []],
    ['with the proof that bound it', 'DPoP', async (_token, used) => [used]],
    ['with a proof of another key', 'DPoP', async (token) => [await resourceProof(token, {}, thief)]],
    ['with a proof for another token (ath)', 'DPoP', async () => [await resourceProof('A'.repeat(43))]],
    ['with a proof without ath', 'DPoP', async (token) => [await resourceProof(token, { ath: undefined })]],
    [
      'with a proof for another operation (htu)',
      'DPoP',
      async (token) => [await resourceProof(token, { htu: `${fixture.url}/v1/quotes` })],
    ],
    ['with a proof for a write (htm)', 'DPoP', async (token) => [await resourceProof(token, { htm: 'POST' })]],
    [
      'with a proof of an hour ago (iat)',
      'DPoP',
      async (token) => [await resourceProof(token, { iat: now() - 3_600 })],
    ],
    ['with two proofs', 'DPoP', async (token) => [await resourceProof(token), await resourceProof(token)]],
  ])('opens nothing %s', async (_, scheme, make) => {
    const tokens = await bound();
    const proofs = await make(tokens.access, tokens.proof);
    const answer = await fixture.unharmed(() => call(tokens.access, proofs, scheme));
    expect(answer.status).toBe(401);
    expect(['invalid_token', 'invalid_dpop_proof']).toContain(JSON.parse(answer.text).error.code);
    expect(answer.headers.get('WWW-Authenticate')).toMatch(/error="invalid_(token|dpop_proof)"/);
    expect((await call(tokens.access, [await resourceProof(tokens.access)])).status).toBe(200);
  });

  it('opens nothing with a proof that was seen before (jti)', async () => {
    const tokens = await bound();
    const used = await resourceProof(tokens.access);
    expect((await call(tokens.access, [used])).status).toBe(200);
    expect((await call(tokens.access, [used])).status).toBe(401);
  });
});
