import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { ownBelow, ownNewest } from '../../../platform/pagination/own-rows.sql.js';

/** Above every action id, in any collation: ids are `act_` and 26 characters, at most 'z'. */
export const AFTER_ALL_ACTIONS = `act_${'z'.repeat(27)}`;

/**
 * The columns of a listed action. What is signed is read of signed actions alone, and of that only the message: typed data
 * and ready calls are most of a row.
 */
export const LISTED_COLUMNS = (
  a: string,
): string => `${a}.id, ${a}.action_id_hash, ${a}.kind, ${a}.scope, ${a}.account_id,
  ${a}.wallet_address, ${a}.task_id, ${a}.node_id, ${a}.chain_id, ${a}.escrow_address, ${a}.nonce, ${a}.request_digest,
  ${a}.signing_token_sealed, ${a}.created_at, ${a}.expires_at, ${a}.valid_until, ${a}.signature IS NOT NULL AS is_signed,
  CASE WHEN ${a}.signature IS NOT NULL THEN ${a}.payload -> 'message' END AS message,
  ${a}.transaction_hash, ${a}.submitted_at, ${a}.second_hash, ${a}.second_at, ${a}.opened_at, ${a}.declined_at,
  ${a}.declined_by, ${a}.is_kept`;

/** Which actions of an account are read: all, or those that the chain has not executed. */
export type ListedPart = 'all' | 'open';

/**
 * The newest rows of an account's actions: $1 account, $2 id to start below.
 */
export function actionListStatement(rows: number, part: ListedPart): PreparedStatement {
  return {
    name: `actions_${part}_${rows}`,
    text: `SELECT ${LISTED_COLUMNS('a')}
      FROM prepared_actions a
      WHERE ${ownBelow('a', '$1', '$2')} ${part === 'open' ? 'AND NOT a.is_kept' : ''}
      ORDER BY ${ownNewest('a')} LIMIT ${rows}`,
  };
}
