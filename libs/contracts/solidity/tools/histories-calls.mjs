// Chooses the calls of random histories: mostly plausible ones, often exactly at a deadline or for an exact balance,
// and now and then one with the wrong signer, nonce, time, node or amount. Accounts are 0-5 workers, 6 buyer, 7
// arbiter, 8 a stranger, 9 somebody who only receives, 10 the escrow.
import { nodeActionFacts, possibleActions } from '../../../../dist/libs/contracts/src/index.js';

export const START = 1_750_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** The order is that of DifferentialTest. */
export const KINDS = [
  'create_task',
  'select_agent',
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
const OF_NODE = KINDS.slice(4, 14);

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

/** An authorisation by the account, or about every tenth time one that must fail, or only just passes. */
function authOf(market, account, sender) {
  const { random, now, nonces } = market;
  const signable = account >= 0 && account <= 8;
  const auth = {
    signer: account === sender ? (random(4) === 0 && signable ? account : null) : signable ? account : 8,
    nonce: BigInt(nonces[signable ? account : 8]++),
    validUntil: now + HOUR + random(10 * DAY),
    intact: true,
  };
  const slip = random(70);
  if (slip === 0) auth.signer = random(9);
  else if (slip === 1 && auth.signer !== null) auth.intact = false;
  else if (slip === 2) auth.nonce = BigInt(random(Number(auth.nonce) + 1));
  else if (slip === 3) auth.validUntil = now - 1;
  else if (slip === 4) auth.validUntil = now;
  else if (slip === 5) auth.signer = null;
  return auth;
}

function around(market, exact, more) {
  const values = [exact, exact, exact, exact - 1n, exact + 1n, 1n, 0n, BigInt(market.random(Number(more) + 1))];
  const value = pick(market, values);
  return value < 0n ? 0n : value;
}

function termsOf(tree, market, parent) {
  const { random, now } = market;
  const hirerFunded = parent === null || random(market.isDeep ? 12 : 3) === 0;
  const free = parent === null ? 300_000_000n : parent.pool - parent.allocated;
  const terms = {
    number: random(25) === 0 ? random(12) : tree.nodes.length + 1,
    parentNumber: parent === null ? 0 : parent.number,
    worker: random(6),
    amount: hirerFunded
      ? pick(market, [1n, 50_000_000n, BigInt(random(300_000_000))])
      : around(market, free / 2n, free),
    deliverBy: now + 1 + random(6 * DAY),
    acceptWindow: 4 * HOUR + random(2 * DAY),
    hirerFunded,
  };
  if (!hirerFunded && random(4) === 0) terms.amount = free;
  if (parent !== null) terms.deliverBy = Math.min(terms.deliverBy, parent.deliverBy);
  const slip = random(80);
  if (slip === 0) terms.worker = null;
  else if (slip === 1) terms.worker = 7;
  else if (slip === 2) terms.amount = 0n;
  else if (slip === 3) terms.deliverBy = now;
  else if (slip === 4) terms.deliverBy = now + 365 * DAY + random(2);
  else if (slip === 5) terms.acceptWindow = 4 * HOUR - random(2);
  else if (slip === 6) terms.acceptWindow = 90 * DAY + random(2);
  else if (slip === 7) terms.hirerFunded = !hirerFunded;
  else if (slip === 8) terms.parentNumber = random(4);
  else if (slip === 9 && parent !== null) terms.deliverBy = parent.deliverBy + random(2);
  else if (slip === 10) terms.worker = 6;
  return terms;
}

/** The next call of a history; moves the market's time. */
export function makeCall(tree, market) {
  const { random } = market;
  pass(tree, market);
  const dice = random(100);
  const funded = tree.nodes.filter(({ state, deliverBy }) => state === 2 && deliverBy > market.now);
  const selected = tree.nodes.filter(({ state, clock }) => state === 1 && clock >= market.now);
  const owed = [...tree.refundOf].some(([, amount]) => amount > 0n);
  const busy = tree.nodes.some(({ state }) => state > 2 && state < 6);
  if (tree.nodes.length === 0 || (tree.nodes.length < 9 && dice < 6)) return select(tree, market);
  if (market.isDeep && dice < 75 && tree.nodes.length < 13 && funded.length > 0) {
    return subcontract(tree, market, funded.at(-1));
  }
  if (dice < 24 && selected.length > 0) return fund(tree, market, selected);
  if (tree.nodes.length < 12 && dice < 40 && funded.length > 0) {
    return subcontract(tree, market, random(2) === 0 ? funded.at(-1) : pick(market, funded));
  }
  if (dice >= 40 && dice < (owed ? 47 : 41)) return takeRefund(tree, market);
  if (dice >= 47 && dice < 51) return housekeeping(tree, market);
  if (tree.nodes.length < 9 && selected.length === 0 && funded.length === 0 && !busy) return select(tree, market);
  return work(tree, market);
}

function senderFor(market, ...accounts) {
  return pick(
    market,
    [8, 8, 9, ...accounts, ...accounts].filter((account) => account !== null && account !== 10),
  );
}

function select(tree, market) {
  const terms = termsOf(tree, market, null);
  const sender = senderFor(market, 6, terms.worker);
  const hirerAuth = authOf(market, 6, sender);
  return { action: 'select_agent', sender, terms, hirerAuth, workerAuth: authOf(market, terms.worker ?? 8, sender) };
}

function fund(tree, market, selected) {
  const { random } = market;
  const { number } = random(8) === 0 ? pick(market, tree.nodes) : pick(market, selected);
  const sender = senderFor(market, 6);
  return { action: 'fund_task', sender, number, mode: modeOf(market), auth: authOf(market, 6, sender) };
}

/** Any funding mode; now and then the one that only a carve-out may use. */
function modeOf({ random }) {
  return random(25) === 0 ? 4 : random(4);
}

function subcontract(tree, market, parent) {
  const terms = termsOf(tree, market, parent);
  const mode = market.random(25) === 0 ? market.random(5) : terms.hirerFunded ? market.random(4) : 4;
  const sender = senderFor(market, parent.worker, terms.worker);
  const hirerAuth = authOf(market, parent.worker, sender);
  const workerAuth = authOf(market, terms.worker ?? 8, sender);
  return { action: 'subcontract', sender, terms, mode, hirerAuth, workerAuth };
}

function takeRefund(tree, market) {
  const owed = [...tree.refundOf].filter(([, amount]) => amount > 0n);
  const [account, balance] = owed.length > 0 ? pick(market, owed) : [6, 0n];
  const sender = senderFor(market, account);
  const recipient = market.random(30) === 0 ? 10 : pick(market, [account, account, 9]);
  const amount = around(market, balance, balance);
  return { action: 'withdraw_refund', sender, account, recipient, amount, auth: authOf(market, account, sender) };
}

function housekeeping(tree, market) {
  const { random, nonces } = market;
  const dice = random(10);
  const { paused, denied } = tree.token;
  if (paused && dice < 7) return { action: 'unpause', sender: 9 };
  if (dice === 0) return { action: 'pause', sender: 9 };
  if (denied.size > 0 && dice < 5) return { action: 'allow', sender: 9, account: pick(market, [...denied]) };
  if (dice === 5) return { action: 'deny', sender: 9, account: pick(market, [0, 1, 2, 3, 6, 10]) };
  if (dice < 8) return { action: 'create_task', sender: 8, amount: 5n, auth: authOf(market, 6, 8) };
  const sender = random(7);
  const next = nonces[sender];
  return { action: 'invalidate_nonces', sender, word: BigInt(random(2)), mask: 1n << BigInt((next + random(3)) % 96) };
}

/** A call on a node: mostly an action that the transition table allows there now, otherwise any. */
function work(tree, market) {
  const { random } = market;
  const offers = tree.nodes.flatMap((node) =>
    possibleActions(nodeActionFacts(tree, node, market.now), market.now)
      .filter(({ action }) => OF_NODE.includes(action))
      .filter(({ action }) => !['agree_split', 'abandon_node'].includes(action) || random(4) === 0)
      .flatMap(({ action }) => Array.from({ length: RARE.has(action) ? 4 : 1 }, () => [action, node])),
  );
  const blind = offers.length === 0 || random(7) === 0;
  const [action, node] = blind ? [pick(market, OF_NODE), pick(market, tree.nodes)] : pick(market, offers);
  return callOf(action, random(50) === 0 ? { ...node, number: 15 } : node, tree, market);
}

function callOf(action, node, tree, market) {
  const { random } = market;
  const { number, worker, pool, allocated } = node;
  const parent = tree.nodes.find((other) => other.number === node.parentNumber);
  const hirer = parent === undefined ? 6 : parent.worker;
  const actor = { resolve_task: hirer, reject_task: hirer, rule_dispute: 7, claim_non_delivery: random(9) }[action];
  const account = actor ?? worker;
  const sender = senderFor(market, account, action === 'agree_split' ? hirer : account);
  const base = { action, sender, number };
  if (action === 'finalize') return base;
  if (action === 'agree_split') {
    const share = shareOf(market, pool, allocated);
    return { ...base, share, hirerAuth: authOf(market, hirer, sender), workerAuth: authOf(market, worker, sender) };
  }
  const signed = { ...base, auth: authOf(market, account, sender) };
  if (action === 'deliver') return { ...signed, artifact: random(30) === 0 ? null : 1 + random(250) };
  if (action === 'resolve_task' || action === 'reject_task') {
    return { ...signed, artifact: random(25) === 0 ? 251 : node.artifact };
  }
  if (action === 'claim_non_delivery') return { ...signed, account };
  if (action === 'rule_dispute') return { ...signed, share: shareOf(market, pool, allocated) };
  if (action !== 'withdraw_earnings') return signed;
  const recipient = random(30) === 0 ? 10 : pick(market, [worker, worker, 9]);
  return { ...signed, recipient, amount: around(market, pool - allocated, pool) };
}

function shareOf(market, pool, allocated) {
  return pick(market, [0n, allocated, pool, pool / 2n, around(market, allocated, pool), around(market, pool, pool)]);
}
