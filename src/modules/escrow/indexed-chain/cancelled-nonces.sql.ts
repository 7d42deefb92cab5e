import { CANCELLED_MASK, LATEST_CANCELLATION } from '../escrow.sql-views.js';

/** What the signers $2 had cancelled of the words $3 in the trees of the tasks $1, by place from 0; no row for nothing. */
export const CANCELLED_BEFORE = `SELECT asked.place::integer - 1 AS place, latest.mask
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (task_id, signer, word, place)
  CROSS JOIN LATERAL (
    SELECT ${CANCELLED_MASK} AS mask
    FROM chain_facts fact WHERE ${LATEST_CANCELLATION('asked.task_id', 'asked.signer', 'asked.word')}
  ) AS latest`;
