import { generateKeyPairSync } from 'node:crypto';
import { readClientKeys } from './client-keys.js';
import { readableName } from './client-name.js';
import { metadataOf, type NewClient } from './new-client.js';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicJwk = { ...pair.publicKey.export({ format: 'jwk' }) };
const privateJwk = { ...pair.privateKey.export({ format: 'jwk' }) };
const jwks = { keys: [publicJwk] };
const input: NewClient = { name: 'App', redirectUris: ['https://app.example/cb'], authMethod: 'none' };

describe('the name of an application', () => {
  it.each([
    ['Ada’s tools', 'Ada’s tools'],
    ['  many \n  blanks\t', 'many blanks'],
    ['family 👩\u200d👩\u200d👧', 'family 👩\u200d👩\u200d👧'],
    ['<b>markup</b> is a text', '<b>markup</b> is a text'],
    ['🦊'.repeat(80), '🦊'.repeat(80)],
  ])('%j is shown as %j', (given, shown) => {
    expect(readableName(given)).toBe(shown);
  });

  it.each([
    '',
    '   ',
    '\u200b\u202e',
    'a'.repeat(81),
    'left\u202e to right',
    'zero\u200bwidth',
    'blank\u2800',
    'Cla\ufe0fude',
    'Cla\ufeffude',
    'Cla\u{1d173}ude',
    'Cla\ud800ude',
    'Cla\u2028ude',
  ])('%j is refused', (given) => {
    expect(readableName(given)).toBeNull();
  });
});

describe('a key set', () => {
  it('holds public keys', () => {
    expect(readClientKeys(jwks)).toEqual(jwks);
  });

  it.each([
    ['a private key', { keys: [privateJwk] }],
    ['a symmetric key', { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }],
    ['what is no point', { keys: [{ ...publicJwk, y: publicJwk.x }] }],
    ['no key', { keys: [] }],
    ['eleven keys', { keys: Array.from({ length: 11 }, () => publicJwk) }],
    ['keys that are no objects', { keys: ['x', null] }],
    ['no keys member', {}],
    ['nothing', null],
  ])('does not hold %s', (_, value) => {
    expect(readClientKeys(value)).toBeNull();
  });
});

describe('an application that the operator registers', () => {
  it('is public and asks people, unless it is told otherwise', () => {
    expect(metadataOf('client_a', input)).toEqual({
      client_id: 'client_a',
      client_name: 'App',
      redirect_uris: ['https://app.example/cb'],
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      registered_by: 'operator',
    });
  });

  it('as a gateway may have no redirect URIs, and then gets no tokens itself', () => {
    const gateway = metadataOf('client_a', {
      ...input,
      redirectUris: [],
      authMethod: 'client_secret_basic',
      isGateway: true,
    });
    expect(gateway).toMatchObject({ gateway: true, redirect_uris: [], grant_types: [], response_types: [] });
  });

  it('under FAPI 2.0 must push its requests and bind its tokens', () => {
    expect(metadataOf('client_a', { ...input, authMethod: 'private_key_jwt', jwks, isFapi2: true })).toMatchObject({
      security_profile: 'fapi2',
      dpop_bound_access_tokens: true,
      require_pushed_authorization_requests: true,
      jwks,
    });
  });

  it.each<[string, Partial<NewClient>]>([
    ['no name', { name: '\u200b' }],
    ['no redirect', { redirectUris: [] }],
    ['http to elsewhere', { redirectUris: ['http://app.example/cb'] }],
    ['a public gateway', { isGateway: true }],
    ['FAPI 2.0 with a secret', { isFapi2: true, authMethod: 'client_secret_basic' }],
    ['private_key_jwt without keys', { authMethod: 'private_key_jwt' }],
    ['keys without private_key_jwt', { jwks }],
    ['a private key', { authMethod: 'private_key_jwt', jwks: { keys: [privateJwk] } }],
  ])('is refused with %s', (_, own) => {
    expect(() => metadataOf('client_a', { ...input, ...own })).toThrow(
      expect.objectContaining({ code: 'invalid_parameter' }),
    );
  });
});
