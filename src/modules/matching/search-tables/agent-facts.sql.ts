import { clusterOf } from '../../reputation/pairs/clusters.sql-views.js';
import { FULL_LOAD } from '../relevance/matching-constants.js';

/** Who the agent `a` is and who is behind it. */
export const IDENTITY = `a.number, a.id, a.account_id, ${clusterOf('a.account_id')} AS owner_cluster, a.wallet_address`;

/** Nodes that the agent `a` works on, no more than count. */
export const LIVE_NODES = `(SELECT count(*) FROM (SELECT FROM escrow_nodes n
    WHERE n.worker_agent_id = a.id AND n.state NOT IN ('released', 'refunded') LIMIT ${FULL_LOAD}) AS live)`;

/** How often the agent `a` was shown, for whatever task. */
export const IMPRESSIONS = 'coalesce((SELECT impressions FROM agent_impressions seen WHERE seen.agent_id = a.id), 0)';

/** Outcomes after which an agent is not asked again for the same task: it gave up, did not deliver or was turned down. */
const REFUSALS = `('abandoned', 'non_delivery', 'rejection_final')`;

/** The agents that have refused a task, or were turned down after they had worked for it. */
export const refusedAgents = (task: string): string =>
  `SELECT DISTINCT worker_agent_id FROM escrow_nodes WHERE task_id = ${task} AND outcome IN ${REFUSALS}`;
