import { createHash } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, type SignOptions, SignJWT } from 'jose';
import { checkProof, ProofFault, type ProvenRequest } from './dpop-proof.js';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const NOW_SECONDS = NOW.getTime() / 1000;
const TOKEN = 'A'.repeat(43);
const URL_OF_REQUEST = 'https://market.example/api/v1/tasks';

interface Signer {
  key: CryptoKey;
  publicJwk: JWK;
  privateJwk: JWK;
  alg: string;
}

let es256: Signer;
let other: Signer;

beforeAll(async () => {
  [es256, other] = await Promise.all([signer('ES256'), signer('ES256')]);
});

async function signer(alg: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { key: privateKey, publicJwk: await exportJWK(publicKey), privateJwk: await exportJWK(privateKey), alg };
}

const ath = (token: string) => createHash('sha256').update(token).digest('base64url');

/** A valid proof with the test's changes; `undefined` leaves a claim out. */
function proof(
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  by: Signer = es256,
  options: SignOptions = {},
): Promise<string> {
  const payload = { htm: 'GET', htu: URL_OF_REQUEST, iat: NOW_SECONDS, jti: 'one', ath: ath(TOKEN), ...claims };
  return new SignJWT(payload as JWTPayload)
    .setProtectedHeader({ typ: 'dpop+jwt', alg: by.alg, jwk: by.publicJwk, ...header })
    .sign(by.key, options);
}

const check = (text: string, request: Partial<ProvenRequest> = {}) =>
  checkProof(text, { method: 'GET', url: URL_OF_REQUEST, token: TOKEN, now: NOW, ...request });

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The reason why a proof is refused. Fails the test when the proof is accepted or another error is thrown. */
async function faultOf(text: string | Promise<string>): Promise<string> {
  const fault: unknown = await check(await text).then(
    () => null,
    (error: unknown) => error,
  );
  if (fault instanceof ProofFault) return fault.message;
  throw new Error(`It was not refused: ${String(fault)}`);
}

describe('a proof that holds', () => {
  it.each(['ES256', 'EdDSA'])('by %s names the key that made it, its jti and its time', async (alg) => {
    const by = await signer(alg);
    const { kty, crv, x, y } = by.publicJwk;
    const members = y === undefined ? { crv, kty, x } : { crv, kty, x, y };
    const thumbprint = createHash('sha256').update(JSON.stringify(members)).digest('base64url');
    expect(await check(await proof({}, {}, by))).toEqual({ thumbprint, jti: 'one', issuedAt: NOW_SECONDS });
  });

  it.each([
    ['a query and a fragment in htu', `${URL_OF_REQUEST}?limit=1#x`],
    ['an htu in another case of scheme and host', 'HTTPS://Market.Example/api/v1/tasks'],
    ['an htu with the default port', 'https://market.example:443/api/v1/tasks'],
  ])('takes %s', async (_, htu) => {
    await expect(check(await proof({ htu }))).resolves.toBeDefined();
  });

  it('takes a nonce of the authorization server, which is at the same origin', async () => {
    await expect(check(await proof({ nonce: 'from the token endpoint' }))).resolves.toBeDefined();
  });

  it.each([-60, 60])('may be %d seconds away', async (away) => {
    await expect(check(await proof({ iat: NOW_SECONDS + away }))).resolves.toBeDefined();
  });
});

describe('a proof for something else', () => {
  it.each([
    ['another method', { htm: 'POST' }],
    ['the method in another case', { htm: 'get' }],
    ['no method', { htm: undefined }],
  ])('is refused: %s', (_, claims) => expect(faultOf(proof(claims))).resolves.toMatch(/htm/));

  it.each([
    ['another path', 'https://market.example/api/v1/quotes'],
    ['the path without the prefix of the public URL', 'https://market.example/v1/tasks'],
    ['another host', 'https://evil.example/api/v1/tasks'],
    ['another port', 'https://market.example:444/api/v1/tasks'],
    ['another scheme', 'http://market.example/api/v1/tasks'],
    ['a slash more', `${URL_OF_REQUEST}/`],
    ['another case of the path', 'https://market.example/API/v1/tasks'],
    ['a user in front of the host', 'https://market.example@evil.example/api/v1/tasks'],
    ['a user of the right host', 'https://me@market.example/api/v1/tasks'],
    ['a path alone', '/api/v1/tasks'],
    ['no URL', ''],
    ['a number', 1],
    ['nothing', undefined],
  ])('is refused: htu of %s', (_, htu) => expect(faultOf(proof({ htu }))).resolves.toMatch(/htu/));

  it.each([
    ['another token', ath('B'.repeat(43))],
    ['the token itself', TOKEN],
    ['none, as at the token endpoint', undefined],
    ['padding', `${ath(TOKEN)}=`],
  ])('is refused: ath of %s', (_, value) => expect(faultOf(proof({ ath: value }))).resolves.toMatch(/ath/));

  it.each([-61, 61, -3_600, 3_600])('is refused when it is %d seconds away', (away) =>
    expect(faultOf(proof({ iat: NOW_SECONDS + away }))).resolves.toMatch(/iat/),
  );

  it('may not be older because it has a nonce', () =>
    expect(faultOf(proof({ iat: NOW_SECONDS - 61, nonce: 'from the token endpoint' }))).resolves.toMatch(/iat/));

  it.each([
    ['no iat', { iat: undefined }, /iat/],
    ['an iat that is a text', { iat: String(NOW_SECONDS) }, /signed with/],
    ['no jti', { jti: undefined }, /jti/],
    ['an empty jti', { jti: '' }, /jti/],
    ['a jti that is a number', { jti: 7 }, /jti|signed with/],
    ['a nonce that is no text', { nonce: 7 }, /nonce/],
    ['an end that has passed', { exp: NOW_SECONDS - 1 }, /signed with/],
    ['a beginning that has not come', { nbf: NOW_SECONDS + 30 }, /signed with/],
  ])('is refused: %s', (_, claims, words) => expect(faultOf(proof(claims))).resolves.toMatch(words));
});

describe('a proof whose key or signature is wrong', () => {
  it('is refused when it is signed with another key than the one in its header', () =>
    expect(faultOf(proof({}, { jwk: other.publicJwk }))).resolves.toMatch(/signed with/));

  it('is refused when its header has the private key', () =>
    expect(faultOf(proof({}, { jwk: es256.privateJwk }))).resolves.toMatch(/signed with/));

  it.each([
    ['no key', { jwk: undefined }],
    ['a key that is a text', { jwk: 'key' }],
    ['a key of another curve', { jwk: { kty: 'EC', crv: 'P-384', x: 'AA', y: 'AA' } }],
    ['a key that is none', { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } }],
    ['a shared secret', { jwk: { kty: 'oct', k: 'AAAA' } }],
    ['a reference to a key instead', { jwk: undefined, kid: 'one', jku: 'https://evil.example/keys' }],
    ['another type', { typ: 'JWT' }],
    ['no type', { typ: undefined }],
  ])('is refused: %s', (_, header) => expect(faultOf(proof({}, header))).resolves.toMatch(/signed with/));

  it('is refused with an extension that must be understood', async () => {
    const crit = proof({}, { crit: ['urn:x'], 'urn:x': 1 }, es256, { crit: { 'urn:x': true } });
    await expect(faultOf(crit)).resolves.toMatch(/signed with/);
  });

  it.each(['none', 'HS256', 'RS256', 'ES384', ''])('is refused with the algorithm %j', async (alg) => {
    const [, payload, signature] = (await proof()).split('.');
    const head = encoded({ typ: 'dpop+jwt', alg, jwk: es256.publicJwk });
    await expect(faultOf(`${head}.${payload}.${signature}`)).resolves.toMatch(/signed with/);
  });

  it('is refused without a signature', async () => {
    const [head, payload] = (await proof()).split('.');
    await expect(faultOf(`${head}.${payload}.`)).resolves.toMatch(/exactly one/);
  });

  it('is refused when a claim was changed after signing', async () => {
    const [head, , signature] = (await proof({ htm: 'POST' })).split('.');
    const payload = encoded({ htm: 'GET', htu: URL_OF_REQUEST, iat: NOW_SECONDS, jti: 'one', ath: ath(TOKEN) });
    await expect(faultOf(`${head}.${payload}.${signature}`)).resolves.toMatch(/signed with/);
  });

  it('is refused when signed with RS256, however good the signature', async () => {
    await expect(faultOf(proof({}, {}, await signer('RS256')))).resolves.toMatch(/signed with/);
  });
});

it.each([
  ['nothing', ''],
  ['a word', 'proof'],
  ['JSON', '{"typ":"dpop+jwt"}'],
  ['an encrypted token', 'a.b.c.d.e'],
  ['a line break', 'a.b.c\n'],
])('what is not one proof is refused: %s', (_, text) => expect(faultOf(text)).resolves.toMatch(/exactly one/));

it('two proofs in one header, or in two that arrive joined, are refused', async () => {
  const [first, second] = await Promise.all([proof(), proof({ jti: 'two' })]);
  await expect(faultOf(`${first}, ${second}`)).resolves.toMatch(/exactly one/);
  await expect(faultOf(`${first},${first}`)).resolves.toMatch(/exactly one/);
  await expect(faultOf(`${first} ${second}`)).resolves.toMatch(/exactly one/);
});

it('a fault repeats nothing of what was sent', async () => {
  const sent = await proof({ htu: 'https://secret.example/path', htm: 'SECRET' });
  await expect(check(sent)).rejects.not.toThrow(/secret/i);
});
