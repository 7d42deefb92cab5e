import { ownBelow, ownNewest } from '../../../platform/pagination/own-rows.sql.js';
import { type AgentStatement, agentColumns } from './agent-list.sql.js';

/**
 * One page of the agents of an account, whatever their status, newest first, and one more: $1 now, $2 account, $3 id to
 * start below. Rows and not documents, because only the owner is shown wallet and reason.
 */
export function ownAgentsStatement(limit: number): AgentStatement {
  return {
    name: `agents_own_${limit}`,
    text: `SELECT ${agentColumns('a', '$1::timestamptz')}, a.wallet_address, a.suspension_reason
      FROM agents a WHERE ${ownBelow('a', '$2', '$3')} ORDER BY ${ownNewest('a')} LIMIT ${limit + 1}`,
  };
}
