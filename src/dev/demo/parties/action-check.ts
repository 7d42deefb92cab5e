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
    /** What an EIP-3009 payment is for. */
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
  /** What every escrow of the factory is a clone of. */
  implementation: string;
  /** Origin of the service. */
  origin: string;
  /** By the chain's clock, which a local market may have moved on. */
  nowMs: number;
}

/** What an action has to mean for its asker to sign it: everything that the signature covers, from the asker's own records. */
export interface Meaning<P extends EscrowPrimaryType = EscrowPrimaryType> {
  kind: string;
  escrow: string;
  taskId: string;
  /** Absent: none is expected, or the service gives it out. */
  nodeId?: string;
  type: P;
  own: Omit<EscrowMessages[P], keyof ActionFields>;
  /** Base units that the same signature pays into the escrow (EIP-3009); absent: it pays nothing. */
  pays?: bigint;
}

/** What the local market prepares lasts no longer: an hour is the longest that can be configured. */
const MAX_ACTION_SECONDS = 3_600;

/**
 * Refuses to sign anything but what was asked for (docs/decisions/interface.md#prepared-actions): all fifteen checks of
 * libs/prepared-action. Throws DemoMismatch.
 * @param body what was sent; undefined for none.
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
  // This side signs and never sends what came along for a wallet, so that is not part of what it agrees to.
  const { domain, types, primaryType, message, authorizes } = action.payload;
  const signed = { domain, types, primaryType, message, ...(authorizes === undefined ? {} : { authorizes }) };
  const checks = verifyPreparedAction({ ...action, payload: signed }, intent, contextOf(asker));
  const open = checks.find(({ status }) => status === 'failed') ?? checks.find(({ status }) => status === 'unknown');
  expectThat(isSignable(checks), `Check ${open?.number} (${open?.name}) of the action: ${open?.detail} Not signing.`);
  const isPayment = primaryType === 'ReceiveWithAuthorization';
  expectThat(isPayment === (meaning.pays !== undefined), 'The action pays another way than asked for: not signing.');
}

/** EIP-712 digest of the payload with the structs that came along, because those are what the wallet will sign. */
export function digestToSign({ payload }: PreparedAction): Hex {
  return hashTypedData(payload).digest;
}

/** The structs without the domain's own, which ethers adds by itself. */
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
