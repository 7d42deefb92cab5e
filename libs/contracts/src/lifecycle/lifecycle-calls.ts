import type { LifecycleError } from './node-state-machine.js';
import type { FundingMode, NodeState } from '../tree/node-states.js';

/** A node of the model. Money in base units, times in unix seconds, accounts under any distinct names. */
export interface ModelNode {
  readonly path: bigint;
  readonly worker: string;
  readonly hirerFunded: boolean;
  readonly price: bigint;
  /** The most that may be carved out, and what the worker's side has if the arbiter is silent. */
  readonly floor: bigint;
  /** What the worker's side (its helpers included) has: all of the price until the node ends, then what its end left. */
  readonly share: bigint;
  /** What has left the escrow of the worker's own part. */
  readonly withdrawn: bigint;
  readonly deliverBy: number;
  readonly acceptWindow: number;
  readonly clock: number;
  readonly state: NodeState;
  /** How often the node has moved on; every signature about it is given for one version. */
  readonly version: number;
  readonly revisions: number;
  readonly maxRevisions: number;
  readonly payOut: boolean;
  /** The artifact delivered last, `null` before the first one. */
  readonly artifact: string | null;
}

/** The settlement token in the model: balances of accounts in base units, and what its issuer has stopped. */
export interface ModelToken {
  readonly balances: ReadonlyMap<string, bigint>;
  readonly denied: ReadonlySet<string>;
  readonly paused: boolean;
}

/** One escrow and its surroundings. Every account has given the escrow an unlimited allowance. */
export interface ModelTree {
  /** The escrow's own account, and that of the factory which made it. Neither can be a party. */
  readonly escrow: string;
  readonly factory: string;
  readonly buyer: string;
  readonly arbiter: string | null;
  readonly nodes: readonly ModelNode[];
  readonly refundOf: ReadonlyMap<string, bigint>;
  /** `account:nonce` of every withdrawal that was executed, and of every nonce that is cancelled. */
  readonly usedNonces: ReadonlySet<string>;
  readonly token: ModelToken;
}

/** What both sides sign (Types.sol, `NodeTerms`), as far as the contract reads it. */
export interface ModelTerms {
  readonly path: bigint;
  /** `null` is the zero address. */
  readonly worker: string | null;
  readonly amount: bigint;
  readonly floor: bigint;
  /** From the funding on. */
  readonly workSeconds: number;
  readonly acceptWindow: number;
  readonly maxRevisions: number;
  readonly hirerFunded: boolean;
}

/** An authorisation in a call. */
export interface ModelAuth {
  /** Whose key signed; `null` without a signature, which only the call's sender may leave out. */
  readonly signer: string | null;
  readonly nonce: bigint;
  readonly validUntil: number;
  /** False when the signature is for other values than those of the call. */
  readonly intact: boolean;
}

interface OneAuth {
  readonly auth: ModelAuth;
}
interface TwoAuths {
  readonly hirerAuth: ModelAuth;
  readonly workerAuth: ModelAuth;
}
interface OfNode {
  readonly path: bigint;
}

/** A call of the escrow, and of the token's issuer, as the model takes it. */
export type ModelCall = { readonly sender: string } & (
  | ({
      readonly action: 'fund_task' | 'subcontract';
      readonly terms: ModelTerms;
      readonly mode: FundingMode;
    } & TwoAuths)
  | ({ readonly action: 'deliver'; readonly artifact: string | null; readonly payOut: boolean } & OfNode & OneAuth)
  | ({ readonly action: 'resolve_task' | 'reject_task'; readonly artifact: string | null } & OfNode & OneAuth)
  | ({ readonly action: 'abandon_node' | 'dispute_node' } & OfNode & OneAuth)
  | ({ readonly action: 'claim_non_delivery'; readonly account: string } & OfNode & OneAuth)
  | ({ readonly action: 'rule_dispute'; readonly share: bigint } & OfNode & OneAuth)
  | ({ readonly action: 'agree_split'; readonly share: bigint } & OfNode & TwoAuths)
  | ({ readonly action: 'finalize' } & OfNode)
  | ({ readonly action: 'withdraw_earnings'; readonly recipient: string; readonly amount: bigint } & OfNode & OneAuth)
  | ({
      readonly action: 'withdraw_refund';
      readonly account: string;
      readonly recipient: string;
      readonly amount: bigint;
    } & OneAuth)
  | { readonly action: 'invalidate_nonces'; readonly word: bigint; readonly mask: bigint }
  | { readonly action: 'pause' | 'unpause' }
  | { readonly action: 'deny' | 'allow'; readonly account: string }
);

/** Custom error of the token (LocalUsdc.sol) that the escrow passes on. */
export type TokenError = 'TokenPaused' | 'AccountBlacklisted' | 'InvalidTokenSignature' | 'ERC20InsufficientBalance';

/** Result of a call: the tree after it, or the error that refuses it. */
export type StepResult =
  | { readonly ok: true; readonly tree: ModelTree }
  | { readonly ok: false; readonly error: LifecycleError | TokenError };
