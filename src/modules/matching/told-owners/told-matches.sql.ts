import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Position in the log of events up to which owners were told. */
export const TOLD_TO: PreparedStatement = {
  name: 'told-matches',
  text: 'SELECT told_to::text FROM told_matches',
};

/** Moves that position from $1 to $2; gives no row when another process has moved it meanwhile. */
export const TELL_TO: PreparedStatement = {
  name: 'told-matches-move',
  text: 'UPDATE told_matches SET told_to = $2::bigint WHERE told_to = $1::bigint RETURNING id',
};
