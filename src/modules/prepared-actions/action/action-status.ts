import { type EscrowFact, readNodeNonce } from '#libs/contracts';
import type { ActionStatus } from '#libs/prepared-action';
import type { NodePayment } from './prepared-kind.js';

/**
 * Blocks above an action's block from which it counts as final: an hour of the production chain's two-second blocks,
 * several times what its settlement on L1 takes.
 */
export const FINAL_AFTER_BLOCKS = 1_800;

/**
 * Milliseconds for which the hash of a transaction that the chain does not know is still reported. A transaction that
 * was really sent is in a block within seconds; a hash that belongs to no transaction must not be reported for longer.
 */
export const HINT_MS = 120_000;

/** An event of the action's tree, as the index holds it. */
export interface IndexedFact {
  readonly fact: EscrowFact;
  readonly blockNumber: number;
  readonly transactionHash: string;
}

/** The newest block of the index; time in milliseconds since the epoch. */
export interface IndexedTip {
  readonly number: number;
  readonly timeMs: number;
}

/** What the chain's endpoint knows of the transaction that was handed in; `unreachable`: it could not be asked. */
export type HandedInTransaction =
  | { readonly kind: 'unseen' | 'pending' | 'unreachable' }
  | { readonly kind: 'reverted'; readonly blockNumber: number }
  /** `isAbout`: whether its data has the action's id; absent: nobody has asked. */
  | { readonly kind: 'mined'; readonly blockNumber: number; readonly isAbout?: boolean };

export interface StatusInput {
  readonly action: {
    actionIdHash: string;
    walletAddress: string;
    nonce: bigint;
    expiresAt: Date;
    validUntil: Date;
    signature: string | null;
    transactionHash: string | null;
    submittedAt: Date | null;
    secondHash: string | null;
    secondAt: Date | null;
    openedAt: Date | null;
    declinedAt: Date | null;
  };
  /** Facts of the action's own tree in chain order: of its wallet's nonces, and for `isPaidBy` of the payments of roots. */
  readonly facts: readonly IndexedFact[];
  /**
   * Tells the payment that carries out a kind without a call (`PreparedKind.isPaidBy`); null for every other kind, which
   * its own nonce and id carry out.
   */
  readonly isPaidBy: ((payment: NodePayment) => boolean) | null;
  /** Null before the first block. */
  readonly tip: IndexedTip | null;
  /** Null when no transaction was handed in. */
  readonly transaction: HandedInTransaction | null;
  /** Version of the node that the nonce names, as the index has it; null: there is no such node, or it names none. */
  readonly nodeVersion: number | null;
  /** True when the state of the task or node no longer allows the action. */
  readonly stateMovedOn: boolean;
  readonly nowMs: number;
}

/** What has become of an action. */
export interface Standing {
  readonly status: ActionStatus;
  readonly transactionHash: string | null;
}

/**
 * What has become of an action, in this order:
 *
 * | what is known                                                              | status               |
 * |----------------------------------------------------------------------------|----------------------|
 * | its own signer used its own nonce for it                                    | `confirmed`, `final` |
 * | it was signed, has no call, and the payment that it was signed for is there | `confirmed`, `final` |
 * | its nonce was used for something else or cancelled, or its node moved on   | `superseded`         |
 * | its person has declined it; whoever sends it all the same executes it       | `declined`           |
 * | the chain's time is past its last second                                    | `expired`            |
 * | the transaction handed in is in a block and failed                          | `failed`             |
 * | … waits for a block, or is in one that the index has not reached            | `submitted`          |
 * | … and the chain cannot be asked: nobody knows, it may still come             | `unknown`            |
 * | its time is over: to be signed, or, once signed, to be used                 | `expired`            |
 * | the state it needs is gone                                                  | `superseded`         |
 * | a transaction was handed in lately that the chain does not know             | `unknown`            |
 * | a verified signature was handed in                                          | `signed`             |
 * | a person has opened it on the approval page                                 | `opened`             |
 * | otherwise                                                                   | `prepared`           |
 *
 * An action is executed only where its own signer used its own nonce: the sender of any other call can write any action
 * id into an event. A transaction that is in a block and did not execute the action was not about it, and neither was
 * one without the action's id in its data. A transaction that the chain does not know is only a claim of the caller: it
 * ends nothing, and it is no longer reported after `HINT_MS`.
 */
export function actionStatusOf(input: StatusInput): Standing {
  const { action, tip } = input;
  const execution = executionOf(input);
  if (execution) {
    const depth = tip === null ? 0 : tip.number - execution.blockNumber;
    const status = depth >= FINAL_AFTER_BLOCKS ? 'final' : 'confirmed';
    return { status, transactionHash: execution.transactionHash };
  }
  const isForgotten = input.transaction?.kind === 'unseen' && !isHint(input);
  return { status: openStatusOf(input), transactionHash: isForgotten ? null : action.transactionHash };
}

/**
 * The event in which the action's own signer used its own nonce for it, or, for a signed action without a call, paid for
 * it.
 */
export function executionOf({
  action,
  facts,
  isPaidBy,
}: Pick<StatusInput, 'action' | 'facts' | 'isPaidBy'>): IndexedFact | undefined {
  if (isPaidBy !== null) {
    if (action.signature === null) return undefined;
    return facts.find(({ fact }) => fact.type === 'NodeFunded' && isPaidBy(fact));
  }
  return facts.find(({ fact }) => isOwnNonceUse(fact, action) && fact.actionId === action.actionIdHash);
}

/** True where the transaction that was handed in second may decide, so that the chain has to be asked about it. */
export function hangsOnSecond(input: StatusInput): boolean {
  const { action, transaction, tip } = input;
  if (action.secondHash === null || transaction === null || executionOf(input) !== undefined) return false;
  const isAhead = transaction.kind === 'mined' && sentStatusOf(transaction, tip) === 'submitted';
  return !isAhead && transaction.kind !== 'unreachable';
}

/**
 * What an action is judged by, where the chain was asked about both of its transactions. The second decides where it may
 * still execute the action, or where it says more than the first, which then waits for nothing. A hash that the chain does
 * not know keeps no other from being told.
 * @param input with the first transaction. @param second the same with the second.
 */
export function byItsTransactions<Input extends StatusInput>(input: Input, second: Input): Input {
  const [before, after] = [input, second].map(({ transaction, tip }) => transaction && sentStatusOf(transaction, tip));
  if (after === 'submitted') return second;
  const saysMore = after === null ? before === null && isHint(second) : before !== 'submitted';
  return saysMore ? second : input;
}

/** True once the transaction that was handed in last is no hint any more at `nowMs`. */
export function isHintOver(
  { submittedAt, secondAt }: Pick<StatusInput['action'], 'submittedAt' | 'secondAt'>,
  nowMs: number,
): boolean {
  return nowMs >= ((secondAt ?? submittedAt)?.getTime() ?? 0) + HINT_MS;
}

function openStatusOf(input: StatusInput): ActionStatus {
  const { action, tip, transaction, stateMovedOn, nowMs } = input;
  if (isNonceOver(input)) return 'superseded';
  if (action.declinedAt !== null) return 'declined';
  const lastMs = action.validUntil.getTime();
  // The index decides, not our clock: a block that is not read yet may hold the transaction.
  if (tip !== null && tip.timeMs > lastMs) return 'expired';
  const sent = transaction === null ? null : sentStatusOf(transaction, tip);
  if (sent !== null) return sent;
  const endMs = action.signature === null ? action.expiresAt.getTime() : lastMs;
  if (nowMs > endMs) return 'expired';
  if (stateMovedOn) return 'superseded';
  if (isHint(input)) return 'unknown';
  if (action.signature !== null) return 'signed';
  return action.openedAt === null ? 'prepared' : 'opened';
}

/** True while a transaction that the chain does not know may still be on its way. */
function isHint({ action: { submittedAt }, transaction, nowMs }: StatusInput): boolean {
  return transaction?.kind === 'unseen' && submittedAt !== null && nowMs < submittedAt.getTime() + HINT_MS;
}

/** Null for a transaction that turned out not to be about the action, and for one that the chain does not know. */
function sentStatusOf(transaction: HandedInTransaction, tip: IndexedTip | null): ActionStatus | null {
  switch (transaction.kind) {
    case 'unseen':
      return null;
    case 'unreachable':
      return 'unknown';
    case 'pending':
      return 'submitted';
    case 'reverted':
      return 'failed';
    case 'mined':
      return tip === null || tip.number < transaction.blockNumber ? 'submitted' : null;
  }
}

/** True when the escrow takes the nonce from its signer no more, whoever has used it or moved the node on. */
function isNonceOver({ action, facts, nodeVersion }: StatusInput): boolean {
  const named = readNodeNonce(action.nonce);
  if (named !== null && nodeVersion !== null && nodeVersion > named.version) return true;
  return facts.some(({ fact }) => isOwnNonceUse(fact, action) || cancelsNonce(fact, action));
}

type OwnNonce = Pick<StatusInput['action'], 'walletAddress' | 'nonce'>;

function isOwnNonceUse(fact: EscrowFact, own: OwnNonce): fact is EscrowFact & { type: 'ActionConsumed' } {
  return fact.type === 'ActionConsumed' && fact.signer === own.walletAddress && fact.nonce === own.nonce;
}

function cancelsNonce(fact: EscrowFact, { walletAddress, nonce }: OwnNonce): boolean {
  if (fact.type !== 'NoncesInvalidated' || fact.signer !== walletAddress) return false;
  return fact.word === nonce >> 8n && ((fact.mask >> (nonce & 0xffn)) & 1n) === 1n;
}
