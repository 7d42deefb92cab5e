import { refuseAboveCap } from './funding-cap.js';

const prepared = (ownMoney: bigint, fundingCap?: bigint) => () =>
  refuseAboveCap(fundingCap === undefined ? {} : { fundingCap }, { ownMoney });

it.each([
  ['its cap', 25_000_000n, 25_000_000n],
  ['less', 24_999_999n, 25_000_000n],
  ['nothing, with a cap of nothing', 0n, 0n],
])('an application may prepare %s', (_, amount, cap) => expect(prepared(amount, cap)).not.toThrow());

it.each([
  ['a base unit', 25_000_001n, 25_000_000n],
  ['much', 2n ** 128n, 25_000_000n],
  ['a base unit, with a cap of nothing', 1n, 0n],
])('an application may not prepare %s more', (_, amount, cap) => {
  expect(prepared(amount, cap)).toThrow(expect.objectContaining({ code: 'funding_cap_exceeded', status: 403 }));
});

it('the refusal names cap and amount, and what to do', () => {
  expect(prepared(40_000_000n, 25_500_000n)).toThrow(
    expect.objectContaining({
      reason: 'This application may prepare payments of at most 25.50 USDC each; this one is 40.00 USDC.',
      suggestion: expect.stringContaining('API key'),
    }),
  );
});

it('an API key, and an application without a cap, may prepare anything', () => {
  expect(prepared(2n ** 255n)).not.toThrow();
});
