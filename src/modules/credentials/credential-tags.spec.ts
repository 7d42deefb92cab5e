import { randomBytes } from 'node:crypto';
import { Environment } from '../../platform/config/environment.js';
import { Sealer } from '../../platform/secrets/sealer.js';
import { isTokenShaped } from './presented-token.js';
import { isTaggedToken, mintTaggedToken } from './credential-tags.js';

const sealerOf = (appSecret: string) => new Sealer(Object.assign(new Environment(), { appSecret }));
const sealer = sealerOf('a secret of the specs, long enough for HKDF');

it('tagged tokens look like untagged ones, differ from each other, and are recognised', () => {
  const tokens = Array.from({ length: 100 }, () => mintTaggedToken(sealer));
  expect(tokens.every(isTokenShaped)).toBe(true);
  expect(new Set(tokens).size).toBe(100);
  expect(tokens.every((token) => isTaggedToken(sealer, token))).toBe(true);
});

it('neither invented tokens nor tokens with one changed digit are recognised', () => {
  const token = mintTaggedToken(sealer);
  for (let i = 0; i < token.length; i += 1) {
    const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1);
    expect([i, isTaggedToken(sealer, changed)]).toEqual([i, false]);
  }
  for (let i = 0; i < 100; i += 1) {
    expect(isTaggedToken(sealer, randomBytes(32).toString('base64url'))).toBe(false);
  }
  expect(isTaggedToken(sealer, mintTaggedToken(sealerOf('another secret of the specs, as long as it')))).toBe(false);
});

it('a token tagged under an earlier secret is recognised while that secret is configured', () => {
  const before = 'another secret of the specs, as long as it';
  const environment = Object.assign(new Environment(), { appSecret: 'the secret of now, long enough for HKDF' });
  const token = mintTaggedToken(sealerOf(before));
  expect(isTaggedToken(new Sealer(environment), token)).toBe(false);
  environment.appSecretPrevious = [before];
  expect(isTaggedToken(new Sealer(environment), token)).toBe(true);
});
