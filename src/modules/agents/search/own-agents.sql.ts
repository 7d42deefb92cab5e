import { type AgentStatement, agentColumns } from './agent-list.sql.js';

/**
 * One page of the agents of an account, whatever their status, newest first, and one more: $1 now, $2 account, $3 id to
 * start below. Rows and not documents, because only the owner is shown wallet and reason. The account is the first column
 * of a position and not an equality, which leaves one index in the right order: else the planner may read the agents of
 * everybody by their ids, where few accounts have most of them.
 */
export function ownAgentsStatement(limit: number): AgentStatement {
  return {
    name: `agents_own_${limit}`,
    text: `SELECT ${agentColumns('a', '$1::timestamptz')}, a.wallet_address, a.suspension_reason
      FROM agents a WHERE a.account_id >= $2 AND (a.account_id, a.id) < ($2, $3)
      ORDER BY a.account_id DESC, a.id DESC LIMIT ${limit + 1}`,
  };
}
