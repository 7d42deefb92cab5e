/**
 * True in SQL where the account owns the agent; false or null for an agent of another account or one that does not exist.
 * @param agentId placeholder of the agent's id.
 * @param accountId placeholder of the account's id.
 */
export function isOwnedAgent(agentId: string, accountId: string): string {
  return `(SELECT own.account_id = ${accountId} FROM agents own WHERE own.id = ${agentId})`;
}

/** The ids of an account's agents, as a list for `IN`. @param accountId placeholder of the account's id. */
export function agentsOf(accountId: string): string {
  return `(SELECT mine.id FROM agents mine WHERE mine.account_id = ${accountId})`;
}

/** True in SQL while the operator suspends the agent. @param agentId SQL of the agent's id. */
export function isSuspendedAgent(agentId: string): string {
  return `EXISTS (SELECT FROM agents held WHERE held.id = ${agentId} AND held.status = 'suspended')`;
}
