import { listsOf } from '../../../platform/database/prepared-lists.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { CANCELLED_MASK, LATEST_CANCELLATION, ROOT_PAYMENT } from '../../escrow/escrow.sql-views.js';

const fact = (rest: string, json = 'fact.fact'): string =>
  `(SELECT ${json} AS fact, fact.block_number, fact.log_index, fact.transaction_hash FROM chain_facts fact WHERE ${rest})`;

/**
 * The facts that decide about many actions, by place from 0 and in chain order: $1 tasks, $2 wallets, $3 hashes of the
 * actions' ids, $4 nonces, $5 words of the nonces; of the payment that carries an action out $6 the node, or $7 the hash of
 * the terms, null for others. At most one of each kind, each a look-up: whoever adds facts to a tree, and that costs next to
 * nothing, must not make anybody's actions slow. Two parties of a node may be one wallet, which then uses a nonce under two
 * ids; the action's own is the one that counts. The fact that cancels has the mask of all before it.
 */
export const ACTION_FACTS: PreparedStatement = {
  name: 'actions_facts',
  text: `SELECT asked.place::integer - 1 AS place, own.fact, own.block_number, own.transaction_hash
    FROM unnest(${listsOf('text', 'text', 'text', 'text', 'text', 'text', 'text')}) WITH ORDINALITY
      AS asked (task_id, wallet_address, action_id_hash, nonce, word, paid_node, paid_terms, place)
    CROSS JOIN LATERAL (
      ${fact(`fact.task_id = asked.task_id AND fact.fact->>'type' = 'ActionConsumed'
        AND fact.fact->>'signer' = asked.wallet_address AND fact.fact->>'nonce' = asked.nonce
        ORDER BY fact.action_id_hash = asked.action_id_hash DESC LIMIT 1`)}
      UNION ALL
      ${fact(
        LATEST_CANCELLATION('asked.task_id', 'asked.wallet_address', 'asked.word'),
        `fact.fact || jsonb_build_object('mask', ${CANCELLED_MASK})`,
      )}
      UNION ALL
      ${fact(`fact.task_id = asked.task_id AND ${ROOT_PAYMENT} AND fact.fact->>'nodeId' = asked.paid_node LIMIT 1`)}
      UNION ALL
      ${fact(`fact.task_id = asked.task_id AND ${ROOT_PAYMENT} AND fact.fact->>'termsHash' = asked.paid_terms
        ORDER BY fact.block_number, fact.log_index LIMIT 1`)}
    ) AS own
    ORDER BY asked.place, own.block_number, own.log_index`,
};
