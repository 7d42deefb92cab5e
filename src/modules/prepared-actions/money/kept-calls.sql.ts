import { EntityLookUp } from '../../../platform/database/entities/entity-look-up.js';
import { QuoteEntity } from '../../quotes/quote/quote.entity.js';
import { PreparedActionEntity } from '../action/prepared-action.entity.js';

/**
 * The newest signed `create_task` of the task $1, by the index on nonces: a buyer may have any number of actions in other
 * escrows.
 */
export const KEPT_CREATION = new EntityLookUp(
  PreparedActionEntity,
  'kept-creation',
  (columns) => `SELECT ${columns('action')} FROM tasks task
    JOIN prepared_actions action
      ON action.escrow_address = task.escrow_address AND action.wallet_address = task.buyer_wallet
    WHERE task.id = $1 AND action.kind = 'create_task' AND action.signature IS NOT NULL
    ORDER BY action.nonce DESC LIMIT 1`,
);

/** The offers for the root nodes of the task $1 that may wait for money: the selected one, and the newest on the chain. */
export const ROOT_QUOTES = new EntityLookUp(
  QuoteEntity,
  'kept-root-quotes',
  (columns) => `SELECT ${columns('quote')} FROM tasks task
    JOIN quotes quote ON quote.task_id = task.id
      AND quote.node_number = ANY (ARRAY[task.selection_node_number, task.opened_roots[cardinality(task.opened_roots)]])
    WHERE task.id = $1`,
);

/** The action by which the buyer of the task $1 has selected an offer last. */
export const KEPT_SELECTION = new EntityLookUp(
  PreparedActionEntity,
  'kept-selection',
  (columns) => `SELECT ${columns('action')} FROM tasks task
    JOIN prepared_actions action ON action.id = task.selection_action_id WHERE task.id = $1`,
);
