import { TypedDataEncoder } from 'ethers';
import { ESCROW_DOMAIN_NAME } from '#libs/contracts';
import { payloadDigest } from './payload-digest.js';

const DOMAIN = {
  name: ESCROW_DOMAIN_NAME,
  version: '1',
  chainId: 31337,
  verifyingContract: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
};
const TYPES = {
  Parcel: [
    { name: 'to', type: 'address' },
    { name: 'goods', type: 'Goods' },
  ],
  Goods: [{ name: 'weight', type: 'uint96' }],
};
const MESSAGE = { to: '0x5FbDB2315678afecb367f032d93F642f64180aa3', goods: { weight: '12' } };

function payload(change: object = {}): Record<string, unknown> {
  return { domain: DOMAIN, types: { EIP712Domain: [], ...TYPES }, primaryType: 'Parcel', message: MESSAGE, ...change };
}

describe('the digest of a stored payload', () => {
  it('is that of ethers, by the types that were stored, asked once or again', () => {
    const expected = TypedDataEncoder.hash(DOMAIN, TYPES, MESSAGE);
    expect(payloadDigest(payload())).toEqual({ digest: expected, checker: 'escrow' });
    const heavier = { Parcel: TYPES.Parcel, Goods: [{ name: 'weight', type: 'uint128' }] };
    expect(payloadDigest(payload({ types: heavier })).digest).toBe(TypedDataEncoder.hash(DOMAIN, heavier, MESSAGE));
    expect(payloadDigest(payload()).digest).toBe(expected);
  });

  it.each([{ name: 'USD Coin' }, { version: '2' }, { chainId: 8453 }, { verifyingContract: MESSAGE.to }])(
    'is another for the domain with %j',
    (change) => {
      const domain = { ...DOMAIN, ...change };
      expect(payloadDigest(payload({ domain }))).toEqual({
        digest: TypedDataEncoder.hash(domain, TYPES, MESSAGE),
        checker: domain.name === ESCROW_DOMAIN_NAME ? 'escrow' : 'token',
      });
    },
  );

  it.each([
    { domain: null },
    { domain: { ...DOMAIN, version: 1 } },
    { domain: {} },
    { types: { Parcel: 'none' } },
    { message: 1 },
  ])('is refused for %j', (change) => {
    expect(() => payloadDigest(payload(change))).toThrow(TypeError);
  });
});
