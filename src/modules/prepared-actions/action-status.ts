import type { EscrowFact } from '#libs/contracts';

/** Values that this service gives; open enumeration on the wire (design/interface.md §1, getAction). */
export type ActionStatus = 'prepared' | 'confirmed' | 'final' | 'expired' | 'superseded';

/**
 * Blocks above an action's block from which it counts as final: an hour of the production chain's two-second blocks,
 * several times what its settlement on L1 takes.
 */
export const FINAL_AFTER_BLOCKS = 1_800;

/** An event of the action's tree, as the index holds it. */
export interface IndexedFact {
  readonly fact: EscrowFact;
  readonly blockNumber: number;
  readonly transactionHash: string;
}

export interface StatusInput {
  readonly action: { actionIdHash: string; walletAddress: string; nonce: bigint; expiresAt: Date };
  /** Facts of the action's own tree in chain order. */
  readonly facts: readonly IndexedFact[];
  /** Newest block of the index; null before the first. */
  readonly tip: number | null;
  /** True when the state of the node no longer allows the action. */
  readonly stateMovedOn: boolean;
  readonly nowMs: number;
}

/**
 * What has become of an action. Only the chain's facts decide, in this order: executed (`confirmed`, later `final`);
 * its time is over (`expired`); its nonce or its node's state is gone (`superseded`); else it can still be signed.
 * An action is executed only where its own signer used its own nonce: the action id in an event is whatever the sender
 * of some other call wrote into it.
 */
export function actionStatusOf(input: StatusInput): { status: ActionStatus; transactionHash: string | null } {
  const { action, facts, tip, nowMs } = input;
  const execution = facts.find(({ fact }) => isOwnNonceUse(fact, action) && fact.actionId === action.actionIdHash);
  if (execution) {
    const depth = tip === null ? 0 : tip - execution.blockNumber;
    const status = depth >= FINAL_AFTER_BLOCKS ? 'final' : 'confirmed';
    return { status, transactionHash: execution.transactionHash };
  }
  if (nowMs > action.expiresAt.getTime()) return { status: 'expired', transactionHash: null };
  const nonceGone = facts.some(({ fact }) => isOwnNonceUse(fact, action) || cancelsNonce(fact, action));
  return { status: nonceGone || input.stateMovedOn ? 'superseded' : 'prepared', transactionHash: null };
}

type OwnNonce = Pick<StatusInput['action'], 'walletAddress' | 'nonce'>;

function isOwnNonceUse(fact: EscrowFact, own: OwnNonce): fact is EscrowFact & { type: 'ActionConsumed' } {
  return fact.type === 'ActionConsumed' && fact.signer === own.walletAddress && fact.nonce === own.nonce;
}

function cancelsNonce(fact: EscrowFact, { walletAddress, nonce }: OwnNonce): boolean {
  if (fact.type !== 'NoncesInvalidated' || fact.signer !== walletAddress) return false;
  return fact.word === nonce >> 8n && ((fact.mask >> (nonce & 0xffn)) & 1n) === 1n;
}
