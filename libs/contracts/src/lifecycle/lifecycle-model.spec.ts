import { emptyTree } from './reference-model-state.js';
import type { ModelAuth, ModelCall, ModelTerms, ModelTree } from './lifecycle-calls.js';
import { step } from './lifecycle-model.js';
import { FundingMode, NodeState } from '../tree/node-states.js';

const NOW = 1_000_000;
const DAY = 86_400;
const WINDOW = 2 * DAY;
const DUE = NOW + 7 * DAY;
const PRICE = 100n;

let nonce = 0n;

function auth(signer: string, change: Partial<ModelAuth> = {}): ModelAuth {
  nonce += 1n;
  return { signer, nonce, validUntil: DUE + 100 * DAY, intact: true, ...change };
}

function terms(number: number, parentNumber: number, worker: string, change: Partial<ModelTerms> = {}): ModelTerms {
  const node = { number, parentNumber, worker, amount: PRICE, deliverBy: DUE, acceptWindow: WINDOW };
  return { ...node, hirerFunded: parentNumber === 0, ...change };
}

/** The tree after calls that must all go through. */
function after(tree: ModelTree, ...calls: (readonly [ModelCall, number?])[]): ModelTree {
  return calls.reduce((before, [call, now = NOW]) => {
    const result = step(before, call, now);
    if (!result.ok) throw new Error(`${call.action}: ${result.error}`);
    return result.tree;
  }, tree);
}

function refusal(tree: ModelTree, call: ModelCall, now = NOW): string {
  const result = step(tree, call, now);
  return result.ok ? 'went through' : result.error;
}

const select = (t: ModelTerms, change: Partial<ModelAuth> = {}): ModelCall => {
  const workerAuth = auth(t.worker ?? '', change);
  return { action: 'select_agent', sender: 'relayer', terms: t, hirerAuth: auth('buyer'), workerAuth };
};
const fund = (number: number, mode: FundingMode = FundingMode.Allowance): ModelCall => {
  return { action: 'fund_task', sender: 'relayer', number, mode, auth: auth('buyer') };
};
const carve = (t: ModelTerms, hirer: string): ModelCall => {
  const [hirerAuth, workerAuth] = [auth(hirer), auth(t.worker ?? '')];
  return { action: 'subcontract', sender: 'relayer', terms: t, mode: FundingMode.ParentNode, hirerAuth, workerAuth };
};
const deliver = (number: number, worker: string, artifact = 'a'): ModelCall => {
  return { action: 'deliver', sender: 'relayer', number, artifact, auth: auth(worker) };
};
const accept = (number: number, hirer: string): ModelCall => {
  return { action: 'resolve_task', sender: 'relayer', number, artifact: 'a', auth: auth(hirer) };
};
const reject = (number: number, hirer: string): ModelCall => {
  return { action: 'reject_task', sender: 'relayer', number, artifact: 'a', auth: auth(hirer) };
};
const dispute = (number: number, worker: string): ModelCall => {
  return { action: 'dispute_node', sender: 'relayer', number, auth: auth(worker) };
};
const rule = (number: number, share: bigint): ModelCall => {
  return { action: 'rule_dispute', sender: 'relayer', number, share, auth: auth('arbiter') };
};
const claim = (number: number): ModelCall => {
  return { action: 'claim_non_delivery', sender: 'relayer', number, account: 'anyone', auth: auth('anyone') };
};
const withdraw = (number: number, worker: string, amount: bigint): ModelCall => {
  return { action: 'withdraw_earnings', sender: 'relayer', number, recipient: worker, amount, auth: auth(worker) };
};
const finalize = (number: number): ModelCall => ({ action: 'finalize', sender: 'relayer', number });

function tree(arbiter: string | null = 'arbiter'): ModelTree {
  const balances = new Map([
    ['buyer', 1_000n],
    ['w1', 0n],
  ]);
  return emptyTree({ escrow: 'escrow', buyer: 'buyer', arbiter }, balances);
}

/** A funded root of w1. */
const hired = () => after(tree(), [select(terms(1, 0, 'w1'))], [fund(1)]);

test('the whole life of a node, and every unit of its money', () => {
  const end = after(hired(), [deliver(1, 'w1')], [accept(1, 'buyer')], [withdraw(1, 'w1', PRICE)]);
  expect(end.token.balances).toEqual(
    new Map([
      ['buyer', 900n],
      ['w1', 100n],
      ['escrow', 0n],
    ]),
  );
  expect(end.nodes[0]).toMatchObject({ state: NodeState.Settled, pool: 0n });
});

test('a call that is refused leaves the tree as it was, nonces too', () => {
  const before = hired();
  const snapshot = structuredClone(before);
  expect(refusal(before, { action: 'abandon_node', sender: 'relayer', number: 1, auth: auth('w2') })).toBe(
    'InvalidSignature',
  );
  expect(before).toEqual(snapshot);
});

test('time, nonce and signature are asked for in this order', () => {
  const used = auth('w1');
  const invalidate: ModelCall = {
    action: 'invalidate_nonces',
    sender: 'w1',
    word: used.nonce >> 8n,
    mask: 1n << (used.nonce & 255n),
  };
  const at = after(hired(), [invalidate]);
  const abandon = (a: ModelAuth): ModelCall => ({ action: 'abandon_node', sender: 'relayer', number: 1, auth: a });
  expect(refusal(at, abandon({ ...used, signer: 'w2', validUntil: NOW - 1 }))).toBe('ActionExpired');
  expect(refusal(at, abandon({ ...used, signer: 'w2' }))).toBe('NonceUsed');
  expect(refusal(at, abandon(auth('w2')))).toBe('InvalidSignature');
  expect(refusal(at, abandon(auth('w1', { intact: false })))).toBe('InvalidSignature');
  expect(refusal(at, abandon({ ...auth('w1'), signer: null }))).toBe('InvalidSignature');
  expect(refusal(at, { ...abandon({ ...auth('w1'), signer: null }), sender: 'w1' })).toBe('went through');
  expect(refusal(at, abandon(auth('w1', { validUntil: NOW })))).toBe('went through');
});

test.each<[string, Partial<ModelTerms>]>([
  ['node 0', { number: 0 }],
  ['nobody', { worker: null }],
  ['the arbiter', { worker: 'arbiter' }],
  ['no price', { amount: 0n }],
  ['no time', { deliverBy: NOW }],
  ['more than a year', { deliverBy: NOW + 365 * DAY + 1 }],
  ['too short a window', { acceptWindow: 4 * 3600 - 1 }],
  ['too long a window', { acceptWindow: 90 * DAY + 1 }],
  ['a parent', { parentNumber: 1 }],
  ['money of a parent', { hirerFunded: false }],
])('the buyer cannot hire with %s', (_, change) => {
  expect(refusal(tree(), select(terms(1, 0, 'w1', change)))).toBe('InvalidTerms');
});

test('a quote ends the time to fund, unless the deadline does', () => {
  const short = after(tree(), [select(terms(1, 0, 'w1'), { validUntil: NOW + 5 })]);
  expect(refusal(short, fund(1), NOW + 5)).toBe('went through');
  expect(refusal(short, fund(1), NOW + 6)).toBe('TooLate');
  expect(after(tree(), [select(terms(1, 0, 'w1'))]).nodes[0]?.clock).toBe(DUE);
});

test('money that is not there, not movable or not named rightly does not come in', () => {
  const selected = after(tree(), [select(terms(1, 0, 'w1', { amount: 1_001n }))]);
  expect(refusal(selected, fund(1))).toBe('ERC20InsufficientBalance');
  expect(refusal(selected, fund(1, FundingMode.RefundBalance))).toBe('InsufficientRefund');
  expect(refusal(selected, fund(1, FundingMode.ParentNode))).toBe('InvalidTerms');
  expect(refusal(after(selected, [{ action: 'pause', sender: 'issuer' }]), fund(1))).toBe('TokenPaused');
  expect(refusal(after(selected, [{ action: 'deny', sender: 'issuer', account: 'buyer' }]), fund(1))).toBe(
    'AccountBlacklisted',
  );
  const by3009: ModelCall = {
    action: 'fund_task',
    sender: 'buyer',
    number: 1,
    mode: FundingMode.Authorization3009,
    auth: { ...auth('buyer'), signer: null },
  };
  expect(refusal(selected, by3009)).toBe('InvalidTokenSignature');
});

test('a child is paid when its backers have settled, and never when one was refunded', () => {
  const both = after(hired(), [carve(terms(2, 1, 'w2', { amount: 40n }), 'w1')], [deliver(2, 'w2')], [accept(2, 'w1')]);
  expect(refusal(both, withdraw(2, 'w2', 40n))).toBe('AncestorNotSettled');
  expect(refusal(both, { action: 'abandon_node', sender: 'relayer', number: 1, auth: auth('w1') })).toBe(
    'LiveAllocations',
  );
  const claimed = after(both, [claim(1), DUE + 1]);
  expect(refusal(claimed, withdraw(2, 'w2', 40n), DUE + 1)).toBe('AncestorNotSettled');
  expect(claimed.refundOf.get('buyer')).toBe(PRICE);
  const paid = after(
    both,
    [deliver(1, 'w1')],
    [withdraw(2, 'w2', 40n), NOW + 2 * WINDOW],
    [finalize(1), NOW + 2 * WINDOW],
  );
  expect(refusal(paid, withdraw(1, 'w1', 61n), DUE)).toBe('InsufficientNodeBalance');
  expect(refusal(paid, withdraw(1, 'w1', 60n), DUE)).toBe('went through');
});

test('a tree has eight levels', () => {
  let deep = hired();
  for (let level = 2; level <= 8; level += 1)
    deep = after(deep, [carve(terms(level, level - 1, `w${level}`), `w${level - 1}`)]);
  expect(refusal(deep, carve(terms(9, 8, 'w9'), 'w8'))).toBe('TreeTooDeep');
});

test('without an arbiter a rejection at the deadline is final, with one the worker has a window more', () => {
  const late = (arbiter: string | null) =>
    after(tree(arbiter), [select(terms(1, 0, 'w1'))], [fund(1)], [deliver(1, 'w1'), DUE], [reject(1, 'buyer'), DUE]);
  expect(late(null).nodes[0]?.state).toBe(NodeState.Refunded);
  expect(late('arbiter').nodes[0]).toMatchObject({ state: NodeState.Rejected, clock: DUE + WINDOW });
  expect(refusal(late('arbiter'), deliver(1, 'w1'), DUE + 1)).toBe('TooLate');
});

test('an arbiter divides only what no child holds, or nothing', () => {
  const parts = [carve(terms(2, 1, 'w2', { amount: 40n }), 'w1')] as const;
  const disputed = after(hired(), parts, [deliver(1, 'w1')], [reject(1, 'buyer')], [dispute(1, 'w1')]);
  expect(refusal(disputed, rule(1, 39n))).toBe('ShareOutOfRange');
  expect(refusal(disputed, rule(1, 101n))).toBe('ShareOutOfRange');
  expect(after(disputed, [rule(1, 0n)]).refundOf.get('buyer')).toBe(PRICE);
  expect(after(disputed, [rule(1, 70n)]).refundOf.get('buyer')).toBe(30n);
  const silent = after(disputed, [finalize(1), NOW + 31 * DAY]);
  expect(silent.nodes[0]).toMatchObject({ pool: 50n, state: NodeState.Settled });
});

test('what came back pays for the next node', () => {
  const again = after(
    hired(),
    [claim(1), DUE + 1],
    [select(terms(2, 0, 'w2', { deliverBy: DUE + DAY })), DUE + 1],
    [fund(2, FundingMode.RefundBalance), DUE + 2],
  );
  expect(again.refundOf.get('buyer')).toBe(0n);
  expect(again.token.balances.get('escrow')).toBe(PRICE);
  const back: ModelCall = {
    action: 'withdraw_refund',
    sender: 'buyer',
    account: 'buyer',
    recipient: 'escrow',
    amount: 1n,
    auth: auth('buyer'),
  };
  expect(refusal(again, back)).toBe('InvalidRecipient');
  expect(refusal(again, { ...back, recipient: 'buyer' })).toBe('InsufficientRefund');
});
