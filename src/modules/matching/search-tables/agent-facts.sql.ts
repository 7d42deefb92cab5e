import { clusterOf } from '../../reputation/clusters/clusters.sql-views.js';
import { FULL_LOAD } from '../relevance/matching-constants.js';

/** Who the agent `a` is and who is behind it. */
export const IDENTITY = `a.number, a.id, a.account_id, ${clusterOf('a.account_id')} AS owner_cluster, a.wallet_address`;

/** Number of live nodes that the agent `a` works on, at most `FULL_LOAD`: more of them change no rank. */
export const LIVE_NODES = `(SELECT count(*) FROM (SELECT FROM escrow_nodes n
    WHERE n.worker_agent_id = a.id AND n.state NOT IN ('released', 'refunded') LIMIT ${FULL_LOAD}) AS live)`;

/** How often the agent `a` was shown, for all tasks together. */
export const IMPRESSIONS = 'coalesce((SELECT impressions FROM agent_impressions seen WHERE seen.agent_id = a.id), 0)';
