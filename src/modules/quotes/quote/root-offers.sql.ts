import { EntityLookUp } from '../../../platform/database/entities/entity-look-up.js';
import { QuoteEntity } from './quote.entity.js';

/** The path of a root is one index. */
const IS_OF_ROOT = `strpos(quote.node_path, '-') = 0`;

/**
 * The offers of the agent $2 for the root of the task $1, in no order: with one, the plan that is made while the table is
 * small, and kept, could read the whole table in that order.
 */
export const ROOT_OFFERS_OF_AGENT = new EntityLookUp(
  QuoteEntity,
  'root-offers-of-agent',
  (columns) => `SELECT ${columns('quote')} FROM quotes quote
    WHERE quote.task_id = $1 AND quote.agent_id = $2 AND ${IS_OF_ROOT}`,
);

/** The submitted offers of active agents for the root of the task $1, in no order. */
export const ROOT_OFFERS = new EntityLookUp(
  QuoteEntity,
  'root-offers',
  (columns) => `SELECT ${columns('quote')} FROM quotes quote
    WHERE quote.task_id = $1 AND ${IS_OF_ROOT} AND quote.status = 'submitted'
      AND EXISTS (SELECT FROM agents WHERE agents.id = quote.agent_id AND agents.status = 'active')`,
);
