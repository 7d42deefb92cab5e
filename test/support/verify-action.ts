import { createHash } from 'node:crypto';
import { getAddress, id, TypedDataEncoder } from 'ethers';
import { callFaults } from './verify-calls.js';

/**
 * The structs of docs/decisions/escrow.md#signed-actions, typed here a second time on purpose. Every one ends with H.
 */
const H = 'bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil';
const NODE_TERMS =
  'uint192 nodeId,address worker,uint64 amount,uint64 floor,uint32 workSeconds,uint24 acceptWindow,' +
  'uint8 maxRevisions,bool hirerFunded,bytes32 termsHash';
const STRUCTS = {
  create_task: ['CreateTask', 'address buyer,address arbiter,address token,uint256 budget,bytes32 termsHash'],
  submit_quote: ['SubmitQuote', 'NodeTerms terms,address hirer,address arbiter,address token'],
  select_agent: ['SelectAgent', 'NodeTerms terms,address token'],
  fund_task: ['FundTask', 'NodeTerms terms,address token,uint8 fundingMode'],
  subcontract: ['Subcontract', 'NodeTerms terms,address token,uint8 fundingMode'],
  deliver: ['Deliver', 'uint192 nodeId,bytes32 artifactHash,bool payOut'],
  resolve_task: ['ResolveTask', 'uint192 nodeId,address worker,address token,uint256 amount,bytes32 artifactHash'],
  reject_task: ['RejectTask', 'uint192 nodeId,bytes32 artifactHash,bytes32 reasonHash'],
  abandon_node: ['AbandonNode', 'uint192 nodeId,address token,uint256 amount'],
  claim_non_delivery: ['ClaimNonDelivery', 'uint192 nodeId,address token,uint256 amount'],
  withdraw_earnings: ['WithdrawEarnings', 'uint192 nodeId,address recipient,address token,uint256 amount'],
  withdraw_refund: ['WithdrawRefund', 'address account,address recipient,address token,uint256 amount'],
  dispute_node: ['DisputeNode', 'uint192 nodeId,bytes32 evidenceHash'],
} as const;
/** The token's own structs by which a payment into an escrow is signed (EIP-3009 and EIP-2612). */
const TOKEN_STRUCTS = {
  ReceiveWithAuthorization:
    'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
  Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
} as const;
const DOMAIN = 'string name,string version,uint256 chainId,address verifyingContract';
/** A signature is valid longer than the prepared action, by the time that a transaction needs to be mined. */
const MINING_MS = 60_000;

export type ActionKind = keyof typeof STRUCTS;

/** A payment that is signed by the token's own message instead of the escrow's. */
export interface ExpectedPayment {
  type: keyof typeof TOKEN_STRUCTS;
  /** The token's EIP-712 name and version, as the token itself gives them. */
  domain: { name: string; version: string };
  /** Base units. */
  value: bigint;
  /** The owner's next nonce in the token contract; only for a permit. */
  permitNonce?: bigint;
}

/** What a client asked for, from its own records. */
export interface ActionExpectation {
  kind: ActionKind;
  principal: string;
  taskId: string;
  /** Null: the action is for no node. */
  nodeId: string | null;
  chainId: number;
  escrowAddress: string;
  wallet: string;
  token: string;
  /** The tree's factory; absent: no call may go there. */
  factory?: string;
  /** The body that was sent; undefined when there was none. */
  body?: unknown;
  /** The struct's own members, before those of H. */
  own: Record<string, unknown>;
  payment?: ExpectedPayment | undefined;
  /** Last second in which the signature is valid; absent: a minute after the action's end. */
  validUntil?: number | undefined;
  nowMs: number;
  maxTtlSeconds: number;
  signingOrigin: string;
}

/**
 * Checks a returned action by docs/decisions/interface.md and docs/decisions/escrow.md alone, without any code of the
 * program.
 * @returns every fault found, so that a test can show what is wrong; an empty list means that it may be signed.
 */
export function faultsOf(action: Record<string, any>, expected: ActionExpectation): string[] {
  const faults: string[] = [];
  const check = (name: string, isRight: () => boolean): void => {
    if (!holds(isRight)) faults.push(name);
  };
  const { payload = {} } = action;
  const { payment } = expected;
  check('kind', () => action.kind === expected.kind);
  check('principal', () => action.principal === expected.principal);
  check('wallet', () => sameAddress(action.wallet_address, expected.wallet));
  check('task', () => action.task_id === expected.taskId);
  check('node', () => (action.node_id ?? null) === expected.nodeId);
  check('chain', () => action.chain_id === expected.chainId);
  check('escrow', () => sameAddress(action.escrow_address, expected.escrowAddress));
  check('action id', () => typeof action.action_id === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(action.action_id));
  check('nonce', () => isNonce(action.nonce, expected));
  check('digest', () => action.request_digest === digestOf(expected.body));
  const endMs = Date.parse(action.expires_at);
  check('expiry', () => endMs > expected.nowMs && endMs <= expected.nowMs + expected.maxTtlSeconds * 1000 + MINING_MS);
  check('signing url', () => isSigningUrl(action.signing_url, expected.signingOrigin));
  const last = expected.validUntil === undefined ? (endMs + MINING_MS) / 1000 : expected.validUntil;
  check('validUntil', () => lastSecondOf(payload, payment) === last && last * 1000 >= endMs);
  const contract = payment === undefined ? expected.escrowAddress : expected.token;
  const { name, version } = payment?.domain ?? { name: 'Tasktree', version: '2' };
  const domain = { name, version, chainId: expected.chainId, verifyingContract: getAddress(contract) };
  check('domain', () => same(payload.domain, domain));
  check('primary type', () => payload.primaryType === primaryTypeOf(expected));
  check('types', () => same(payload.types, { EIP712Domain: members(DOMAIN), ...typesOf(expected) }));
  const message = payment === undefined ? escrowMessage(action, expected, last) : tokenMessage(action, expected, last);
  for (const member of new Set([...Object.keys(message), ...Object.keys(payload.message ?? {})])) {
    check(`message.${member}`, () => same(plain(payload.message[member]), plain(message[member])));
  }
  const own = escrowMessage(action, expected, last);
  check('authorizes', () => same(plain(payload.authorizes), plain(authorizedBy(expected, own))));
  const { actionId, requestDigest, nonce, validUntil } = own;
  return [...faults, ...callFaults(payload, { ...expected, fields: { actionId, requestDigest, nonce, validUntil } })];
}

/**
 * EIP-712 digest of a payload, computed by ethers from the structs above and not from the types that came with the
 * payload.
 */
export function signedDigest(payload: Record<string, any>, kind: ActionKind = 'abandon_node'): string {
  return TypedDataEncoder.hash(payload.domain, structsOf(kind), payload.message);
}

/** SHA-256 of the RFC 8785 bytes of a body; of zero bytes without a body. */
export function digestOf(body: unknown): string {
  return `0x${createHash('sha256')
    .update(body === undefined ? '' : canonicalJson(body))
    .digest('hex')}`;
}

/** RFC 8785 text of the JSON that tests send: members sorted by code units, no blanks. */
function canonicalJson(value: any): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}

/** The escrow's own message: the members that the client knows, then H. */
function escrowMessage(action: any, { own, body }: ActionExpectation, validUntil: number): Record<string, unknown> {
  const { action_id: actionId, nonce } = action;
  return { ...own, actionId: id(String(actionId)), requestDigest: digestOf(body), nonce, validUntil };
}

/** The token's message. An authorisation has the digest of the escrow's own action as its nonce. */
function tokenMessage(action: any, expected: ActionExpectation, validUntil: number): Record<string, unknown> {
  const { wallet, escrowAddress, chainId, kind, payment } = expected;
  if (payment?.type === 'Permit') {
    const { value, permitNonce: nonce } = payment;
    return { owner: wallet, spender: escrowAddress, value, nonce, deadline: validUntil };
  }
  const domain = { name: 'Tasktree', version: '2', chainId, verifyingContract: escrowAddress };
  const message = escrowMessage(action, expected, validUntil);
  let nonce: unknown = 'not computable';
  holds(() => ((nonce = TypedDataEncoder.hash(domain, structsOf(kind), message)), true));
  return {
    from: wallet,
    to: escrowAddress,
    value: payment?.value,
    validAfter: 0,
    validBefore: validUntil + 1,
    nonce,
  };
}

/**
 * The escrow's own action that a payment by the token's own message is for; undefined without such a payment.
 */
function authorizedBy(expected: ActionExpectation, message: Record<string, unknown>): unknown {
  const { kind, payment, chainId, escrowAddress } = expected;
  if (payment === undefined) return undefined;
  const domain = { name: 'Tasktree', version: '2', chainId, verifyingContract: getAddress(escrowAddress) };
  const types = { EIP712Domain: members(DOMAIN), ...structsOf(kind) };
  return { domain, types, primaryType: STRUCTS[kind][0], message };
}

function lastSecondOf({ message }: any, payment: ExpectedPayment | undefined): number {
  const names = { ReceiveWithAuthorization: 'validBefore', Permit: 'deadline' } as const;
  const end = Number(message[payment === undefined ? 'validUntil' : names[payment.type]]);
  // The token compares with `<`, so its end is the second after the last one.
  return payment?.type === 'ReceiveWithAuthorization' ? end - 1 : end;
}

/**
 * True for the nonce that an action about this node must have, at whatever version the node is; for that of a new node;
 * and for those of withdrawals and of a task.
 */
function isNonce(nonce: unknown, { kind, own }: ActionExpectation): boolean {
  if (typeof nonce !== 'string' || !/^(0|[1-9][0-9]*)$/.test(nonce)) return false;
  const number = BigInt(nonce);
  if (kind === 'create_task') return number === 0n;
  if (kind === 'withdraw_earnings' || kind === 'withdraw_refund') return number >= 2n ** 255n;
  const { terms, nodeId }: any = own;
  if (terms !== undefined) return number === BigInt(terms.nodeId) << 8n;
  return number >> 8n === BigInt(nodeId) && number % 256n > 0n;
}

function isSigningUrl(url: string, origin: string): boolean {
  return url.startsWith(`${origin}/sign/`) && /^[A-Za-z0-9_-]{43}$/.test(url.slice(origin.length + 6));
}

function primaryTypeOf({ kind, payment }: ActionExpectation): string {
  return payment === undefined ? STRUCTS[kind][0] : payment.type;
}

function typesOf({ kind, payment }: ActionExpectation): Record<string, unknown> {
  return payment === undefined ? structsOf(kind) : { [payment.type]: members(TOKEN_STRUCTS[payment.type]) };
}

function structsOf(kind: ActionKind): Record<string, { name: string; type: string }[]> {
  const [name, own] = STRUCTS[kind];
  const struct = { [name]: members(`${own},${H}`) };
  return own.includes('NodeTerms') ? { ...struct, NodeTerms: members(NODE_TERMS) } : struct;
}

function members(list: string): { name: string; type: string }[] {
  return list.split(',').map((member) => {
    const [type = '', name = ''] = member.split(' ');
    return { name, type };
  });
}

/** The value with numbers and addresses in one spelling, so that values can be compared. */
function plain(value: any): unknown {
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
  }
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return typeof value === 'string' && value.startsWith('0x') ? value.toLowerCase() : value;
}

function same(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

function sameAddress(a: string, b: string): boolean {
  return getAddress(a) === getAddress(b);
}

/** The result of `isRight`; false when it throws. */
function holds(isRight: () => boolean): boolean {
  try {
    return isRight();
  } catch {
    return false;
  }
}
