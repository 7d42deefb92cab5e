import { TypedDataEncoder } from 'ethers';
import {
  type ActionFields,
  actionIdHash,
  type EscrowMessages,
  type EscrowPrimaryType,
  escrowTypedData,
  type TypedData,
  typedDataDigest,
  usdcTypedData,
} from '#libs/contracts';
import { type Hex, isHex, requestDigest } from '#libs/kernel';
import { merge } from '../market/task-tree.js';
import { expectThat } from './teller.js';

/** A call that can be sent as it stands. */
export interface ReadyCall {
  to: string;
  data: string;
  /** The only wallet that may send it; absent: any. */
  from?: string;
}

/** What the demo reads of a PreparedAction (interface-spec.md). */
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
  expires_at: string;
  payload: {
    domain: Record<string, string | number>;
    types: Record<string, { name: string; type: string }[]>;
    primaryType: string;
    message: Record<string, unknown>;
    transaction?: ReadyCall;
  };
}

/** Who asked for an action, and where it may take effect. */
export interface Asker {
  accountId: string;
  wallet: string;
  chainId: number;
  usdc: string;
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

/** The token's EIP-712 domain. */
const TOKEN_DOMAIN = { name: 'USD Coin', version: '2' };

/**
 * Refuses to sign anything but what was asked for: the envelope is compared member by member, and the typed data with
 * the one that this side makes itself, by their digests. Throws DemoMismatch.
 * @param body what was sent; undefined for none.
 */
export function checkAction<P extends EscrowPrimaryType>(
  action: PreparedAction,
  asker: Asker,
  meaning: Meaning<P>,
  body: object | undefined,
): void {
  const digest = requestDigest(body);
  const expected: Record<string, [unknown, unknown]> = {
    kind: [action.kind, meaning.kind],
    principal: [action.principal, asker.accountId],
    wallet_address: [action.wallet_address, asker.wallet],
    task_id: [action.task_id, meaning.taskId],
    chain_id: [action.chain_id, asker.chainId],
    escrow_address: [action.escrow_address, meaning.escrow],
    request_digest: [action.request_digest, digest],
    ...(meaning.nodeId === undefined ? {} : { node_id: [action.node_id, meaning.nodeId] }),
  };
  for (const [name, [got, wanted]] of Object.entries(expected)) {
    expectThat(got === wanted, `The action's ${name} is ${String(got)}, not ${String(wanted)}: not signing.`);
  }
  const validUntil = lastSecondOf(action, meaning.pays !== undefined);
  expectThat(
    Number(validUntil) * 1000 >= Date.parse(action.expires_at),
    'The signature would end before the action does: not signing.',
  );
  const fields = { actionId: actionIdHash(action.action_id), requestDigest: digest, nonce: BigInt(action.nonce) };
  const own = typedDataFor(meaning, asker, { ...fields, validUntil });
  const { primaryType } = action.payload;
  expectThat(
    primaryType === own.primaryType && digestToSign(action) === typedDataDigest(own),
    'The typed data is not what this action has to mean: not signing.',
  );
}

/** EIP-712 digest of the payload with the structs that came along, because those are what the wallet will sign. */
export function digestToSign({ payload: { domain, types, message } }: PreparedAction): Hex {
  return hexText(TypedDataEncoder.hash(domain, structsOf(types), message));
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

function typedDataFor<P extends EscrowPrimaryType>(
  { type, own, escrow, pays }: Meaning<P>,
  { chainId, usdc, wallet }: Asker,
  fields: ActionFields,
): TypedData {
  const action = escrowTypedData(type, { chainId, escrowAddress: escrow }, merge<P>(own, fields));
  if (pays === undefined) return action;
  // One signature pays and authorises: the token's authorisation has the action's digest as its nonce.
  const times = { validAfter: 0n, validBefore: fields.validUntil, nonce: typedDataDigest(action) };
  const token = { ...TOKEN_DOMAIN, chainId, tokenAddress: usdc };
  return usdcTypedData('ReceiveWithAuthorization', token, { from: wallet, to: escrow, value: pays, ...times });
}

/** Until when the signature can be used is the service's to say; everything else is not. */
function lastSecondOf({ payload: { message } }: PreparedAction, isPayment: boolean): bigint {
  const text = message[isPayment ? 'validBefore' : 'validUntil'];
  expectThat(typeof text === 'string' && /^[0-9]{1,12}$/.test(text), 'The typed data does not end: not signing.');
  return BigInt(text);
}
