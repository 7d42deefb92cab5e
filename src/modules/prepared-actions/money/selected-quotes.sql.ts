import { offerLookUp } from '../../quotes/acceptance/offers.sql.js';

/** The offer that the buyer of the task $1 has selected last. */
export const selectedOffers = offerLookUp(
  'selected-quote',
  'FROM tasks task JOIN quotes quote ON quote.id = task.selected_quote_id WHERE task.id = $1',
);
