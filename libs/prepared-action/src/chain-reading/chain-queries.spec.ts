import {
  decodeNodeResult,
  encodeBalanceOfCall,
  encodeFinalize,
  encodeMulticall,
  encodeNodeCall,
  encodeNonceUsedCall,
  encodePermitNonceCall,
  encodeRefundOfCall,
  encodeWithdrawableCall,
} from '#libs/contracts';
import { childPath } from '#libs/kernel';
import {
  BUYER,
  DEPLOYMENT,
  ESCROW,
  NOW,
  signable,
  SIGNABLE_NAMES,
  WORKER,
} from '../../../../test/support/signable-actions.js';
import { notKept } from '../../../../test/support/vectors.js';
import { chainQueries, readingFrom } from './chain-queries.js';
import { readingFromJson, readingToJson } from './chain-reading-json.js';
import { verifyPreparedAction } from '../checks/verify.js';

const asked = (name: Parameters<typeof signable>[0]) => {
  const { action, intent } = signable(name);
  return { action, intent, deployment: DEPLOYMENT };
};
const word = (value: bigint | string) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0').toLowerCase();
const clone =
  `0x363d3d373d3d3d363d73${DEPLOYMENT.implementation.slice(2)}5af43d82803e903d91602b57fd5bf3${BUYER.slice(2)}${'0'.repeat(40)}`.toLowerCase();
const times = [BigInt(NOW + 432_000), BigInt(NOW + 433_000)];
/** Worker, floor, window, hirer-funded, amount, allocated, times, version, revisions, most of these, state, payout, artifact. */
const node = `0x${[WORKER, 125_000_000n, 259_200n, 1n, 250_000_000n, 0n, ...times, 1n, 0n, 3n, 1n, 0n, 0n].map(word).join('')}`;
const answers = {
  chainId: '0x2105',
  block: { number: '0x10', timestamp: `0x${NOW.toString(16)}` },
  code: clone,
  node,
  withdrawable: `0x${word(0n)}`,
  nonceUsed: `0x${word(0n)}`,
  refund: `0x${word(5n)}`,
  balance: `0x${word(7n)}`,
  permitNonce: `0x${word(3n)}`,
};

test('the questions are the views of the contract', () => {
  const { action, intent, deployment } = asked('abandon_node');
  const calls = chainQueries(action, intent, deployment).flatMap(({ name, method, params: [call] }: any) =>
    method === 'eth_call' ? [[name, call.to, call.data]] : [],
  );
  expect(calls).toEqual([
    ['node', ESCROW, encodeNodeCall(1n)],
    ['withdrawable', ESCROW, encodeWithdrawableCall(1n)],
    ['nonceUsed', ESCROW, encodeNonceUsedCall(WORKER, (1n << 8n) | 1n)],
    ['refund', ESCROW, encodeRefundOfCall(WORKER)],
    ['balance', DEPLOYMENT.usdc, encodeBalanceOfCall(WORKER)],
    ['permitNonce', DEPLOYMENT.usdc, encodePermitNonceCall(WORKER)],
  ]);
});

test('answers become a reading by which the action passes', () => {
  const reading = readingFrom('wallet', answers, asked('abandon_node'));
  expect(reading).toMatchObject({
    source: 'wallet',
    chainId: 8453,
    escrow: 'clone',
    nonceUsed: false,
    node: {
      state: 1,
      version: 1,
      revisions: 0,
      maxRevisions: 3,
      amount: 250_000_000n,
      worker: WORKER.toLowerCase(),
      deliverBy: NOW + 432_000,
      clock: NOW + 433_000,
    },
    usdcBalance: 7n,
    refundBalance: 5n,
    permitNonce: 3n,
    blockTime: NOW,
  });
  const { action, intent, context } = signable('abandon_node');
  const { tree: _, ...others } = intent;
  const checks = verifyPreparedAction(action, others, { ...context, readings: [reading] });
  expect(checks.filter(({ status }) => status !== 'passed')).toEqual([]);
});

test('of a node, each member is the one that the contract library decodes', () => {
  const distinct = [WORKER, 11n, 12n, 1n, 13n, 14n, 15n, 16n, 17n, 18n, 19n, 1n, 0n, 20n];
  const answer = `0x${distinct.map(word).join('')}`;
  const { node: read } = readingFrom('wallet', { ...answers, node: answer }, asked('abandon_node'));
  const { worker, ...stored } = decodeNodeResult(answer);
  expect({ ...stored, worker: worker.toLowerCase() }).toMatchObject({ ...read });
});

test.each([
  ['used', `0x${word(1n)}`, true],
  ['unused', `0x${word(0n)}`, false],
  ['answered in no form that is known', `0x${word(2n)}`, undefined],
])('a nonce can be %s', (_what, nonceUsed, read) => {
  expect(readingFrom('wallet', { ...answers, nonceUsed }, asked('abandon_node')).nonceUsed).toBe(read);
});

test('a hirer asks for the node under which it hires, whose path is that of the new one without its last step', () => {
  const { action, intent, deployment } = asked('subcontract');
  const calls = chainQueries(action, intent, deployment).map(({ name, params: [call] }: any) => [name, call?.data]);
  expect(calls).toContainEqual(['node', encodeNodeCall(1n)]);
  expect(calls).toContainEqual(['nonceUsed', encodeNonceUsedCall(WORKER, ((1n << 24n) | 2n) << 8n)]);
});

test.each([
  ['other code', '0x6080604052'],
  ['the clone of another implementation', clone.replaceAll('d'.repeat(40), 'e'.repeat(40))],
  ['the clone for another buyer', clone.replace(BUYER.slice(2).toLowerCase(), WORKER.slice(2).toLowerCase())],
  ['the clone with something after it', `${clone}00`],
])('%s is foreign', (_what, code) => {
  expect(readingFrom('wallet', { ...answers, code }, asked('abandon_node')).escrow).toBe('foreign');
});

/** Giving up the node, or another action on it, after nodes are finalized in the same transaction. */
function after(ended: readonly bigint[], name: 'abandon_node' | 'deliver' = 'abandon_node') {
  const { action, ...others } = asked(name);
  const payload: any = action.payload;
  const data = encodeMulticall([...ended.map(encodeFinalize), payload.transaction.data]);
  return { ...others, action: { ...action, payload: { ...payload, transaction: { ...payload.transaction, data } } } };
}
const BELOW = childPath(1n, 2);
const AGAIN = childPath(1n, 3);
/** A node below with this state, floor and funding, whose time was over at this moment. */
const below = (state: bigint, clock: number, hirerFunded = 0n) =>
  `0x${[WORKER, 2n, 259_200n, hirerFunded, 5n, 0n, times[0]!, BigInt(clock), 3n, 0n, 3n, state, 0n, 0n].map(word).join('')}`;
const promised = (units: bigint) =>
  `0x${[WORKER, 125_000_000n, 259_200n, 1n, 250_000_000n, units, ...times, 1n, 0n, 3n, 1n, 0n, 0n].map(word).join('')}`;
const overEnded = {
  ...answers,
  node: promised(8n),
  [`ended ${BELOW}`]: below(3n, NOW - 1),
  [`ended ${AGAIN}`]: below(4n, NOW - 1),
};

test('a node that is finalized before is asked for once, where it hangs under the node of the action', () => {
  const names = (about: ReturnType<typeof after>) =>
    chainQueries(about.action, about.intent, about.deployment).flatMap(({ name, params: [call] }: any) =>
      name.startsWith('ended') ? [[name, call.data]] : [],
    );
  expect(names(after([BELOW, AGAIN, BELOW, childPath(BELOW, 1)]))).toEqual([
    [`ended ${BELOW}`, encodeNodeCall(BELOW)],
    [`ended ${AGAIN}`, encodeNodeCall(AGAIN)],
  ]);
  expect(names(after([BELOW], 'deliver'))).toEqual([]);
});

test('what comes back before counts, so that a node under which nobody works any more can be given up', () => {
  const about = after([BELOW, AGAIN]);
  const reading = readingFrom('wallet', overEnded, about);
  expect(reading.node).toMatchObject({ allocated: 8n, returned: 8n });
  const { context } = signable('abandon_node');
  const checks = verifyPreparedAction(about.action, about.intent, { ...context, readings: [reading] });
  expect(checks.filter(({ status }) => status !== 'passed')).toEqual([]);
});

test.each<[string, string]>([
  ['whose time is not over', below(3n, NOW)],
  ['that is paid from a wallet', below(3n, NOW - 1, 1n)],
  ['that was accepted by silence', below(2n, NOW - 1)],
  ['of which nothing is told', '0x'],
])('nothing comes back from a node %s', (_what, told) => {
  const { node: read } = readingFrom('wallet', { ...overEnded, [`ended ${BELOW}`]: told }, after([BELOW]));
  expect(read).toMatchObject({ allocated: 8n });
  expect(read).not.toHaveProperty('returned');
});

test('an address without code is ours when the factory would deploy there, and has no node and no money', () => {
  const undeployed = { ...answers, code: '0x', node: '0x', nonceUsed: '0x', refund: '0x', withdrawable: '0x' };
  expect(readingFrom('wallet', undeployed, asked('fund_task'))).toMatchObject({
    escrow: 'undeployed_ours',
    node: null,
    nonceUsed: false,
    refundBalance: 0n,
  });
});

test.each<[string, Record<string, unknown>]>([
  ['nothing', {}],
  ['rubbish', Object.fromEntries(Object.keys(answers).map((name) => [name, { a: [name] }]))],
  ['texts that are too long', Object.fromEntries(Object.keys(answers).map((name) => [name, `0x${'f'.repeat(1000)}`]))],
])('of %s nothing is read that could pass for an answer', (_what, hostile) => {
  const { source, escrow, ...others } = readingFrom('wallet', hostile, asked('abandon_node'));
  expect([source, others]).toEqual(['wallet', {}]);
  expect(escrow === undefined || escrow === 'foreign').toBe(true);
});

test('a reading survives the trip through JSON, and nothing else becomes one', () => {
  const reading = readingFrom('service', answers, asked('abandon_node'));
  expect(readingFromJson(JSON.parse(JSON.stringify(readingToJson(reading))))).toEqual(reading);
  expect(readingFromJson({ ...reading, source: 'me' })).toBeNull();
  expect(readingFromJson('x')).toBeNull();
});

test('questions and readings are the vectors that are kept for other languages', () => {
  const all = (value: (name: string) => unknown) =>
    Object.fromEntries(Object.keys(answers).map((name) => [name, value(name)]));
  const told: [string, Record<string, unknown>][] = [
    ['answers', answers],
    ['a nonce that is used', { ...answers, nonceUsed: `0x${word(1n)}` }],
    ['a node that is none', { ...answers, node: `0x${word(0n).repeat(14)}` }],
    ['other code', { ...answers, code: '0x6080604052' }],
    ['the clone with something after it', { ...answers, code: `${clone}00` }],
    ['no code', { ...answers, code: '0x', node: '0x', nonceUsed: '0x', refund: '0x', withdrawable: '0x' }],
    ['nothing', {}],
    ['rubbish', all((name) => ({ a: [name] }))],
    ['texts that are too long', all(() => `0x${'f'.repeat(1000)}`)],
  ];
  const vectors = SIGNABLE_NAMES.flatMap((name) => {
    const about = asked(name);
    const queries = chainQueries(about.action, about.intent, about.deployment);
    // The other actions' readings differ in nothing.
    const answered = name === 'abandon_node' || name === 'fund_task' ? told : [];
    const readings = answered.map(([what, given]) => ({
      name: `${name}: ${what}`,
      answers: given,
      reading: readingToJson(readingFrom('wallet', given, about)),
    }));
    return [{ name, ...about, queries, readings }];
  });
  const about = after([BELOW, AGAIN, BELOW]);
  const more: [string, Record<string, unknown>][] = [
    ['all comes back', overEnded],
    ['the time of one is not over', { ...overEnded, [`ended ${BELOW}`]: below(3n, NOW) }],
    ['one is paid from a wallet', { ...overEnded, [`ended ${BELOW}`]: below(3n, NOW - 1, 1n) }],
    ['nothing is told of them', answers],
  ];
  vectors.push({
    name: 'abandon_node after others' as (typeof vectors)[number]['name'],
    ...about,
    queries: chainQueries(about.action, about.intent, about.deployment),
    readings: more.map(([what, given]) => ({
      name: `after others: ${what}`,
      answers: given as typeof answers,
      reading: readingToJson(readingFrom('wallet', given, about)),
    })),
  });
  expect(notKept('chain-readings.json', vectors)).toEqual([]);
});
