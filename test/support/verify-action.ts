import { createHash } from 'node:crypto';
import { getAddress, id, TypedDataEncoder } from 'ethers';

/** What a client asked for, from its own records. */
export interface ActionExpectation {
  kind: string;
  principal: string;
  taskId: string;
  nodeId: string;
  chainId: number;
  escrowAddress: string;
  wallet: string;
  /** The body that was sent; undefined for none. */
  body?: unknown;
  nodeNumber: number;
  token: string;
  amount: bigint;
  nowMs: number;
  maxTtlSeconds: number;
  signingOrigin: string;
}

/** The struct as design/contract.md §1.3 prints it, typed here a second time on purpose. */
const ABANDON_NODE = [
  { name: 'nodeId', type: 'uint32' },
  { name: 'token', type: 'address' },
  { name: 'amount', type: 'uint256' },
  { name: 'actionId', type: 'bytes32' },
  { name: 'requestDigest', type: 'bytes32' },
  { name: 'nonce', type: 'uint256' },
  { name: 'validUntil', type: 'uint256' },
];
const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

/**
 * Checks a returned `abandon_node` action from the specification and the design alone, without any code of the
 * program. Returns every fault found, so that a test can show what is wrong; none means that it may be signed.
 */
export function faultsOf(action: Record<string, any>, expected: ActionExpectation): string[] {
  const faults: string[] = [];
  const check = (name: string, ok: boolean): void => {
    if (!ok) faults.push(name);
  };
  const { payload } = action;
  const { message } = payload;
  const sameAddress = (a: string, b: string): boolean => getAddress(a) === getAddress(b);
  check('kind', action.kind === expected.kind);
  check('principal', action.principal === expected.principal);
  check('wallet', sameAddress(action.wallet_address, expected.wallet));
  check('task', action.task_id === expected.taskId);
  check('node', action.node_id === expected.nodeId);
  check('chain', action.chain_id === expected.chainId && payload.domain.chainId === expected.chainId);
  check('escrow', sameAddress(action.escrow_address, expected.escrowAddress));
  check('verifying contract', sameAddress(payload.domain.verifyingContract, expected.escrowAddress));
  check('domain', payload.domain.name === 'Tasktree' && payload.domain.version === '1');
  check('primary type', payload.primaryType === 'AbandonNode');
  check('types', same(payload.types, { EIP712Domain: DOMAIN, AbandonNode: ABANDON_NODE }));
  check('action id', /^[A-Za-z0-9_-]{1,128}$/.test(action.action_id) && message.actionId === id(action.action_id));
  check('nonce', /^(0|[1-9][0-9]*)$/.test(action.nonce) && message.nonce === action.nonce);
  const digest = digestOf(expected.body);
  check('digest', action.request_digest === digest && message.requestDigest === digest);
  const expiresMs = Date.parse(action.expires_at);
  // The signature outlives the prepared action by the time that a transaction needs to be mined.
  check('validUntil', BigInt(message.validUntil) * 1000n === BigInt(expiresMs + 60_000));
  check('expiry', expiresMs > expected.nowMs && expiresMs <= expected.nowMs + (expected.maxTtlSeconds + 60) * 1000);
  check('node number', BigInt(message.nodeId) === BigInt(expected.nodeNumber));
  check('amount', BigInt(message.amount) === expected.amount && sameAddress(message.token, expected.token));
  check('signing url', new RegExp(`^${expected.signingOrigin}/sign/[A-Za-z0-9_-]{43}$`).test(action.signing_url));
  const { transaction } = payload;
  check('call', sameAddress(transaction.to, expected.escrowAddress) && transaction.value === '0x0');
  check('call chain', BigInt(transaction.chainId) === BigInt(expected.chainId));
  check('call sender', sameAddress(transaction.from, expected.wallet));
  return faults;
}

/** EIP-712 digest of the payload, by ethers from the pinned struct above, not from the types it came with. */
export function signedDigest(payload: Record<string, any>): string {
  return TypedDataEncoder.hash(payload.domain, { AbandonNode: ABANDON_NODE }, payload.message);
}

function digestOf(body: unknown): string {
  return `0x${createHash('sha256')
    .update(body === undefined ? '' : canonicalJson(body))
    .digest('hex')}`;
}

/** RFC 8785 for the JSON that tests send: members sorted by code units, no blanks. */
function canonicalJson(value: any): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}

function same(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
