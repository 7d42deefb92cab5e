import { storedPath } from '../../platform/database/columns/node-path.column.js';
import type { QuoteEntity } from './quote/quote.entity.js';
import type { ToldQuote } from './quote/quote-event.js';

/** What the chain decides the status of an offer by. */
export type Offer = Pick<QuoteEntity, 'status' | 'nodePath' | 'workerWallet' | 'nonce' | 'signature'>;

/** The columns of a `ToldRow`. */
export const TOLD_COLUMNS = `id, task_id AS "taskId", agent_id AS "agentId", worker_account_id AS "workerAccountId",
      payer_account_id AS "payerAccountId", node_path AS "nodePath", price, valid_until AS "validUntil"`;

/** A quote with what its events tell, as `pg` parses it. */
export type ToldRow = Omit<ToldQuote, 'nodePath' | 'price'> & { nodePath: string; price: string };

/** The quote of a row of `TOLD_COLUMNS`. */
export function toldQuote(row: ToldRow): ToldQuote {
  return { ...row, nodePath: storedPath(row.nodePath), price: BigInt(row.price) };
}

/** The offers for the tasks $1, locked. */
export const LOCK_OFFERS = `SELECT ${TOLD_COLUMNS}, status, worker_wallet AS "workerWallet", nonce, signature,
      expiry_told AS "expiryTold"
    FROM quotes WHERE task_id = ANY($1::text[]) ORDER BY id FOR UPDATE`;

/** An offer as the statement gives it. */
export type OfferRow = ToldRow & Omit<Offer, 'nonce' | 'nodePath'> & { nonce: string; expiryTold: boolean };

/** Writes statuses. $1 ids, $2 statuses in the same order. */
export const SET_STATUSES = `UPDATE quotes SET status = changed.status
  FROM unnest($1::text[], $2::text[]) AS changed (id, status) WHERE quotes.id = changed.id`;
