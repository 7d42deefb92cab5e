import { isHex, parentPath } from '#libs/notation';
import { finalizedFirst } from '../checks/call-faults.js';
import { partiesIn } from '../checks/check-contract.js';
import { escrowAddressOf, isAddressText, partiesInCode, sameAddress, ZERO_ADDRESS } from '../document/evm-address.js';
import { isObject } from '../document/plain-json.js';
import type {
  ChainQuery,
  ChainReading,
  Deployment,
  Intent,
  NodeReading,
  PreparedAction,
  TreeParties,
} from '../document/prepared-action.js';
import { definedMembers } from './chain-reading-json.js';
import { NODE_STATES } from '../typed-data/action-kinds.js';
import { namedNode, subjectOf, uintOf } from '../checks/verification-input.js';

/** Views of the escrow and the token, by selector. */
export const CHAIN_VIEWS = {
  node: '0xf73988ac',
  nonceUsed: '0x1647795e',
  refundOf: '0x07738ad2',
  withdrawable: '0xbe906ca6',
  balanceOf: '0x70a08231',
  nonces: '0x7ecebe00',
} as const;
/** The members of a node in the order of the contract (Types.sol, `Node`), a word each. */
export const NODE_MEMBERS =
  'worker floor acceptWindow hirerFunded amount allocated deliverBy clock version revisions maxRevisions state payOut artifactHash'.split(
    ' ',
  );
const WORD = 64;
/** Structs whose action depends on what the finalizations before it give back to the node. */
const HANGS_ON_RETURNS: readonly unknown[] = ['AbandonNode', 'Subcontract'];

/** The action that a reading is about, what was asked for, and the deployment. */
export interface Asked {
  readonly action: PreparedAction;
  readonly intent: Intent;
  readonly deployment: Deployment;
}

/**
 * What to ask a blockchain node about an action, for any EIP-1193 provider or JSON-RPC client: each answer goes into
 * `readingFrom` under the name of its query; what could not be answered is left out. Never throws.
 */
export function chainQueries(action: PreparedAction, intent: Intent, deployment: Deployment): ChainQuery[] {
  const queries: ChainQuery[] = [
    { name: 'chainId', method: 'eth_chainId', params: [] },
    { name: 'block', method: 'eth_getBlockByNumber', params: ['latest', false] },
  ];
  const { escrow, wallet, nonce, node, ended } = placesOf({ action, intent, deployment });
  if (escrow === null) return queries;
  queries.push({ name: 'code', method: 'eth_getCode', params: [escrow, 'latest'] });
  const call = (name: string, to: string, data: string): void => {
    queries.push({ name, method: 'eth_call', params: [{ to, data }, 'latest'] });
  };
  if (node !== null) {
    call('node', escrow, CHAIN_VIEWS.node + word(node));
    call('withdrawable', escrow, CHAIN_VIEWS.withdrawable + word(node));
    for (const path of ended) call(endedName(path), escrow, CHAIN_VIEWS.node + word(path));
  }
  if (wallet === null) return queries;
  if (nonce !== null) call('nonceUsed', escrow, CHAIN_VIEWS.nonceUsed + word(BigInt(wallet)) + word(nonce));
  call('refund', escrow, CHAIN_VIEWS.refundOf + word(BigInt(wallet)));
  call('balance', deployment.usdc, CHAIN_VIEWS.balanceOf + word(BigInt(wallet)));
  call('permitNonce', deployment.usdc, CHAIN_VIEWS.nonces + word(BigInt(wallet)));
  return queries;
}

/**
 * Asks a blockchain node everything about an action at once, and reads its answers. `ask` resolves to undefined where there
 * is no answer, and that member is missing; what it throws, this throws.
 */
export async function readNode(
  source: ChainReading['source'],
  asked: Asked,
  ask: (query: ChainQuery) => Promise<unknown>,
): Promise<ChainReading> {
  const queries = chainQueries(asked.action, asked.intent, asked.deployment);
  const answers = await Promise.all(queries.map(async (query) => [query.name, await ask(query)] as const));
  return readingFrom(source, Object.fromEntries(answers), asked);
}

/** The reading that a blockchain node's answers give; an answer in another form counts as missing. Never throws. */
export function readingFrom(
  source: ChainReading['source'],
  answers: Readonly<Record<string, unknown>>,
  asked: Asked,
): ChainReading {
  const code = textOf(answers['code']);
  const isDeployed = code !== null && code !== '0x';
  const chainId = quantityOf(answers['chainId']);
  const block = isObject(answers['block']) ? answers['block'] : {};
  const blockTime = quantityOf(block['timestamp']);
  const blockNumber = quantityOf(block['number']);
  const escrow = code === null ? undefined : escrowBy(code, asked);
  // A contract that does not exist yet answers every call with nothing: no node, no used nonce, no money.
  const amountIn = (name: string) => (code === '0x' ? 0n : amountOf(answers[name]));
  const used = amountIn('nonceUsed');
  const told = code === '0x' && answers['node'] !== undefined ? null : isDeployed ? nodeOf(answers['node']) : undefined;
  const returned = told == null ? 0n : returnsIn(answers, placesOf(asked).ended, blockTime);
  const node = told == null || returned === 0n ? told : { ...told, returned };
  return {
    source,
    ...definedMembers({ chainId, blockTime, blockNumber, escrow, node }),
    ...definedMembers({
      nonceUsed: used === 0n || used === 1n ? used === 1n : undefined,
      usdcBalance: amountOf(answers['balance']),
      refundBalance: amountIn('refund'),
      withdrawable: amountIn('withdrawable'),
      permitNonce: amountOf(answers['permitNonce']),
    }),
  };
}

/**
 * Whether the escrow is one of this market: its code names buyer and arbiter, and its address follows from them and the
 * task.
 */
function escrowBy(code: string, { action, intent, deployment }: Asked): ChainReading['escrow'] {
  const { task_id: task, escrow_address: escrow, wallet_address: wallet = '' } = action;
  const isAt = (parties: TreeParties) =>
    typeof task === 'string' && sameAddress(escrowAddressOf(deployment, parties, task), escrow);
  if (code !== '0x') {
    const parties = partiesInCode(code, deployment);
    return parties !== null && isAt(parties) ? 'clone' : 'foreign';
  }
  const named = intent.tree ?? partiesIn(subjectOf(action, intent, noContext(deployment)));
  const guesses = [named, isAddressText(wallet) ? { buyer: wallet, arbiter: ZERO_ADDRESS } : null];
  return guesses.some((parties) => parties !== null && isAt(parties)) ? 'undeployed_ours' : undefined;
}

function placesOf({ action, intent, deployment }: Asked) {
  const subject = subjectOf(action, intent, noContext(deployment));
  const { escrow_address: escrow, wallet_address: named, nonce } = subject.action;
  const node = namedNode(subject);
  const wallet = named ?? intent.wallet;
  return {
    escrow: isAddressText(escrow) ? escrow : null,
    wallet: isAddressText(wallet) ? wallet : null,
    nonce: uintOf(nonce),
    node,
    /** Nodes under it that the transaction finalizes first, where what they give back to it matters. */
    ended: HANGS_ON_RETURNS.includes(subject.rule?.struct)
      ? finalizedFirst(subject).filter((path) => parentPath(path) === node)
      : [],
  };
}

function endedName(path: bigint): string {
  return `ended ${path}`;
}

/** Base units that these nodes give back to the one above when they are finalized now, as the contract reckons it. */
function returnsIn(
  answers: Readonly<Record<string, unknown>>,
  ended: readonly bigint[],
  now: number | undefined,
): bigint {
  const given = ended.map((path) => {
    const node = nodeOf(answers[endedName(path)]);
    if (node == null || node.hirerFunded !== false || now === undefined || now <= (node.clock ?? now)) return 0n;
    const state = NODE_STATES[node.state];
    return state === 'rejected' ? node.amount : state === 'disputed' ? node.amount - (node.floor ?? node.amount) : 0n;
  });
  return given.reduce((sum, amount) => sum + amount, 0n);
}

function noContext(deployment: Deployment) {
  return { deployment, nowMs: 0, readings: [] };
}

/** Null: no node has this path. */
function nodeOf(answer: unknown): NodeReading | null | undefined {
  const text = textOf(answer);
  if (text === null || text.length !== 2 + NODE_MEMBERS.length * WORD) return undefined;
  const at = (name: string) =>
    text
      .slice(2)
      .slice(NODE_MEMBERS.indexOf(name) * WORD)
      .slice(0, WORD);
  const amount = (name: string) => BigInt(`0x${at(name)}`);
  const count = (name: string) => Number(amount(name));
  const state = count('state');
  if (state === 0) return null;
  return {
    worker: `0x${at('worker').slice(24)}`,
    floor: amount('floor'),
    hirerFunded: count('hirerFunded') > 0,
    amount: amount('amount'),
    allocated: amount('allocated'),
    deliverBy: count('deliverBy'),
    clock: count('clock'),
    version: count('version'),
    revisions: count('revisions'),
    maxRevisions: count('maxRevisions'),
    state,
    artifactHash: `0x${at('artifactHash')}`,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && isHex(value) ? value.toLowerCase() : null;
}

function quantityOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,13}$/.test(value) ? Number(value) : undefined;
}

function amountOf(answer: unknown): bigint | undefined {
  const text = textOf(answer);
  return text !== null && text.length === 2 + WORD ? BigInt(text) : undefined;
}

function word(value: bigint): string {
  return value.toString(16).padStart(WORD, '0');
}
