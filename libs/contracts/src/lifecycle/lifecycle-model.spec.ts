import { childPath, FIRST_WITHDRAWAL_NONCE, parentPath } from '#libs/kernel';
import { nodeNonce } from '../abi/nonce-bitmap.js';
import { FundingMode, NodeState } from '../tree/node-states.js';
import type { ModelAuth, ModelCall, ModelNode, ModelTerms, ModelTree } from './lifecycle-calls.js';
import { step } from './lifecycle-model.js';
import { emptyTree } from './reference-model-state.js';

const NOW = 1_000_000;
const DAY = 86_400;
const WINDOW = 2 * DAY;
const DUE = NOW + 7 * DAY;
const PRICE = 100n;
const ROOT = 1n;
const CHILD = childPath(ROOT, 1);
const GRANDCHILD = childPath(CHILD, 1);

let withdrawals = FIRST_WITHDRAWAL_NONCE;

/** An authorisation for the state that the node is in. */
function authAt(tree: ModelTree, path: bigint, signer: string, change: Partial<ModelAuth> = {}): ModelAuth {
  const version = tree.nodes.find((node) => node.path === path)?.version ?? 0;
  return { signer, nonce: nodeNonce(path, version), validUntil: DUE + 400 * DAY, intact: true, ...change };
}

function withdrawalBy(signer: string): ModelAuth {
  withdrawals += 1n;
  return { signer, nonce: withdrawals, validUntil: DUE + 400 * DAY, intact: true };
}

function terms(path: bigint, worker: string, change: Partial<ModelTerms> = {}): ModelTerms {
  const times = { workSeconds: 7 * DAY, acceptWindow: WINDOW, maxRevisions: 1 };
  return { path, worker, amount: PRICE, floor: 50n, ...times, hirerFunded: parentPath(path) === 0n, ...change };
}

type Move = (tree: ModelTree) => ModelCall;

/** The tree after calls that must all go through. */
function after(tree: ModelTree, ...calls: (readonly [Move, number?])[]): ModelTree {
  return calls.reduce((before, [move, now = NOW]) => {
    const call = move(before);
    const result = step(before, call, now);
    if (!result.ok) throw new Error(`${call.action}: ${result.error}`);
    return result.tree;
  }, tree);
}

function refusal(tree: ModelTree, move: Move, now = NOW): string {
  const result = step(tree, move(tree), now);
  return result.ok ? 'went through' : result.error;
}

const sender = 'relayer';
const fund =
  (t: ModelTerms, mode: FundingMode = FundingMode.Allowance, change: Partial<ModelAuth> = {}): Move =>
  (tree) => {
    const workerAuth = authAt(tree, t.path, t.worker ?? '', change);
    return { action: 'fund_task', sender, terms: t, mode, hirerAuth: authAt(tree, t.path, 'buyer'), workerAuth };
  };
const carve =
  (t: ModelTerms, hirer: string, mode: FundingMode = FundingMode.ParentNode): Move =>
  (tree) => {
    const [hirerAuth, workerAuth] = [authAt(tree, t.path, hirer), authAt(tree, t.path, t.worker ?? '')];
    return { action: 'subcontract', sender, terms: t, mode, hirerAuth, workerAuth };
  };
const deliver =
  (path: bigint, worker: string, payOut = false): Move =>
  (tree) => ({ action: 'deliver', sender, path, artifact: 'a', payOut, auth: authAt(tree, path, worker) });
const accept =
  (path: bigint, hirer: string): Move =>
  (tree) => ({ action: 'resolve_task', sender, path, artifact: 'a', auth: authAt(tree, path, hirer) });
const reject =
  (path: bigint, hirer: string): Move =>
  (tree) => ({ action: 'reject_task', sender, path, artifact: 'a', auth: authAt(tree, path, hirer) });
const dispute =
  (path: bigint, worker: string): Move =>
  (tree) => ({ action: 'dispute_node', sender, path, auth: authAt(tree, path, worker) });
const rule =
  (path: bigint, share: bigint): Move =>
  (tree) => ({ action: 'rule_dispute', sender, path, share, auth: authAt(tree, path, 'arbiter') });
const split =
  (path: bigint, share: bigint, hirer: string, worker: string): Move =>
  (tree) => {
    const [hirerAuth, workerAuth] = [authAt(tree, path, hirer), authAt(tree, path, worker)];
    return { action: 'agree_split', sender, path, share, hirerAuth, workerAuth };
  };
const abandon =
  (path: bigint, worker: string, change: Partial<ModelAuth> = {}): Move =>
  (tree) => ({ action: 'abandon_node', sender, path, auth: authAt(tree, path, worker, change) });
const claim =
  (path: bigint): Move =>
  (tree) => ({ action: 'claim_non_delivery', sender, path, account: 'anyone', auth: authAt(tree, path, 'anyone') });
const withdraw =
  (path: bigint, worker: string, amount: bigint): Move =>
  () => ({ action: 'withdraw_earnings', sender, path, recipient: worker, amount, auth: withdrawalBy(worker) });
const finalize =
  (path: bigint): Move =>
  () => ({ action: 'finalize', sender, path });
const issuer =
  (action: 'pause' | 'unpause'): Move =>
  () => ({ action, sender: 'issuer' });
const list =
  (action: 'deny' | 'allow', account: string): Move =>
  () => ({ action, sender: 'issuer', account });

function tree(arbiter: string | null = 'arbiter'): ModelTree {
  const balances = new Map([
    ['buyer', 1_000n],
    ['w1', 0n],
  ]);
  return emptyTree({ escrow: 'escrow', factory: 'factory', buyer: 'buyer', arbiter }, balances);
}

/** A funded root of w1. */
const hired = (change: Partial<ModelTerms> = {}, arbiter: string | null = 'arbiter') =>
  after(tree(arbiter), [fund(terms(ROOT, 'w1', change))]);
const balanceOf = ({ token }: ModelTree, account: string) => token.balances.get(account) ?? 0n;

test('the whole life of a node, and every unit of its money', () => {
  const end = after(hired(), [deliver(ROOT, 'w1')], [accept(ROOT, 'buyer')], [withdraw(ROOT, 'w1', PRICE)]);
  expect(end.token.balances).toEqual(
    new Map([
      ['buyer', 900n],
      ['w1', 100n],
      ['escrow', 0n],
    ]),
  );
  expect(end.nodes[0]).toMatchObject({ state: NodeState.Settled, share: 100n, withdrawn: 100n, version: 3 });
});

test('a call that is refused leaves the tree as it was, nonces too', () => {
  const before = hired();
  const snapshot = structuredClone(before);
  expect(refusal(before, abandon(ROOT, 'w2'))).toBe('InvalidSignature');
  expect(before).toEqual(snapshot);
});

test('time, nonce and signature are asked for in this order', () => {
  const nonce = nodeNonce(ROOT, 1);
  const cancel: Move = () => ({ action: 'invalidate_nonces', sender: 'w1', word: ROOT, mask: 1n << (nonce & 255n) });
  const cancelled = after(hired(), [cancel]);
  expect(refusal(cancelled, abandon(ROOT, 'w2', { validUntil: NOW - 1, nonce: 7n }))).toBe('ActionExpired');
  expect(refusal(cancelled, abandon(ROOT, 'w2', { nonce: 7n }))).toBe('WrongNonce');
  expect(refusal(cancelled, abandon(ROOT, 'w1'))).toBe('NonceUsed');
  expect(refusal(cancelled, claim(ROOT), DUE + 1)).toBe('went through');
  const at = hired();
  expect(refusal(at, abandon(ROOT, 'w1', { nonce: FIRST_WITHDRAWAL_NONCE }))).toBe('WrongNonce');
  expect(refusal(at, abandon(ROOT, 'w1', { nonce: nodeNonce(2n, 1) }))).toBe('WrongNonce');
  expect(refusal(at, abandon(ROOT, 'w2'))).toBe('InvalidSignature');
  expect(refusal(at, abandon(ROOT, 'w1', { intact: false }))).toBe('InvalidSignature');
  expect(refusal(at, abandon(ROOT, 'w1', { signer: null }))).toBe('InvalidSignature');
  const own: Move = (now) => ({ ...abandon(ROOT, 'w1', { signer: null })(now), sender: 'w1' });
  expect(refusal(at, own)).toBe('went through');
  expect(refusal(at, abandon(ROOT, 'w1', { validUntil: NOW }))).toBe('went through');
});

test('what was signed for one state of a node is void in every later one', () => {
  const delivered = after(hired(), [deliver(ROOT, 'w1')]);
  const stale = accept(ROOT, 'buyer')(delivered);
  const again = after(delivered, [reject(ROOT, 'buyer')], [deliver(ROOT, 'w1')]);
  expect(refusal(delivered, () => stale)).toBe('went through');
  expect(refusal(again, () => stale)).toBe('WrongNonce');
});

test('a withdrawal has a nonce of its own range, once', () => {
  const settled = after(hired(), [deliver(ROOT, 'w1')], [accept(ROOT, 'buyer')]);
  const first = withdraw(ROOT, 'w1', 10n)(settled);
  const paid = after(settled, [() => first]);
  expect(refusal(paid, () => first)).toBe('NonceUsed');
  const nodes: Move = (now) => ({ ...first, auth: authAt(now, ROOT, 'w1') }) as ModelCall;
  expect(refusal(paid, nodes)).toBe('WrongNonce');
});

test.each<[string, Partial<ModelTerms>]>([
  ['no node', { path: 0n }],
  ['an index of 0', { path: 1n << 24n }],
  ['nobody', { worker: null }],
  ['the arbiter', { worker: 'arbiter' }],
  ['the escrow', { worker: 'escrow' }],
  ['the factory', { worker: 'factory' }],
  ['no price', { amount: 0n }],
  ['a floor above the price', { floor: 101n }],
  ['too little time', { workSeconds: 3_599 }],
  ['more than a year', { workSeconds: 365 * DAY + 1 }],
  ['too short a window', { acceptWindow: 4 * 3600 - 1 }],
  ['too long a window', { acceptWindow: 90 * DAY + 1 }],
  ['too many revisions', { maxRevisions: 11 }],
  ['money of a parent', { hirerFunded: false }],
])('the buyer cannot hire with %s', (_, change) => {
  const bad = terms(ROOT, 'w1', change);
  const call: Move = (at) => {
    const both = authAt(at, ROOT, 'buyer');
    const workerAuth = { ...both, signer: 'w1' };
    return { action: 'fund_task', sender, terms: bad, mode: FundingMode.Allowance, hirerAuth: both, workerAuth };
  };
  expect(refusal(tree(), call)).toBe('InvalidTerms');
});

test('what a quote, a payer and the token must be', () => {
  expect(refusal(tree(), fund(terms(ROOT, 'w1'), FundingMode.Allowance, { validUntil: NOW - 1 }))).toBe(
    'ActionExpired',
  );
  expect(refusal(tree(), fund(terms(ROOT, 'w1'), FundingMode.Allowance, { signer: 'w2' }))).toBe('InvalidSignature');
  expect(refusal(hired(), fund(terms(ROOT, 'w2')))).toBe('NodeExists');
  expect(refusal(tree(), fund(terms(ROOT, 'w1'), FundingMode.ParentNode))).toBe('InvalidTerms');
  expect(refusal(tree(), fund(terms(ROOT, 'w1', { amount: 1_001n })))).toBe('ERC20InsufficientBalance');
  expect(refusal(tree(), fund(terms(ROOT, 'w1'), FundingMode.RefundBalance))).toBe('InsufficientRefund');
  expect(refusal(after(tree(), [issuer('pause')]), fund(terms(ROOT, 'w1')))).toBe('TokenPaused');
  expect(refusal(after(tree(), [list('deny', 'buyer')]), fund(terms(ROOT, 'w1')))).toBe('AccountBlacklisted');
  const by3009: Move = (at) =>
    ({
      ...fund(terms(ROOT, 'w1'), FundingMode.Authorization3009)(at),
      sender: 'buyer',
      hirerAuth: { ...authAt(at, ROOT, 'buyer'), signer: null },
    }) as ModelCall;
  expect(refusal(tree(), by3009)).toBe('InvalidTokenSignature');
});

test('the last second of a payment is that of its authorisation', () => {
  const pay =
    (validUntil: number): Move =>
    (at) =>
      ({
        ...fund(terms(ROOT, 'w1'), FundingMode.Authorization3009)(at),
        hirerAuth: authAt(at, ROOT, 'buyer', { validUntil }),
      }) as ModelCall;
  expect(refusal(tree(), pay(NOW))).toBe('went through');
  expect(refusal(tree(), pay(NOW - 1))).toBe('ActionExpired');
});

test('whoever is hired in the last second of the quote has all the time that both signed', () => {
  const last: Move = fund(terms(ROOT, 'w1'), FundingMode.Allowance, { validUntil: NOW + 5 });
  const late = after(tree(), [last, NOW + 5]);
  expect(refusal(late, claim(ROOT), NOW + 5 + 7 * DAY)).toBe('TooEarly');
  expect(refusal(late, deliver(ROOT, 'w1'), NOW + 5 + 7 * DAY)).toBe('went through');
  expect(refusal(late, claim(ROOT), NOW + 6 + 7 * DAY)).toBe('went through');
});

test('nobody but the worker of a node hires below it, for no more than its floor and no longer than it lasts', () => {
  const child = terms(CHILD, 'w2', { amount: 50n, floor: 0n });
  expect(refusal(hired(), carve(child, 'w2'))).toBe('InvalidSignature');
  expect(refusal(tree(), carve(child, 'w1'))).toBe('WrongState');
  expect(refusal(hired(), fund(child))).toBe('InvalidTerms');
  expect(refusal(hired(), carve(terms(2n, 'w2'), 'w1', FundingMode.Allowance))).toBe('InvalidTerms');
  expect(refusal(hired(), carve({ ...child, amount: 51n }, 'w1'))).toBe('InsufficientNodeBalance');
  expect(refusal(hired(), carve({ ...child, workSeconds: 7 * DAY + 1 }, 'w1'))).toBe('InvalidTerms');
  expect(refusal(hired(), carve({ ...child, hirerFunded: true }, 'w1'))).toBe('InvalidTerms');
  expect(refusal(hired(), carve({ ...child, hirerFunded: true }, 'w1', FundingMode.Allowance))).toBe(
    'ERC20InsufficientBalance',
  );
  const taken = after(hired(), [carve(child, 'w1')]);
  expect(refusal(taken, carve(terms(childPath(ROOT, 2), 'w3', { amount: 1n, floor: 0n }), 'w1'))).toBe(
    'InsufficientNodeBalance',
  );
});

test('a child is paid when its backers have settled, and never when one was refunded', () => {
  const parts = carve(terms(CHILD, 'w2', { amount: 40n, floor: 0n }), 'w1');
  const both = after(hired(), [parts], [deliver(CHILD, 'w2')], [accept(CHILD, 'w1')]);
  expect(refusal(both, withdraw(CHILD, 'w2', 40n))).toBe('AncestorNotSettled');
  expect(refusal(both, abandon(ROOT, 'w1'))).toBe('LiveAllocations');
  const claimed = after(both, [claim(ROOT), DUE + 1]);
  expect(refusal(claimed, withdraw(CHILD, 'w2', 40n), DUE + 1)).toBe('AncestorNotSettled');
  expect(claimed.refundOf.get('buyer')).toBe(PRICE);
  const [late, silent] = [NOW + 2 * WINDOW, after(both, [deliver(ROOT, 'w1')])];
  const paid = after(silent, [withdraw(CHILD, 'w2', 40n), late], [finalize(ROOT), late]);
  expect(refusal(paid, withdraw(ROOT, 'w1', 61n), DUE)).toBe('InsufficientNodeBalance');
  expect(refusal(paid, withdraw(ROOT, 'w1', 60n), DUE)).toBe('went through');
});

test('a child that its hirer pays for goes its own way, and what it does not earn returns to that hirer', () => {
  const rich = tree();
  const start = { ...rich, token: { ...rich.token, balances: new Map(rich.token.balances).set('w1', 80n) } };
  const own = terms(CHILD, 'w2', { amount: 80n, hirerFunded: true });
  const both = after(start, [fund(terms(ROOT, 'w1'))], [carve(own, 'w1', FundingMode.Allowance)]);
  expect(refusal(both, abandon(ROOT, 'w1'))).toBe('went through');
  const done = after(both, [deliver(CHILD, 'w2')], [claim(ROOT), DUE + 1], [split(CHILD, 30n, 'w1', 'w2'), DUE + 1]);
  expect([done.refundOf.get('buyer'), done.refundOf.get('w1')]).toEqual([PRICE, 50n]);
  expect(refusal(done, withdraw(CHILD, 'w2', 30n), DUE + 1)).toBe('went through');
});

test('below the eighth level there is nobody to hire', () => {
  let [deep, path] = [hired({ amount: 100n, floor: 100n }), ROOT];
  for (let level = 2; level <= 8; level += 1) {
    path = childPath(path, 1);
    deep = after(deep, [carve(terms(path, `w${level}`, { floor: 100n }), `w${level - 1}`)]);
  }
  expect(deep.nodes).toHaveLength(8);
  const below: Move = () => {
    const auth = { signer: 'w8', nonce: 0n, validUntil: DUE, intact: true };
    const ninth = terms((path << 24n) | 1n, 'w9');
    const auths = { hirerAuth: auth, workerAuth: { ...auth, signer: 'w9' } };
    return { action: 'subcontract', sender, terms: ninth, mode: FundingMode.ParentNode, ...auths };
  };
  expect(refusal(deep, below)).toBe('InvalidTerms');
});

test('the last rejection is final without an arbiter, and open to dispute with one', () => {
  const worn = (arbiter: string | null) =>
    after(
      hired({}, arbiter),
      [deliver(ROOT, 'w1')],
      [reject(ROOT, 'buyer')],
      [deliver(ROOT, 'w1')],
      [reject(ROOT, 'buyer')],
    );
  expect(worn(null).nodes[0]).toMatchObject({ state: NodeState.Refunded, share: 0n, revisions: 1 });
  expect(worn(null).refundOf.get('buyer')).toBe(PRICE);
  expect(worn('arbiter').nodes[0]).toMatchObject({ state: NodeState.Rejected, clock: NOW + WINDOW });
  expect(refusal(worn('arbiter'), deliver(ROOT, 'w1'))).toBe('NoRevisionLeft');
  expect(refusal(worn('arbiter'), dispute(ROOT, 'w1'), NOW + WINDOW)).toBe('went through');
  expect(refusal(worn('arbiter'), dispute(ROOT, 'w1'), NOW + WINDOW + 1)).toBe('TooLate');
});

test('without an arbiter a rejection at the deadline is final, with one the worker has a window more', () => {
  const late = (arbiter: string | null) =>
    after(hired({}, arbiter), [deliver(ROOT, 'w1'), DUE], [reject(ROOT, 'buyer'), DUE]);
  expect(late(null).nodes[0]?.state).toBe(NodeState.Refunded);
  expect(late('arbiter').nodes[0]).toMatchObject({ state: NodeState.Rejected, clock: DUE + WINDOW });
  expect(refusal(late('arbiter'), deliver(ROOT, 'w1'), DUE + 1)).toBe('TooLate');
});

test('an arbiter divides only what no child holds, or nothing', () => {
  const parts = [carve(terms(CHILD, 'w2', { amount: 40n, floor: 0n }), 'w1')] as const;
  const disputed = after(hired(), parts, [deliver(ROOT, 'w1')], [reject(ROOT, 'buyer')], [dispute(ROOT, 'w1')]);
  expect(refusal(disputed, rule(ROOT, 39n))).toBe('ShareOutOfRange');
  expect(refusal(disputed, rule(ROOT, 101n))).toBe('ShareOutOfRange');
  expect(refusal(disputed, split(ROOT, 0n, 'buyer', 'w1'))).toBe('ShareOutOfRange');
  expect(refusal(disputed, split(ROOT, 40n, 'w1', 'buyer'))).toBe('InvalidSignature');
  expect(after(disputed, [split(ROOT, 40n, 'buyer', 'w1')]).refundOf.get('buyer')).toBe(60n);
  expect(after(disputed, [rule(ROOT, 0n)]).refundOf.get('buyer')).toBe(PRICE);
  expect(after(disputed, [rule(ROOT, 70n)]).refundOf.get('buyer')).toBe(30n);
});

test('what a silent arbiter has refunded, for want of a floor, cannot be talked back', () => {
  const disputed = (floor: bigint) =>
    after(hired({ floor }), [deliver(ROOT, 'w1')], [reject(ROOT, 'buyer')], [dispute(ROOT, 'w1')]);
  const end = NOW + 30 * DAY;
  expect(refusal(disputed(0n), split(ROOT, 40n, 'buyer', 'w1'), end)).toBe('went through');
  expect(refusal(disputed(0n), split(ROOT, 40n, 'buyer', 'w1'), end + 1)).toBe('TooLate');
  expect(refusal(disputed(1n), split(ROOT, 40n, 'buyer', 'w1'), end + 1)).toBe('went through');
});

test('a puppet below a puppet and a silent arbiter cost the buyer the floor that it signed', () => {
  for (const floor of [0n, 30n, 50n, 100n]) {
    const start = hired({ floor });
    const puppets: (readonly [Move])[] =
      floor === 0n
        ? []
        : [
            [carve(terms(CHILD, 'p1', { amount: floor, floor }), 'w1')],
            [carve(terms(GRANDCHILD, 'p2', { amount: floor, floor }), 'p1')],
            [deliver(GRANDCHILD, 'p2')],
            [accept(GRANDCHILD, 'p1')],
            [deliver(CHILD, 'p1')],
            [accept(CHILD, 'w1')],
          ];
    const junk = after(start, ...puppets, [deliver(ROOT, 'w1')], [reject(ROOT, 'buyer')], [dispute(ROOT, 'w1')]);
    const silent = after(junk, [finalize(ROOT), NOW + 31 * DAY]);
    expect(silent.refundOf.get('buyer')).toBe(PRICE - floor);
    expect(silent.nodes[0]?.state).toBe(floor === 0n ? NodeState.Refunded : NodeState.Settled);
  }
});

test('whoever asked for it is paid with the decision, to its own address', () => {
  const delivered = after(hired(), [deliver(ROOT, 'w1', true)]);
  const paid = after(delivered, [accept(ROOT, 'buyer')]);
  expect(balanceOf(paid, 'w1')).toBe(PRICE);
  expect(refusal(paid, withdraw(ROOT, 'w1', 1n))).toBe('InsufficientNodeBalance');
  expect(refusal(paid, finalize(ROOT))).toBe('WrongState');
  const disputed = after(delivered, [reject(ROOT, 'buyer')], [dispute(ROOT, 'w1')]);
  expect(balanceOf(after(disputed, [rule(ROOT, 70n)]), 'w1')).toBe(70n);
  expect(balanceOf(after(disputed, [split(ROOT, 60n, 'buyer', 'w1')]), 'w1')).toBe(60n);
  expect(balanceOf(after(disputed, [finalize(ROOT), NOW + 31 * DAY]), 'w1')).toBe(50n);
  expect(balanceOf(after(delivered, [withdraw(ROOT, 'w1', 7n), DUE]), 'w1')).toBe(7n);
});

test('a payment that cannot be made leaves the money in the node, and anybody may repeat it', () => {
  for (const [stop, go] of [
    [issuer('pause'), issuer('unpause')],
    [list('deny', 'w1'), list('allow', 'w1')],
    [list('deny', 'escrow'), list('allow', 'escrow')],
  ] as const) {
    const settled = after(hired(), [deliver(ROOT, 'w1', true)], [stop], [accept(ROOT, 'buyer')]);
    expect(settled.nodes[0]).toMatchObject({ state: NodeState.Settled, withdrawn: 0n });
    expect(refusal(settled, finalize(ROOT))).toBe('WrongState');
    expect(balanceOf(after(settled, [go], [finalize(ROOT)]), 'w1')).toBe(PRICE);
  }
});

test('a helper is paid out once everything above it is settled', () => {
  const parts = carve(terms(CHILD, 'w2', { amount: 40n, floor: 0n }), 'w1');
  const both = after(hired(), [parts], [deliver(CHILD, 'w2', true)], [accept(CHILD, 'w1')]);
  expect(balanceOf(both, 'w2')).toBe(0n);
  expect(refusal(both, finalize(CHILD))).toBe('WrongState');
  const done = after(both, [deliver(ROOT, 'w1', true)], [accept(ROOT, 'buyer')]);
  expect([balanceOf(done, 'w1'), balanceOf(done, 'w2')]).toEqual([60n, 0n]);
  expect(balanceOf(after(done, [finalize(CHILD)]), 'w2')).toBe(40n);
});

test('what came back pays for the next node', () => {
  const again = after(hired(), [claim(ROOT), DUE + 1], [fund(terms(2n, 'w2'), FundingMode.RefundBalance), DUE + 2]);
  expect(again.refundOf.get('buyer')).toBe(0n);
  expect(balanceOf(again, 'escrow')).toBe(PRICE);
  const back =
    (recipient: string): Move =>
    () => ({
      action: 'withdraw_refund',
      sender: 'buyer',
      account: 'buyer',
      recipient,
      amount: 1n,
      auth: withdrawalBy('buyer'),
    });
  expect(refusal(again, back('escrow'))).toBe('InvalidRecipient');
  expect(refusal(again, back('buyer'))).toBe('InsufficientRefund');
});

describe('when all are silent', () => {
  const random = (seed: number) => {
    let state = seed * 2_654_435_761;
    return (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  };

  /** A tree of up to four levels whose nodes were left in every kind of state that time can find them in. */
  function leftAlone(pick: (below: number) => number): ModelTree {
    const rich = Array.from({ length: 8 }, (_, i) => [`h${i}`, 60n] as const);
    const empty = tree(pick(3) === 0 ? null : 'arbiter');
    const balances = new Map([...empty.token.balances, ...rich, ['w1', 60n], ['w2', 60n]]);
    let now: ModelTree = { ...empty, token: { ...empty.token, balances } };
    const play = (...moves: Move[]): void => {
      for (const move of moves) {
        const result = step(now, move(now), NOW);
        if (result.ok) now = result.tree;
      }
    };
    const hirerOf = (path: bigint): string =>
      parentPath(path) === 0n ? 'buyer' : (now.nodes.find((node) => node.path === parentPath(path))?.worker ?? '');
    for (const index of [1, 2]) play(fund(terms(BigInt(index), `w${index}`, { floor: BigInt(pick(101)) })));
    for (let i = 0; i < 8; i += 1) {
      const parent = now.nodes[pick(now.nodes.length)];
      if (parent === undefined || parent.path >> 72n !== 0n) continue;
      const amount = BigInt(1 + pick(40));
      const floor = BigInt(pick(Number(amount) + 1));
      const isOwn = pick(4) === 0;
      const work = { amount, floor, maxRevisions: pick(2), hirerFunded: isOwn };
      const mode = isOwn ? FundingMode.Permit : FundingMode.ParentNode;
      play(carve(terms(childPath(parent.path, i + 1), `h${i}`, work), parent.worker, mode));
    }
    for (const { path, worker } of now.nodes.toReversed()) {
      const hirer = hirerOf(path);
      const paid = pick(2) === 0;
      const ends: Move[][] = [
        [],
        [deliver(path, worker, paid)],
        [deliver(path, worker, paid), accept(path, hirer)],
        [deliver(path, worker, paid), reject(path, hirer)],
        [deliver(path, worker, paid), reject(path, hirer), dispute(path, worker)],
        [deliver(path, worker, paid), reject(path, hirer), dispute(path, worker)],
        [deliver(path, worker, paid), reject(path, hirer), dispute(path, worker), rule(path, 35n)],
        [abandon(path, worker)],
        [split(path, 30n, hirer, worker)],
      ];
      play(...ends[pick(ends.length)]!);
    }
    return now;
  }

  /** What each account has in the end, told from the promises alone: what each node's side has, less its helpers' parts. */
  function fatesOf({ nodes, refundOf, token, buyer }: ModelTree): Map<string, bigint> {
    const keeps = (node: ModelNode): bigint => {
      if (node.state === NodeState.Funded || node.state === NodeState.Rejected) return 0n;
      return node.state === NodeState.Disputed ? node.floor : node.share;
    };
    const above = (node: ModelNode) => nodes.find(({ path }) => path === parentPath(node.path));
    const isPaid = (node: ModelNode): boolean => keeps(node) > 0n && (node.hirerFunded || isPaid(above(node)!));
    const ended: NodeState[] = [NodeState.Settled, NodeState.Refunded, NodeState.Abandoned];
    const fates = new Map<string, bigint>();
    const give = (account: string, amount: bigint): void => {
      fates.set(account, (fates.get(account) ?? 0n) + amount);
    };
    for (const [account, balance] of token.balances) if (account !== 'escrow') give(account, balance);
    for (const [account, amount] of refundOf) give(account, amount);
    for (const node of nodes) {
      const helpers = nodes.filter((other) => !other.hirerFunded && above(other) === node);
      const own = keeps(node) - helpers.reduce((sum, helper) => sum + keeps(helper), 0n) - node.withdrawn;
      if (isPaid(node)) give(node.worker, own);
      if (node.hirerFunded && !ended.includes(node.state)) give(above(node)?.worker ?? buyer, node.price - keeps(node));
    }
    return fates;
  }

  test.each(Array.from({ length: 60 }, (_, seed) => seed + 1))(
    'no order of calls by strangers moves a base unit, and each has what it was promised (seed %d)',
    (seed) => {
      const pick = random(seed);
      const start = leftAlone(pick);
      const fates = fatesOf(start);
      const late = NOW + 400 * DAY;
      for (let round = 0; round < 6; round += 1) {
        let now = start;
        const play = (move: Move): void => {
          const result = step(now, move(now), late);
          if (result.ok) now = result.tree;
        };
        const calls = start.nodes.flatMap(({ path }) => [finalize(path), claim(path), finalize(path)]);
        while (calls.length > 0) play(calls.splice(pick(calls.length), 1)[0]!);
        for (const { path, worker } of now.nodes) {
          for (let bit = 64n; bit > 0n; bit /= 2n) play(withdraw(path, worker, bit));
        }
        for (const [account, amount] of now.refundOf) {
          play(() => ({
            action: 'withdraw_refund',
            sender,
            account,
            recipient: account,
            amount,
            auth: withdrawalBy(account),
          }));
        }
        const ends = new Map([...now.token.balances].filter(([account]) => account !== 'escrow'));
        const some = (all: ReadonlyMap<string, bigint>) => new Map([...all].filter(([, amount]) => amount > 0n));
        expect(some(ends)).toEqual(some(fates));
        expect(balanceOf(now, 'escrow')).toBe(0n);
      }
    },
  );

  test('the trees that are left alone have four levels and every state', () => {
    const nodes = Array.from({ length: 60 }, (_, seed) => leftAlone(random(seed + 1)).nodes).flat();
    expect(new Set(nodes.map(({ state }) => state)).size).toBe(7);
    expect(nodes.some(({ path }) => path >> 72n !== 0n)).toBe(true);
    expect(nodes.filter(({ path, hirerFunded }) => hirerFunded && parentPath(path) !== 0n).length).toBeGreaterThan(20);
    const carved = nodes.filter(({ state, hirerFunded }) => state === NodeState.Disputed && !hirerFunded);
    expect(carved.length).toBeGreaterThan(5);
  });
});
