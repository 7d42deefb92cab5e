import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { clusterOf } from '../../reputation/clusters/clusters.sql-views.js';

/** Outcomes after which an agent is not asked again for the same task: it gave up, did not deliver or was turned down. */
const REFUSALS = `('abandoned', 'non_delivery', 'rejection_final')`;

/** The agents that have refused a task, or were turned down after they had worked for it. */
const refusedAgents = (task: string): string =>
  `SELECT DISTINCT worker_agent_id FROM escrow_nodes WHERE task_id = ${task} AND outcome IN ${REFUSALS}`;

/**
 * Columns about the row `task`: the cluster behind its buyer and the accounts of that cluster, the agents that have refused
 * the task, the agents that were shown for it, and whether the newest finished trust run had verified buyers. Also what the
 * search leaves out besides the agents of these accounts and of the buyer's wallet: those that refused the task, by number,
 * and the settled brief of the task itself. The buyer's own agents are not read, because it may have very many.
 */
export const BUYER_COLUMNS = `own.cluster AS buyer_cluster,
  (SELECT json_agg(account_id) FROM account_clusters WHERE cluster_id = own.cluster)::text AS buyer_accounts,
  (SELECT json_agg(refused.id) FROM (${refusedAgents('task.id')}) AS refused (id))::text AS refused_agents,
  (SELECT json_agg(agent_id) FROM match_impressions WHERE task_id = task.id)::text AS shown_agents,
  coalesce((SELECT anchors > 0 FROM trust_runs WHERE status = 'finished' ORDER BY id DESC LIMIT 1), false) AS anchored,
  (SELECT array_agg(number) FROM agents WHERE id = ANY (ARRAY(${refusedAgents('task.id')})))::text AS excluded_agents,
  (SELECT number FROM match_briefs WHERE task_id = task.id) AS own_brief`;

/** Joins the cluster of the buyer, one row for each row `task`. */
export const BUYER_JOIN = `CROSS JOIN LATERAL (SELECT ${clusterOf('task.buyer_account_id')} AS cluster) AS own`;

/** `BUYER_COLUMNS` of the task $1; it does not check who may see the task. */
export const BUYER: PreparedStatement = {
  name: 'match_buyer',
  text: `SELECT ${BUYER_COLUMNS} FROM tasks task ${BUYER_JOIN} WHERE task.id = $1`,
};

/** The columns of `BUYER_COLUMNS`. Arrays come as text, because this program parses them faster than the driver. */
export interface BuyerRow {
  buyer_cluster: string;
  /** JSON array of texts, or null. */
  buyer_accounts: string | null;
  refused_agents: string | null;
  shown_agents: string | null;
  anchored: boolean;
  /** Numbers of `refused_agents`: array of Postgres, or null. */
  excluded_agents: string | null;
  own_brief: number | null;
}
