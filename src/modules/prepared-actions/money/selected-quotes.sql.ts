import { EntityLookUp } from '../../../platform/database/entities/entity-look-up.js';
import { QuoteEntity } from '../../quotes/quote/quote.entity.js';

/** The offer that the buyer of the task $1 has selected last. */
export const SELECTED_QUOTE = new EntityLookUp(
  QuoteEntity,
  'selected-quote',
  (columns) => `SELECT ${columns('quote')} FROM tasks task
    JOIN quotes quote ON quote.id = task.selected_quote_id WHERE task.id = $1`,
);
