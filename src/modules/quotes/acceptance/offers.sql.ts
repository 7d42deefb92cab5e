import { EntityLookUp } from '../../../platform/database/entities/entity-look-up.js';
import type { Transactions } from '../../../platform/database/transactions.js';
import { isSuspendedAgent } from '../../agents/agents.sql-views.js';
import { QuoteEntity } from '../quote/quote.entity.js';

/** An offer, with what decides about it and is not its own. */
export interface Offer {
  readonly quote: QuoteEntity;
  /** True while the operator suspends its agent: nobody takes the offer up through the service then. */
  readonly isSuspended: boolean;
}

/** Looks up offers. @param name as of an `EntityLookUp`. @param from the statement from FROM on; `quote` is the offer. */
export function offerLookUp(
  name: string,
  from: string,
): (transactions: Transactions, values: unknown[]) => Promise<Offer[]> {
  const statement = new EntityLookUp(
    QuoteEntity,
    name,
    (columns) => `SELECT ${columns('quote')}, ${isSuspendedAgent('quote.agent_id')} AS agent_is_suspended ${from}`,
  );
  return async (transactions, values) => {
    const found = await statement.findWithRows(transactions, values);
    return found.map(({ entity: quote, row }) => ({ quote, isSuspended: row['agent_is_suspended'] === true }));
  };
}

/** The offer $1. */
export const offerById = offerLookUp('offer', 'FROM quotes quote WHERE quote.id = $1');

/** The offer for the node with the path $2 of the task $1 that the action $3 makes. */
export const offerOfAction = offerLookUp(
  'offer-of-action',
  'FROM quotes quote WHERE quote.task_id = $1 AND quote.node_path = $2 AND quote.action_id = $3',
);
