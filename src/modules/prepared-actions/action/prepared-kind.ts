import type { ActionFields, ContractCall, EscrowFactOf, TaskStatus, TypedData, WireNodeState } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../../../platform/http/principal.js';
import type { Scope } from '../../credentials/scope.js';
import type { ActionDetails } from './action-details.js';
import type { OriginatingRequest } from './originating-request.js';
import type { PreparedActionEntity } from './prepared-action.entity.js';

/** Who asks for an action, and by which request. What the action is about is in the input of its kind. */
export interface ActionIntent extends Readonly<
  Pick<Principal, 'accountId' | 'walletAddress' | 'clientId' | 'fundingCap' | 'spendPolicyId'>
> {
  /** The API key or grant that asks; absent: the prepared action cannot be renewed. */
  readonly credentialId?: string;
  /** Digest of the request body (docs/decisions/interface.md#request-digest). */
  readonly requestDigest: Hex;
  /** The request itself; absent: the prepared action cannot be renewed. */
  readonly request?: OriginatingRequest;
}

/** A call that is tried on the chain's latest state before the action is returned. */
export interface TriedCall {
  readonly from: string;
  readonly to: string;
  readonly data: Hex;
  /** True when it carries signatures: to verify them the escrow may call wallets that are contracts of strangers. */
  readonly asksWallets?: boolean;
}

/** A call with a signature inside; `from` is present only when one certain wallet must send it. */
export type SignedCall = ContractCall & { readonly from?: Hex };

/** A checked action with what the chain's latest state adds to it. The methods only compute; none asks the chain. */
export interface ReadyAction {
  /** What the wallet signs. */
  typedData(fields: ActionFields): TypedData;
  /**
   * Calls that `signer` itself sends, in this order, to execute the action without a signature. Empty when the action
   * needs a signature (a new task, an offer, a selection, or a payment that the token takes by signature alone).
   */
  directCalls(fields: ActionFields): readonly ContractCall[];
}

/** Least time between a check and the block: in less, nobody could sign and have it mined. (policy) */
export const TIME_TO_SIGN_SECONDS = 120;

/** An action that the index allows. Nothing is locked and nothing stored yet. */
export interface CheckedAction {
  /** The one scope of the operation that prepares it; a submission of its signature needs the same. */
  readonly scope: Scope;
  readonly taskId: string;
  /** The node it acts on; null when there is none yet. It is read again after `reserve`, which may place the node. */
  readonly nodeId: string | null;
  readonly escrowAddress: Hex;
  /**
   * Which state of which node the action is for (`nodeNonce`); 0 for a new task. It is read again after `reserve`, before
   * which an offer has 0. Null for a withdrawal, which takes the wallet's next free nonce.
   */
  readonly nonce: bigint | null;
  /** EIP-55 wallet that must sign or send. */
  readonly signer: Hex;
  /**
   * Last second at which the signature may be used, for an action that is signed now and executed later (an offer).
   * Absent: a minute after the prepared action expires, so that an action signed in time can still be mined.
   */
  readonly validUntilSeconds?: number;
  /** Last second at which anything could come of it, where that may be before the action's own end. */
  readonly latestSeconds?: number;
  readonly details?: ActionDetails;
  /**
   * Base units of the signer's own money that the action uses, from its wallet or its refund balance; money that a
   * subcontract divides inside its parent node does not count. The funding cap of an application limits this amount.
   */
  readonly ownMoney: bigint;
  /**
   * Who is to get money by the action (EIP-55), or is chosen to get it later, and how much of the account's own
   * (docs/spend-limits.md#what-counts). Absent: nobody. Spend policies limit it.
   */
  readonly payment?: { readonly to: Hex; readonly amount: bigint };
  /**
   * Reads the chain's latest state once.
   * @throws ApiError with a 409 code when the chain is ahead of the index and no longer allows the action;
   * `service_unavailable` when the chain cannot be asked.
   */
  confirm(): Promise<ReadyAction>;
  /**
   * Calls that must not revert now, each tried by itself: a `multicall` would hide a member that fails. `fields` carry the
   * nonce to try. Empty when nothing can be tried yet.
   */
  triedCalls(fields: ActionFields): readonly TriedCall[];
  /** Runs first in the transaction that stores the action: gives out what no other action may have (the place of a node). */
  reserve?(manager: EntityManager): Promise<void>;
  /** Runs last in that transaction: writes what the action is about (a draft, an unsigned offer). */
  record?(manager: EntityManager, action: PreparedActionEntity): Promise<void>;
}

/** What decides, beside its nonce, whether an unsigned action still makes sense. */
export interface ActionStanding {
  /** Null: there is no such node (any more), or the action has none. */
  readonly nodeState: WireNodeState | null;
  /** Null: there is no such task. */
  readonly taskStatus: TaskStatus | null;
}

/** What the escrow tells about a node when its money comes in. */
export type NodePayment = EscrowFactOf<'NodeFunded'>;

/** By what the payment of a root is found: by its node, of which there is one payment, or the first under some terms. */
export type SoughtPayment =
  | { readonly nodeId: bigint; readonly termsHash?: never }
  | { readonly termsHash: Hex; readonly nodeId?: never };

/** Everything that one kind of action has of its own. `Input` is what its operations take beside the caller. */
export interface PreparedKind<Input> {
  /**
   * The scopes of the operations that prepare it (docs/decisions/interface.md#credentials-and-scopes); each has exactly
   * one.
   */
  readonly scopes: readonly Scope[];
  /**
   * Returns the input that its operation would read from a stored request.
   * @throws ApiError `invalid_body` when the body would not be taken today.
   */
  inputOf(request: OriginatingRequest): Input;
  /**
   * Reads the index in the fixed order of docs/decisions/interface.md#order-of-checks: visibility, role, state.
   * @throws ApiError `not_found`, a 403 code, a 409 code.
   */
  check(intent: ActionIntent, input: Input): Promise<CheckedAction>;
  /**
   * The call that executes the signed action, whoever sends it; null when the signature is only kept (a new task, an
   * offer, a selection).
   * @throws ApiError with a 409 code when something that the call needs is gone.
   */
  signedCall(action: PreparedActionEntity, signature: Hex): Promise<SignedCall | null>;
  /**
   * Writes what follows from a verified signature alone, before the chain shows it, in the transaction that stores the
   * signature. Absent: nothing follows from a signature; only the chain decides.
   * @throws ApiError with a 409 code when the action no longer fits.
   */
  onSigned?(manager: EntityManager, action: PreparedActionEntity, signature: Hex): Promise<void>;
  /**
   * As `onSigned`, for a transaction that the caller has handed in, as soon as the chain knows it. It may come again, and
   * then changes nothing.
   */
  onSent?(manager: EntityManager, action: PreparedActionEntity): Promise<void>;
  /**
   * For a kind that no call takes to the chain: true when this payment of a root, under whatever action, makes good what
   * was signed. Absent: its own nonce, used under its own id, carries it out.
   */
  isPaidBy?(payment: NodePayment, action: Pick<PreparedActionEntity, 'payload'>): boolean;
  /** For such a kind: the one payment of a root for which `isPaidBy` has to be asked. */
  soughtPayment?(action: Pick<PreparedActionEntity, 'payload'>): SoughtPayment;
  /** True when the state it was prepared for is gone, other than by what has used up its nonce. */
  isSupersededBy(standing: ActionStanding): boolean;
}
