// Chooses the calls of random histories: mostly plausible ones, often exactly at a deadline or for an exact balance,
// and now and then one with the wrong signer, nonce, time, node or amount, or one that was sent before. Accounts are 0-5
// workers, 6 buyer, 7 arbiter, 8 a stranger, 9 somebody who only receives, 10 the escrow, 11 the factory.
import {
  FIRST_WITHDRAWAL_NONCE,
  nodeActionFacts,
  NodeState,
  possibleActions,
} from '../../../../dist/libs/contracts/src/index.js';
import { childPath, parentPath, pathLevel } from '../../../../dist/libs/kernel/src/index.js';

export const START = 1_750_000_000;
export const ESCROW = 10;
export const FACTORY = 11;
const HOUR = 3600;
const DAY = 24 * HOUR;
const MAX_LEVELS = 8;

/** The order is that of DifferentialTest. */
export const KINDS = [
  'fund_task',
  'subcontract',
  'deliver',
  'resolve_task',
  'reject_task',
  'abandon_node',
  'claim_non_delivery',
  'dispute_node',
  'rule_dispute',
  'agree_split',
  'finalize',
  'withdraw_earnings',
  'withdraw_refund',
  'invalidate_nonces',
  'pause',
  'unpause',
  'deny',
  'allow',
];
const OF_NODE = KINDS.slice(2, 12);

/** Actions that an even choice would seldom reach, so they are offered more often. */
const RARE = new Set(['reject_task', 'dispute_node', 'rule_dispute', 'deliver', 'finalize']);

const pick = ({ random }, list) => list[random(list.length)];

/** Lets time pass: not at all, a little, to an edge of some node's clock, or much. */
function pass(tree, market) {
  const { random } = market;
  const dice = random(24);
  if (dice < 16) return;
  if (dice < 19) market.now += random(2 * HOUR);
  else if (dice < 23 && tree.nodes.length > 0) {
    const node = pick(market, tree.nodes);
    const edge = (random(3) === 0 ? node.deliverBy : node.clock) - 1 + random(3);
    if (edge > market.now && edge < market.now + 40 * DAY) market.now = edge;
  } else market.now += random(DAY);
}

/** The nonce that an action about the node must have now; also of a path that no node can have. */
function nonceAt(tree, path) {
  const version = tree.nodes.find((node) => node.path === path)?.version ?? 0;
  return (path << 8n) | BigInt(version);
}

/** A withdrawal's nonce that the account has not used yet. */
function freshNonce({ withdrawals }, account) {
  return FIRST_WITHDRAWAL_NONCE + BigInt(withdrawals[account]++);
}

/** An authorisation by the account, or about every tenth time one that must fail, or only just passes. */
function authOf(market, account, sender, nonce) {
  const { random, now } = market;
  const signable = account >= 0 && account <= 8;
  const signer = signable ? account : 8;
  const auth = {
    signer: account === sender ? (random(4) === 0 && signable ? account : null) : signer,
    nonce: nonce ?? freshNonce(market, signer),
    validUntil: now + HOUR + random(10 * DAY),
    intact: true,
  };
  const slip = random(70);
  if (slip === 0) auth.signer = random(9);
  else if (slip === 1 && auth.signer !== null) auth.intact = false;
  else if (slip === 2) auth.nonce = otherNonce(market, auth.nonce);
  else if (slip === 3) auth.validUntil = now - 1;
  else if (slip === 4) auth.validUntil = now;
  else if (slip === 5) auth.signer = null;
  return auth;
}

/** A nonce beside the right one: of the version before or after, of no kind at all, or of the other kind. */
function otherNonce({ random }, nonce) {
  const others = [nonce - 1n, nonce + 1n, nonce ^ 256n, nonce ^ FIRST_WITHDRAWAL_NONCE, 1n << 254n];
  const other = others[random(others.length)];
  return other < 0n ? 0n : other;
}

function around(market, exact, more) {
  const values = [exact, exact, exact, exact - 1n, exact + 1n, 1n, 0n, BigInt(market.random(Number(more) + 1))];
  const value = pick(market, values);
  return value < 0n ? 0n : value;
}

function termsOf(tree, market, parent) {
  const { random, now } = market;
  const free = parent === null ? 300_000_000n : parent.floor - factsOf(tree, market, parent).allocated;
  const isSpent = free === 0n && random(10) > 0;
  const hirerFunded = parent === null || isSpent || random(market.isDeep ? 12 : 4) === 0;
  const amount = hirerFunded
    ? pick(market, [1n, 50_000_000n, BigInt(random(300_000_000))])
    : random(4) === 0
      ? free
      : around(market, free / 2n, free);
  const terms = {
    path: pathBelow(tree, market, parent),
    worker: random(6),
    amount,
    floor: pick(market, market.isDeep ? [amount, amount - 1n] : [amount / 2n, amount / 2n, amount, 0n]),
    workSeconds: HOUR + random(6 * DAY),
    acceptWindow: 4 * HOUR + random(2 * DAY),
    maxRevisions: random(4),
    hirerFunded,
  };
  if (terms.floor < 0n) terms.floor = 0n;
  if (parent !== null) terms.workSeconds = Math.max(1, Math.min(terms.workSeconds, parent.deliverBy - now));
  const slip = random(90);
  if (slip === 0) terms.worker = null;
  else if (slip === 1) terms.worker = pick(market, [7, ESCROW, FACTORY]);
  else if (slip === 2) terms.amount = 0n;
  else if (slip === 3) terms.workSeconds = HOUR - random(2);
  else if (slip === 4) terms.workSeconds = 365 * DAY + random(2);
  else if (slip === 5) terms.acceptWindow = 4 * HOUR - random(2);
  else if (slip === 6) terms.acceptWindow = 90 * DAY + random(2);
  else if (slip === 7) terms.hirerFunded = !hirerFunded;
  else if (slip === 8) terms.path = tree.nodes.length > 0 ? pick(market, tree.nodes).path : 1n << 24n;
  else if (slip === 9 && parent !== null) terms.workSeconds = Math.max(1, parent.deliverBy - now + random(2));
  else if (slip === 10) terms.worker = 6;
  else if (slip === 11) terms.floor = terms.amount + BigInt(random(2));
  else if (slip === 12) terms.maxRevisions = 10 + random(2);
  else if (slip === 13) terms.path = (terms.path >> 24n) << 24n;
  else if (slip === 14) terms.path = childPath(1n + BigInt(random(4)), 1 + random(3));
  return terms;
}

/** The path of a new node below this one, `null` for the buyer; now and then far from the others. */
function pathBelow(tree, { random }, parent) {
  const above = parent === null ? 0n : parent.path;
  const taken = tree.nodes.filter(({ path }) => parentPath(path) === above).length;
  const index = BigInt(random(25) === 0 ? 1 + random(0xffffff) : taken + 1);
  return (above << 24n) | index;
}

const factsOf = (tree, { now }, node) => nodeActionFacts(tree, node, now);

/** The next call of a history; moves the market's time. */
export function makeCall(tree, market) {
  const { random, past } = market;
  pass(tree, market);
  const call = past.length > 0 && random(30) === 0 ? pick(market, past) : newCall(tree, market);
  past.push(call);
  return call;
}

function newCall(tree, market) {
  const { random, now } = market;
  const dice = random(100);
  const open = tree.nodes.filter(
    ({ state, deliverBy, path }) =>
      state === NodeState.Funded && deliverBy >= now + HOUR && pathLevel(path) < MAX_LEVELS,
  );
  const owed = [...tree.refundOf].some(([, amount]) => amount > 0n);
  const busy = tree.nodes.some(({ state }) => state > NodeState.Funded && state < NodeState.Settled);
  if (tree.nodes.length === 0 || (tree.nodes.length < 9 && dice < 6)) return fund(tree, market);
  if (market.isDeep && dice < 75 && tree.nodes.length < 13 && open.length > 0) {
    return subcontract(tree, market, open.at(-1));
  }
  if (tree.nodes.length < 12 && dice < 38 && open.length > 0) {
    return subcontract(tree, market, random(2) === 0 ? open.at(-1) : pick(market, open));
  }
  if (dice >= 40 && dice < (owed ? 47 : 41)) return takeRefund(tree, market);
  if (dice >= 47 && dice < 51) return housekeeping(tree, market);
  if (tree.nodes.length < 9 && open.length === 0 && !busy) return fund(tree, market);
  return work(tree, market);
}

function senderFor(market, ...accounts) {
  return pick(
    market,
    [8, 8, 9, ...accounts, ...accounts].filter((account) => account !== null && account < ESCROW),
  );
}

/** The buyer pays for a node; seldom the terms are those of a child. */
function fund(tree, market) {
  const parent = tree.nodes.length > 0 && market.random(60) === 0 ? pick(market, tree.nodes) : null;
  const terms = termsOf(tree, market, parent !== null && pathLevel(parent.path) < MAX_LEVELS ? parent : null);
  return hire('fund_task', tree, market, terms, 6, modeOf(tree, market, 6));
}

/** Any funding mode; now and then the one that only a carve-out may use. */
function modeOf(tree, { random }, hirer) {
  const owed = tree.refundOf.get(hirer) ?? 0n;
  return random(25) === 0 ? 4 : random(owed > 0n || random(10) === 0 ? 4 : 3);
}

function subcontract(tree, market, parent) {
  const terms = termsOf(tree, market, parent);
  const mode = terms.hirerFunded || market.random(25) === 0 ? modeOf(tree, market, parent.worker) : 4;
  return hire('subcontract', tree, market, terms, parent.worker, mode);
}

function hire(action, tree, market, terms, hirer, mode) {
  const sender = senderFor(market, hirer, terms.worker);
  const nonce = nonceAt(tree, terms.path);
  const hirerAuth = authOf(market, hirer, sender, nonce);
  const workerAuth = authOf(market, terms.worker ?? 8, sender, nonce);
  return { action, sender, terms, mode, hirerAuth, workerAuth };
}

function takeRefund(tree, market) {
  const owed = [...tree.refundOf].filter(([, amount]) => amount > 0n);
  const [account, balance] = owed.length > 0 ? pick(market, owed) : [6, 0n];
  const sender = senderFor(market, account);
  const recipient = market.random(30) === 0 ? ESCROW : pick(market, [account, account, 9]);
  const amount = around(market, balance, balance);
  return { action: 'withdraw_refund', sender, account, recipient, amount, auth: authOf(market, account, sender) };
}

function housekeeping(tree, market) {
  const { random } = market;
  const dice = random(10);
  const { paused, denied } = tree.token;
  if (paused && dice < 7) return { action: 'unpause', sender: 9 };
  if (dice === 0) return { action: 'pause', sender: 9 };
  if (denied.size > 0 && dice < 5) return { action: 'allow', sender: 9, account: pick(market, [...denied]) };
  if (dice === 5) return { action: 'deny', sender: 9, account: pick(market, [0, 1, 2, 3, 6, ESCROW]) };
  const sender = random(7);
  // Withdrawals to come, or what was signed about a node as it stands.
  const node = tree.nodes.length > 0 && random(2) === 0 ? pick(market, tree.nodes) : null;
  const next = node === null ? FIRST_WITHDRAWAL_NONCE + BigInt(market.withdrawals[sender]) : nonceAt(tree, node.path);
  return { action: 'invalidate_nonces', sender, word: next >> 8n, mask: (1n + BigInt(random(7))) << (next & 0xffn) };
}

/** A call on a node: mostly an action that the transition table allows there now, otherwise any. */
function work(tree, market) {
  const { random } = market;
  const offers = tree.nodes.flatMap((node) =>
    possibleActions(factsOf(tree, market, node), market.now)
      .filter(({ action }) => OF_NODE.includes(action))
      .filter(({ action }) => !['agree_split', 'abandon_node'].includes(action) || random(4) === 0)
      .flatMap(({ action }) => Array.from({ length: RARE.has(action) ? 4 : 1 }, () => [action, node])),
  );
  const blind = offers.length === 0 || random(7) === 0;
  const [action, node] = blind ? [pick(market, OF_NODE), pick(market, tree.nodes)] : pick(market, offers);
  const call = callOf(action, node, tree, market);
  return random(50) === 0 ? { ...call, path: 15n } : call;
}

function callOf(action, node, tree, market) {
  const { random } = market;
  const { path, worker, floor } = node;
  const { pool, allocated } = factsOf(tree, market, node);
  const parent = tree.nodes.find((other) => other.path === parentPath(path));
  const hirer = parent === undefined ? 6 : parent.worker;
  const nonce = nonceAt(tree, path);
  const actor = { resolve_task: hirer, reject_task: hirer, rule_dispute: 7, claim_non_delivery: random(9) }[action];
  const account = actor ?? worker;
  const sender = senderFor(market, account, action === 'agree_split' ? hirer : account);
  const base = { action, sender, path };
  if (action === 'finalize') return base;
  if (action === 'agree_split') {
    const share = shareOf(market, pool, allocated);
    const hirerAuth = authOf(market, hirer, sender, nonce);
    return { ...base, share, hirerAuth, workerAuth: authOf(market, worker, sender, nonce) };
  }
  if (action === 'withdraw_earnings') {
    const recipient = random(30) === 0 ? ESCROW : pick(market, [worker, worker, 9]);
    const held = node.state === NodeState.Disputed && node.clock < market.now ? floor : pool;
    return {
      ...base,
      recipient,
      amount: around(market, held - allocated, pool),
      auth: authOf(market, account, sender),
    };
  }
  const signed = { ...base, auth: authOf(market, account, sender, nonce) };
  if (action === 'deliver') {
    return { ...signed, artifact: random(30) === 0 ? null : 1 + random(250), payOut: random(3) > 0 };
  }
  if (action === 'resolve_task' || action === 'reject_task') {
    return { ...signed, artifact: random(25) === 0 ? 251 : node.artifact };
  }
  if (action === 'claim_non_delivery') return { ...signed, account };
  if (action === 'rule_dispute') return { ...signed, share: shareOf(market, pool, allocated) };
  return signed;
}

function shareOf(market, pool, allocated) {
  return pick(market, [0n, allocated, pool, pool / 2n, around(market, allocated, pool), around(market, pool, pool)]);
}
