import { Environment } from '../../../platform/config/environment.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { ClientSecrets } from './client-secrets.js';

const secretsUnder = (appSecret: string) =>
  new ClientSecrets(new Sealer(Object.assign(new Environment(), { appSecret })));
const secrets = secretsUnder('a secret of the tests, long enough for HKDF');

it('a secret is 256 random bits in letters that every client can send', () => {
  expect(secrets.mint()).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(secrets.mint()).not.toBe(secrets.mint());
});

it('fits its own hash, and nothing else does', () => {
  const secret = secrets.mint();
  const stored = secrets.hash('client_a', secret);
  expect(stored).not.toContain(secret);
  expect(secrets.matches('client_a', secret, stored)).toBe(true);
  for (const sent of [`${secret} `, secret.slice(1), '', stored])
    expect(secrets.matches('client_a', sent, stored)).toBe(false);
});

it('the hash of one application opens no other, nor does one made without APP_SECRET', () => {
  const secret = secrets.mint();
  expect(secrets.matches('client_b', secret, secrets.hash('client_a', secret))).toBe(false);
  const planted = secretsUnder('what an attacker could guess, at most').hash('client_a', secret);
  expect(secrets.matches('client_a', secret, planted)).toBe(false);
});

it('an application without a stored secret has none that fits', () => {
  expect(secrets.matches('client_a', '', '')).toBe(false);
});

it('a record is stored with the hash instead of the secret, and otherwise as it is', () => {
  const payload = { client_id: 'client_a', client_secret: 'plain' };
  expect(secrets.protect('client_a', payload)).toEqual({
    client_id: 'client_a',
    client_secret: secrets.hash('client_a', 'plain'),
  });
  const open: { client_id: string; client_secret?: string } = { client_id: 'client_b' };
  expect(secrets.protect('client_b', open)).toEqual(open);
});
