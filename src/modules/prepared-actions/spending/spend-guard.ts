import type { EntityManager } from 'typeorm';
import type { Spending } from '../../credentials/spending/spend-limits.js';
import type { ActionIntent, CheckedAction } from '../action/prepared-kind.js';

/** What an action takes of the spend policy of its credential. */
export interface CountedSpending extends Spending {
  /** Names what is paid for: of all actions with the same name the chain executes at most one. Null: this one alone. */
  readonly payment: string | null;
  readonly policyId: string;
}

/**
 * Which actions count, and with how much (docs/spend-limits.md#what-counts): whatever brings money to a wallet that is
 * not the one that signs. A selection and a subcontract out of the node's own pool name who is to be paid and move
 * nothing of the wallet's, so they count with nothing and are held to the counterparties alone. Withdrawing to oneself is
 * no payment, and neither is anything that only moves what is in the escrow already: accepting, rejecting, deciding.
 */
export function spendingOf(
  { spendPolicyId: policyId }: Pick<ActionIntent, 'spendPolicyId'>,
  { payment, signer, taskId, nonce }: SpendingFacts,
): CountedSpending | null {
  if (policyId === undefined || payment === undefined || payment.to === signer) return null;
  // The nonce of a node says which node at which version, and the chain takes it once, whichever action brings it.
  return { ...payment, policyId, payment: nonce === null ? null : `${taskId}/${nonce}` };
}

type SpendingFacts = Pick<CheckedAction, 'payment' | 'signer' | 'taskId' | 'nonce'>;

/**
 * Holds what is prepared to the spend policy of its credential. Whoever follows how an action is prepared needs to know
 * this much; `SpendLedger` is the one that does it.
 */
export abstract class SpendGuard {
  /**
   * Refuses early, before the chain is asked. `reserve` decides.
   * @throws ApiError `spend_limit_exceeded`, `counterparty_not_allowed`.
   */
  abstract refuse(spending: CountedSpending): Promise<void>;

  /**
   * Takes the amount of an action that is about to be stored, in its transaction. Payments under one policy wait for each
   * other, so that two at once never take more than is left.
   * @returns what to do once the row of the action is written.
   * @throws as `refuse`.
   */
  abstract reserve(manager: EntityManager, spending: CountedSpending): Promise<(actionId: string) => Promise<void>>;
}
