import { nodeNonce } from '#libs/contracts';
import { spendingOf } from './spend-guard.js';

const SELF = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const BY = { spendPolicyId: 'spend_1' };
const about = { signer: SELF, taskId: 'task_1', nonce: nodeNonce(3n, 0) } as const;

it('what pays another wallet counts, once for its node', () => {
  const spending = spendingOf(BY, { ...about, payment: { to: OTHER, amount: 5n } });
  expect(spending).toEqual({ to: OTHER, amount: 5n, policyId: 'spend_1', payment: `task_1/${about.nonce}` });
  expect(spendingOf(BY, { ...about, payment: { to: OTHER, amount: 5n } })).toEqual(spending);
});

it('the node of another task, and another node, is another payment', () => {
  const payment = { to: OTHER, amount: 5n } as const;
  const names = [about, { ...about, taskId: 'task_2' }, { ...about, nonce: nodeNonce(4n, 0) }].map(
    (each) => spendingOf(BY, { ...each, payment })?.payment,
  );
  expect(new Set(names).size).toBe(3);
});

it('each withdrawal to another wallet is a payment by itself', () => {
  expect(spendingOf(BY, { ...about, nonce: null, payment: { to: OTHER, amount: 5n } })?.payment).toBeNull();
});

it('nothing counts for a credential without a policy', () => {
  expect(spendingOf({}, { ...about, payment: { to: OTHER, amount: 5n } })).toBeNull();
});

it('what comes to the wallet itself, and what pays nobody, does not count', () => {
  expect(spendingOf(BY, { ...about, payment: { to: SELF, amount: 5n } })).toBeNull();
  expect(spendingOf(BY, { ...about })).toBeNull();
});
