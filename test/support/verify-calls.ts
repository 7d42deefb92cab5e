import { id, Interface } from 'ethers';
import type { ActionKind } from './verify-action.js';

/**
 * The calls that a wallet may be asked to send (docs/decisions/escrow.md#signed-actions,
 * docs/decisions/escrow.md#one-contract-per-tree), typed a second time on purpose.
 */
const AUTH = 'tuple(bytes32 actionId, bytes32 requestDigest, uint256 nonce, uint256 validUntil, bytes signature)';
const TERMS =
  'tuple(uint192 nodeId, address worker, uint64 amount, uint64 floor, uint32 workSeconds, uint24 acceptWindow, ' +
  'uint8 maxRevisions, bool hirerFunded, bytes32 termsHash) terms';
const ESCROW = new Interface([
  `function fundTask(${TERMS}, uint8 mode, ${AUTH} hirerAuth, ${AUTH} workerAuth, bytes permit)`,
  `function subcontract(${TERMS}, uint8 mode, ${AUTH} hirerAuth, ${AUTH} workerAuth, bytes permit)`,
  `function deliver(uint192 nodeId, bytes32 artifactHash, bool payOut, ${AUTH} auth)`,
  `function resolveTask(uint192 nodeId, bytes32 artifactHash, ${AUTH} auth)`,
  `function rejectTask(uint192 nodeId, bytes32 artifactHash, bytes32 reasonHash, ${AUTH} auth)`,
  `function abandonNode(uint192 nodeId, ${AUTH} auth)`,
  `function claimNonDelivery(uint192 nodeId, address account, ${AUTH} auth)`,
  `function disputeNode(uint192 nodeId, bytes32 evidenceHash, ${AUTH} auth)`,
  `function withdrawEarnings(uint192 nodeId, address recipient, uint256 amount, ${AUTH} auth)`,
  `function withdrawRefund(address account, address recipient, uint256 amount, ${AUTH} auth)`,
  'function finalize(uint192 nodeId)',
  'function multicall(bytes[] calls)',
]);
const FACTORY = new Interface(['function createTree(address buyer, address arbiter, bytes32 treeId, bytes call)']);
const TOKEN = new Interface(['function approve(address spender, uint256 value)']);
const FUNCTIONS: Partial<Record<ActionKind, string>> = {
  fund_task: 'fundTask',
  subcontract: 'subcontract',
  deliver: 'deliver',
  resolve_task: 'resolveTask',
  reject_task: 'rejectTask',
  abandon_node: 'abandonNode',
  claim_non_delivery: 'claimNonDelivery',
  dispute_node: 'disputeNode',
  withdraw_earnings: 'withdrawEarnings',
  withdraw_refund: 'withdrawRefund',
};
/** Calls that may come before the action itself, because anybody may send them. */
const BEFORE = ['finalize'];

/** What the calls of an action may be about, as the client knows it. */
export interface ExpectedCalls {
  kind: ActionKind;
  wallet: string;
  taskId: string;
  chainId: number;
  escrowAddress: string;
  token: string;
  /** Absent: no call may go to it. */
  factory?: string | undefined;
  own: Record<string, any>;
  /** The four members that the typed data ends with. */
  fields: Record<string, unknown>;
}

/**
 * Faults of the calls that an action has for its wallet to send. Sent by the wallet itself they need no signature, so a
 * client must recognise each of them. None for an action without calls.
 */
export function callFaults({ transaction, calls }: any, expected: ExpectedCalls): string[] {
  if (transaction === undefined && calls === undefined) return [];
  try {
    const { from, chainId, ...single } = transaction ?? {};
    if (transaction !== undefined) {
      if (calls !== undefined || !sameHex(from, expected.wallet)) return ['call sender'];
      if (BigInt(chainId) !== BigInt(expected.chainId)) return ['call chain'];
    }
    const inner = (calls ?? [single]).flatMap((call: any) => unwrapped(call, expected));
    const action = inner.at(-1);
    if (inner.slice(0, -1).some((call: any) => !BEFORE.includes(call.name))) return ['call before'];
    return action === undefined ? ['call'] : actionFaults(action, expected);
  } catch (error) {
    return [`call ${error instanceof Error ? error.message : 'unreadable'}`];
  }
}

/** The escrow's calls inside one call of the wallet. @throws on any call that does not belong to the action. */
function unwrapped({ to, data, value, ...others }: any, expected: ExpectedCalls): any[] {
  if (value !== '0x0' || Object.keys(others).length > 0) throw new Error('moves ether');
  if (sameHex(to, expected.token)) {
    const [spender] = TOKEN.decodeFunctionData('approve', data);
    if (!sameHex(spender, expected.escrowAddress)) throw new Error('approves somebody else');
    return [];
  }
  if (expected.factory !== undefined && sameHex(to, expected.factory)) {
    const [, , treeId, then] = FACTORY.decodeFunctionData('createTree', data);
    if (treeId !== id(expected.taskId)) throw new Error('makes another tree');
    return then === '0x' ? [] : [parsed(then)];
  }
  if (!sameHex(to, expected.escrowAddress)) throw new Error('goes elsewhere');
  const call = parsed(data);
  return call.name === 'multicall' ? [...call.args.getValue('calls')].map(parsed) : [call];
}

function actionFaults({ name, fragment, args }: any, { kind, own, wallet, fields }: ExpectedCalls): string[] {
  if (name !== FUNCTIONS[kind]) return ['call function'];
  const { fundingMode: mode } = own;
  const known: Record<string, any> = {
    account: wallet,
    ...own,
    ...(mode === undefined ? {} : { mode }),
    auth: fields,
    hirerAuth: fields,
  };
  return fragment.inputs
    .filter((input: any) => input.name in known)
    .filter((input: any, index: number) => !matches(args[fragment.inputs.indexOf(input) ?? index], known[input.name]))
    .map((input: any) => `call ${input.name}`);
}

/**
 * True when a decoded value equals the known one. Of a struct all known members must match, and its signature must be
 * empty, because the sender needs none.
 */
function matches(value: any, known: any): boolean {
  if (typeof known !== 'object') return String(value).toLowerCase() === String(known).toLowerCase();
  const members = value.toObject();
  if ('signature' in members && members.signature !== '0x') return false;
  return Object.entries(known).every(([name, inner]) => matches(members[name], inner));
}

function parsed(data: string): any {
  const call = ESCROW.parseTransaction({ data });
  if (call === null) throw new Error('is none of the escrow');
  return call;
}

function sameHex(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
