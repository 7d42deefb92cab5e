import type { QuoteEntity } from './quote/quote.entity.js';

/** What the chain decides the status of an offer by. */
export type Offer = Pick<QuoteEntity, 'status' | 'nodePath' | 'workerWallet' | 'nonce' | 'signature'>;

/** The offers for the tasks $1, locked. */
export const LOCK_OFFERS = `SELECT id, task_id AS "taskId", status, node_path AS "nodePath",
      worker_wallet AS "workerWallet", nonce, signature
    FROM quotes WHERE task_id = ANY($1::text[]) ORDER BY id FOR UPDATE`;

/** An offer as the statement gives it. */
export interface OfferRow extends Omit<Offer, 'nonce' | 'nodePath'> {
  id: string;
  taskId: string;
  nonce: string;
  nodePath: string;
}

/** Writes statuses. $1 ids, $2 statuses in the same order. */
export const SET_STATUSES = `UPDATE quotes SET status = changed.status
  FROM unnest($1::text[], $2::text[]) AS changed (id, status) WHERE quotes.id = changed.id`;
