import { EVM_ADDRESS_PATTERN, type Hex } from '#libs/notation';
import type { ActionStatus, Deployment, DescriptionFacts, PreparedAction, TreeParties } from '#libs/prepared-action';
import type {
  ApprovalDeployment,
  ApprovalDocument,
  ApprovalRequester,
  OriginatingRequest,
  ReadyCall,
  ServiceReading,
  SignedPart,
} from '#libs/approval-wire';
import { isRecord, textAt } from '../../wallets/json.js';
import {
  isAnything,
  isFlag,
  isLike,
  isMaybe,
  isNullOr,
  isNumber,
  isObjectOf,
  isOneOf,
  isText,
  type Shape,
} from './shapes.js';

const STATUSES: readonly ActionStatus[] = [
  'prepared',
  'opened',
  'signed',
  'submitted',
  'confirmed',
  'final',
  'declined',
  'expired',
  'superseded',
  'failed',
  'unknown',
];

/** An answer whose status this page may not know. */
export type Received<T extends { status: string }> = Omit<T, 'status'> & { status: string };

export const isHexText: Shape<Hex> = isLike(/^0x(?:[0-9a-fA-F]{2})*$/);

/** A call that is ready to be sent. */
export const isReadyCall = isObjectOf<ReadyCall>({
  to: isHexText,
  data: isHexText,
  value: isText,
  chainId: isText,
  from: isMaybe(isHexText),
});

const DEPLOYMENT = {
  chainId: isNumber,
  factory: isHexText,
  implementation: isHexText,
  usdc: isHexText,
  usdcName: isText,
  usdcVersion: isText,
  maxActionSeconds: isNumber,
  signingOrigin: isText,
};
/** The pinned facts of a deployment. */
export const isDeployment = isObjectOf<Deployment>(DEPLOYMENT);

const isAddress = isLike(EVM_ADDRESS_PATTERN);
/** Buyer and arbiter that the escrow of a task commits to. */
export const isTree = isObjectOf<TreeParties>({ buyer: isAddress, arbiter: isAddress });

const isDocument = isObjectOf<Received<ApprovalDocument>>({
  action: isObjectOf<PreparedAction>({
    action_id: isText,
    kind: isText,
    principal: isText,
    wallet_address: isMaybe(isText),
    task_id: isMaybe(isText),
    node_id: isMaybe(isText),
    chain_id: isNumber,
    escrow_address: isText,
    nonce: isText,
    request_digest: isText,
    payload: isRecord,
    signing_url: isText,
    match_code: isMaybe(isText),
    expires_at: isText,
  }),
  next: isMaybe(isText),
  tree: isMaybe(isTree),
  status: isText,
  declined_by: isMaybe(isOneOf('link', 'wallet', 'account', 'credential')),
  signed: isMaybe(isObjectOf<SignedPart>({ signature: isHexText, transaction: isReadyCall, valid_until: isText })),
  transaction_hash: isMaybe(isText),
  request: isNullOr(isObjectOf<OriginatingRequest>({ method: isOneOf('POST'), path: isText, body: isAnything })),
  deployment: isObjectOf<ApprovalDeployment>({
    ...DEPLOYMENT,
    chainName: isText,
    isTestNetwork: isFlag,
    explorerTransactionUrl: isNullOr(isText),
    rpcUrlForWallet: isNullOr(isText),
    nativeCurrency: isObjectOf<ApprovalDeployment['nativeCurrency']>({
      name: isText,
      symbol: isText,
      decimals: isNumber,
    }),
  }),
  // The arbiter comes from the tree, to whose address it belongs.
  facts: isObjectOf<Omit<DescriptionFacts, 'arbiter'>>({
    nowMs: isNumber,
    taskTitle: isMaybe(isText),
    agentName: isMaybe(isText),
    hirerName: isMaybe(isText),
    deliverBy: isMaybe(isNumber),
    nodeState: isMaybe(isText),
    acceptWindowSeconds: isMaybe(isNumber),
    unallocated: isMaybe(isText),
    floor: isMaybe(isText),
    revisionsLeft: isMaybe(isNumber),
    payOut: isMaybe(isFlag),
    subcontracts: isMaybe(isNumber),
    hasArbiter: isMaybe(isFlag),
    rejectionReason: isMaybe(isText),
    nodeAmount: isMaybe(isText),
    hangsOnParent: isMaybe(isFlag),
  }),
  requester: isObjectOf<ApprovalRequester>({
    kind: isOneOf('application', 'key', 'session'),
    name: isText,
    documentHost: isMaybe(isText),
    isKnown: isMaybe(isFlag),
    isOwn: isMaybe(isFlag),
  }),
  asked_at: isText,
  // Its other members are read by `readingFromJson`.
  service_reading: (value): value is ServiceReading => textAt(value, 'source') === 'service',
});

/**
 * The document of an answer; null when a member that the page needs is missing or of another type. What the members say
 * is not judged here: that is for the checks.
 */
export function documentOf(value: unknown): ApprovalDocument | null {
  return isDocument(value) ? { ...value, status: statusOf(value.status) } : null;
}

/** The status with this name. A name that the page does not know counts as `unknown`, so it waits and looks again. */
export function statusOf(text: string): ActionStatus {
  return STATUSES.find((status) => status === text) ?? 'unknown';
}
