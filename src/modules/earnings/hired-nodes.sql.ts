import type { WireNodeState } from '#libs/contracts';
import type { PreparedStatement } from '../../platform/database/transactions.js';
import { RETURNED } from '../escrow/node/node-ancestors.sql.js';

/** A row of `FIND_HIRED_NODES`. */
export interface HiredRow {
  id: string;
  path: string;
  hirer_wallet: string;
  state: WireNodeState;
  clock: Date;
  /** Base units. */
  returned: string;
}

/** The nodes of task $2 that account $1 has paid for from its own wallet, oldest first. */
export const FIND_HIRED_NODES: PreparedStatement = {
  name: 'hired-nodes',
  text: `SELECT id, path, hirer_wallet, state, clock, ${RETURNED} AS returned FROM escrow_nodes below
         WHERE task_id = $2 AND hirer_account_id = $1 AND hirer_funded ORDER BY funded_at, path`,
};
