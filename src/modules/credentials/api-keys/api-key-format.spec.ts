import { Environment } from '../../../platform/config/environment.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import type { Scope } from '../scope.js';
import { environmentOf, isTaggedKey, type KeyEnvironment, mintApiKey as mint, visibleParts } from './api-key-format.js';

const sealerOf = (appSecret: string) => new Sealer(Object.assign(new Environment(), { appSecret }));
const sealer = sealerOf('a secret of the specs, long enough for HKDF');
const mintApiKey = (environment: KeyEnvironment, scope: Scope) => mint(environment, scope, sealer);

it.each([
  ['live', 'read', /^mkt_live_r_[0-9A-Za-z]{36}$/],
  ['live', 'buyer', /^mkt_live_b_[0-9A-Za-z]{36}$/],
  ['test', 'worker', /^mkt_test_w_[0-9A-Za-z]{36}$/],
  ['test', 'agent-owner', /^mkt_test_o_[0-9A-Za-z]{36}$/],
] as const)('a %s key for %s says what it is', (environment, scope, pattern) => {
  const key = mintApiKey(environment, scope);
  expect(key).toMatch(pattern);
  expect(environmentOf(key)).toBe(environment);
});

it('keys differ, and use every digit', () => {
  const keys = Array.from({ length: 500 }, () => mintApiKey('live', 'read').slice(11, 41));
  expect(new Set(keys).size).toBe(500);
  expect(new Set(keys.join('')).size).toBe(62);
});

it('one wrong character anywhere breaks the checksum', () => {
  const key = mintApiKey('live', 'read');
  for (let i = 11; i < key.length; i++) {
    const wrong = key.slice(0, i) + (key[i] === 'A' ? 'B' : 'A') + key.slice(i + 1);
    expect(environmentOf(wrong)).toBeNull();
  }
});

it('the checksum covers environment and scope letter', () => {
  const key = mintApiKey('live', 'read');
  expect(environmentOf(key.replace('live', 'test'))).toBeNull();
  expect(environmentOf(key.replace('_r_', '_b_'))).toBeNull();
});

it.each(['', 'mkt_live_r_', 'x'.repeat(47), `${mintApiKey('live', 'read')} `, mintApiKey('live', 'read').slice(0, -1)])(
  'junk is not a key: %j',
  (junk) => {
    expect(environmentOf(junk)).toBeNull();
  },
);

it('the part that may be shown has at most four digits of the secret', () => {
  const key = mintApiKey('test', 'worker');
  expect(visibleParts(key)).toEqual({ prefix: 'mkt_test_w_', last4: key.slice(-4) });
});

it('the service recognises its own keys, and none that others make or change', () => {
  const keys = Array.from({ length: 50 }, () => mintApiKey('live', 'read'));
  expect(keys.every((key) => isTaggedKey(sealer, key))).toBe(true);
  const stranger = sealerOf('another secret of the specs, as long as that');
  const madeUp = Array.from({ length: 50 }, () => mint('live', 'read', stranger));
  expect(madeUp.map(environmentOf)).toEqual(madeUp.map(() => 'live'));
  expect([...madeUp, 'x'.repeat(47), ''].some((key) => isTaggedKey(sealer, key))).toBe(false);
});
