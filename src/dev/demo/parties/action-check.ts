import type { ActionFields, EscrowMessages, EscrowPrimaryType } from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';
import {
  type Context,
  type Deployment,
  type ExpectedMembers,
  hashTypedData,
  type Intent,
  isSignable,
  verifyPreparedAction,
} from '#libs/prepared-action';
import { expectThat } from './step-reporter.js';

/** A call that can be sent as it stands. */
export interface ReadyCall {
  to: string;
  data: string;
  /** The only wallet that may send it; absent: any. */
  from?: string;
}

/** What the demo reads of a PreparedAction (docs/decisions/interface.md#prepared-actions). */
export interface PreparedAction {
  action_id: string;
  kind: string;
  principal: string;
  wallet_address: string;
  task_id: string;
  node_id?: string;
  chain_id: number;
  escrow_address: string;
  nonce: string;
  request_digest: string;
  signing_url: string;
  expires_at: string;
  payload: {
    domain: Record<string, string | number>;
    types: Record<string, { name: string; type: string }[]>;
    primaryType: string;
    message: Record<string, unknown>;
    /** The escrow action that an EIP-3009 payment authorizes; absent for every other payload. */
    authorizes?: object;
    transaction?: ReadyCall;
  };
}

/** Who asked for an action, and where it may take effect. */
export interface Asker {
  accountId: string;
  wallet: string;
  chainId: number;
  usdc: string;
  factory: string;
  /** Address of the contract that every escrow of the factory is a clone of. */
  implementation: string;
  /** Origin of the service. */
  origin: string;
  /** Time of the chain, in milliseconds since the epoch. A local market may have moved the chain's clock ahead. */
  nowMs: number;
}

/**
 * What an action must mean before its asker signs it: all that the signature covers, taken from the asker's own
 * records.
 */
export interface Meaning<P extends EscrowPrimaryType = EscrowPrimaryType> {
  kind: string;
  escrow: string;
  taskId: string;
  /** Absent: the action has no node, or the service chooses it. */
  nodeId?: string;
  type: P;
  own: Omit<EscrowMessages[P], keyof ActionFields>;
  /** Base units that the same signature pays into the escrow (EIP-3009); absent: none. */
  pays?: bigint;
}

/** Longest life of a prepared action, in seconds: the service allows no longer setting. */
const MAX_ACTION_SECONDS = 3_600;

/**
 * Checks that an action is exactly what was asked for (docs/decisions/interface.md#prepared-actions), by all fifteen
 * checks of libs/prepared-action. Throws DemoMismatch otherwise.
 * @param body body of the request that prepared the action; undefined when it had none.
 */
export function checkAction<P extends EscrowPrimaryType>(
  action: PreparedAction,
  asker: Asker,
  meaning: Meaning<P>,
  body: object | undefined,
): void {
  const { kind, taskId, nodeId, escrow } = meaning;
  const { accountId: principal, wallet } = asker;
  const intent: Intent = {
    kind,
    principal,
    wallet,
    taskId,
    escrow,
    expects: membersOf(meaning.own),
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(body === undefined ? {} : { body }),
  };
  // Leaves out the payload's ready transaction: the demo signs the typed data and does not send that transaction.
  const { domain, types, primaryType, message, authorizes } = action.payload;
  const signed = { domain, types, primaryType, message, ...(authorizes === undefined ? {} : { authorizes }) };
  const checks = verifyPreparedAction({ ...action, payload: signed }, intent, contextOf(asker));
  const open = checks.find(({ status }) => status === 'failed') ?? checks.find(({ status }) => status === 'unknown');
  expectThat(isSignable(checks), `Check ${open?.number} (${open?.name}) of the action: ${open?.detail} Not signing.`);
  const isPayment = primaryType === 'ReceiveWithAuthorization';
  expectThat(isPayment === (meaning.pays !== undefined), 'The action pays another way than asked for: not signing.');
}

/** EIP-712 digest of the payload, computed with the payload's own structs, because the wallet signs those. */
export function digestToSign({ payload }: PreparedAction): Hex {
  return hashTypedData(payload).digest;
}

/** The structs of a payload without EIP712Domain, which ethers adds. */
export function structsOf(types: PreparedAction['payload']['types']): PreparedAction['payload']['types'] {
  return Object.fromEntries(Object.entries(types).filter(([name]) => name !== 'EIP712Domain'));
}

/** Throws DemoMismatch on text that is not 0x-hex. */
export function hexText(text: string): Hex {
  expectThat(isHex(text), 'There is something that is not 0x-hex where it has to be: not signing.');
  return text;
}

function contextOf({ chainId, usdc, factory, implementation, origin, wallet, nowMs }: Asker): Context {
  const deployment: Deployment = {
    chainId,
    factory: hexText(factory),
    implementation: hexText(implementation),
    usdc: hexText(usdc),
    usdcName: 'USD Coin',
    usdcVersion: '2',
    maxActionSeconds: MAX_ACTION_SECONDS,
    signingOrigin: origin,
  };
  const readings = [{ source: 'wallet', chainId, escrow: 'undeployed_ours' }] as const;
  return { deployment, nowMs, connectedWallet: wallet, readings };
}

function membersOf(own: object): ExpectedMembers {
  const known = Object.entries(own).map(([name, value]: [string, unknown]): [string, ExpectedMembers[string]] => {
    if (typeof value === 'object' && value !== null) return [name, membersOf(value)];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return [name, value];
    return [name, value === true];
  });
  return Object.fromEntries(known);
}
