import { PAYER_SQL, WORKER_SQL } from '../../clusters/principals.js';

/** What the buyers of one cluster have paid to the workers of another through one agent. */
export interface EvidenceEdge {
  agent: string;
  buyer: string;
  worker: string;
  value: number;
  count: number;
}

/** All payments by the evidence, as it was counted with the stored clusters. */
export const EVIDENCE_EDGES = `SELECT agent_id AS agent, buyer_cluster_id AS buyer, worker_cluster_id AS worker,
  gross_value::float8 AS value, settlements AS count FROM buyer_evidence`;

/** What one payer has paid to one worker. */
export interface SettlementEdge {
  payer: string;
  worker: string;
  value: number;
  count: number;
}

/** The payments to the agents $1, whose evidence was counted with other clusters than the new ones. */
export const SETTLEMENT_EDGES = `SELECT ${PAYER_SQL} AS payer, ${WORKER_SQL} AS worker, sum(released)::float8 AS value,
  count(*)::integer AS count FROM settlements WHERE agent_id = ANY($1) GROUP BY 1, 2`;

/** What the transaction sees, as a text by which later changes are known. */
export const CURRENT_SNAPSHOT = 'SELECT pg_current_snapshot()::text AS seen';

/** Every account that the last run has put into a cluster with others. */
export const STORED_CLUSTERS = 'SELECT account_id AS account, cluster_id AS cluster FROM account_clusters';

/** The agents that the accounts $1 have paid or own, if they have settlements. */
export const AGENTS_OF = `SELECT DISTINCT agent_id AS agent FROM settlements WHERE ${PAYER_SQL} = ANY($1)
     UNION SELECT id FROM agents WHERE account_id = ANY($1) AND EXISTS (SELECT FROM settlements WHERE agent_id = agents.id)`;
