import { Environment } from '../config/environment.js';
import { Sealer } from './sealer.js';

const OLD = 'o'.repeat(32);
const NEW = 'n'.repeat(32);
const sealerOf = (appSecret: string, ...appSecretPrevious: string[]) =>
  new Sealer(Object.assign(new Environment(), { appSecret, appSecretPrevious }));
const plain = Buffer.from('what is sealed');

it('opens what was sealed under any secret of the ring, and says whether it is the current one', () => {
  const old = sealerOf(OLD).seal('cursor', plain, 'here');
  const ring = sealerOf(NEW, 'x'.repeat(32), OLD);
  expect(ring.unseal('cursor', old, 'here')).toEqual({ plain, age: 'previous' });
  expect(ring.unseal('cursor', ring.seal('cursor', plain, 'here'), 'here')).toEqual({ plain, age: 'current' });
  expect(ring.open('cursor', old, 'elsewhere')).toBeNull();
  expect(ring.open('preview-link', old, 'here')).toBeNull();
  expect(sealerOf(NEW).open('cursor', old, 'here')).toBeNull();
});

it('seals and signs under the current secret alone', () => {
  const ring = sealerOf(NEW, OLD);
  expect(sealerOf(NEW).open('cursor', ring.seal('cursor', plain, ''), '')).toEqual(plain);
  expect(sealerOf(OLD).open('cursor', ring.seal('cursor', plain, ''), '')).toBeNull();
  expect(ring.hmac('form-token', 'data')).toEqual(sealerOf(NEW).hmac('form-token', 'data'));
  expect(ring.hmacs('form-token', 'data')).toEqual([NEW, OLD].map((one) => sealerOf(one).hmac('form-token', 'data')));
});

it('matches an HMAC of any secret of the ring, and no other', () => {
  const ring = sealerOf(NEW, OLD);
  expect(ring.match('form-token', 'data', sealerOf(OLD).hmac('form-token', 'data'))).toBe('previous');
  expect(ring.match('form-token', 'data', sealerOf(NEW).hmac('form-token', 'data'))).toBe('current');
  expect(ring.match('form-token', 'other', sealerOf(OLD).hmac('form-token', 'data'))).toBeNull();
  expect(ring.match('form-token', 'data', Buffer.alloc(0))).toBeNull();
});

it('numbers the current key only, and never with the number of what was stored without one', () => {
  expect(sealerOf(NEW, OLD).keyNumber('api-key-pepper')).toBe(sealerOf(NEW).keyNumber('api-key-pepper'));
  expect(sealerOf(NEW).keyNumber('api-key-pepper')).not.toBe(sealerOf(OLD).keyNumber('api-key-pepper'));
  expect(sealerOf(NEW).keyNumber('api-key-pepper')).toBeGreaterThan(1);
});

it('a secret that is given twice is one', () => {
  expect(sealerOf(NEW, NEW, OLD, OLD).hmacs('cursor', 'data')).toHaveLength(2);
});
