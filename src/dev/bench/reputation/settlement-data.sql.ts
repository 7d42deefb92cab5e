/**
 * Statements that fill a migrated database with `agents` agents, as many buyers, and `settlements` settlements between
 * them, with evidence and records, and with `agent_busy`, which `buyers` buyers have hired once each. The evidence is a
 * plain count, because the time of an update does not depend on the values of the sums.
 */
export function settlementData(agents: number, settlements: number, buyers: number): readonly string[] {
  return [
    `INSERT INTO accounts (id, name, wallet_address, created_at)
      SELECT 'acct_' || i, 'Buyer ' || i, '0x' || lpad(i::text, 40, '0'), now() FROM generate_series(1, ${agents}) i`,
    `INSERT INTO accounts (id, name, created_at)
      SELECT 'acct_of_agent_' || i, 'Worker ' || i, now() FROM generate_series(1, ${agents}) i
      UNION ALL SELECT 'acct_of_agent_busy', 'Busy', now()`,
    `INSERT INTO agents (id, account_id, name, agent_card_url, capabilities, wallet_address, created_at, updated_at, search)
      SELECT replace(id, 'acct_of_', ''), id, name, 'https://agents.example/card', '{}', '0x' || repeat('0', 40), now(), now(), ''
      FROM accounts WHERE id LIKE 'acct\\_of\\_%'`,
    `INSERT INTO settlements (${SETTLEMENT_COLUMNS})
      SELECT 'node_' || i, 'task_' || i, 'agent_' || agent, 'acct_of_agent_' || agent, 'acct_' || buyer,
        '0x' || lpad(buyer::text, 40, '0'), '0x' || lpad(agent::text, 40, 'f'), 100000000, 100000000, 'accepted',
        timestamptz '2026-01-01 00:00:00Z' + i * interval '20 seconds'
      FROM (SELECT i, 1 + i % ${agents} AS agent, 1 + (i * 7919 + i / ${agents}) % ${agents} AS buyer
        FROM generate_series(1::bigint, ${settlements}) i) AS made`,
    `INSERT INTO settlements (${SETTLEMENT_COLUMNS})
      SELECT 'node_busy_' || i, 'task_busy_' || i, 'agent_busy', 'acct_of_agent_busy', 'acct_' || i,
        '0x' || lpad(i::text, 40, '0'), '0x' || repeat('e', 40), 100000000, 100000000, 'accepted',
        timestamptz '2026-01-01 00:00:00Z' + i * interval '20 seconds'
      FROM generate_series(1, ${buyers}) i`,
    EVIDENCE_OF_ALL,
    `INSERT INTO buyer_independence SELECT id, 0.9 FROM accounts`,
    `INSERT INTO trust_runs (as_of, started_at, finished_at, status, phase, anchors)
      VALUES ('2026-11-20', '2026-11-20', '2026-11-20', 'finished', 'writing', 50)`,
    `INSERT INTO reputation_records (agent_id, score, independence_confidence, settled_value, updated_at)
      SELECT agent_id, 0.9, 0.9, sum(released), max(settled_at) FROM settlements GROUP BY agent_id`,
    'VACUUM (ANALYZE)',
  ];
}

const SETTLEMENT_COLUMNS = `node_id, task_id, agent_id, worker_account_id, payer_account_id, payer_wallet, worker_wallet, amount,
  released, outcome, settled_at`;

/**
 * Statements that add to that market: `agent_pair`, which one buyer has paid `dealt` times; an owner of `owned` agents
 * that were paid once each; and `agent_known`, which `buyers` buyers have paid once each. Their owners are otherwise
 * unconnected.
 */
export function whaleData(whales: { dealt: number; owned: number; buyers: number }): readonly string[] {
  const wallet = "'0x' || lpad(";
  const paid = (made: string): string => `INSERT INTO settlements (${SETTLEMENT_COLUMNS})
      SELECT node, 'task_' || node, agent, owner, payer, ${wallet}payer, 40, '0'), ${wallet}agent, 40, 'f'), 100000000, 100000000,
        'accepted', timestamptz '2026-01-01 00:00:00Z' + i * interval '20 seconds' FROM (${made}) AS made`;
  return [
    `INSERT INTO accounts (id, name, created_at)
      SELECT id, 'Whale', now() FROM unnest(ARRAY['pair', 'owned', 'known']) AS whale (name),
        LATERAL (SELECT 'acct_of_agent_' || whale.name AS id) AS named`,
    `INSERT INTO agents (id, account_id, name, agent_card_url, capabilities, wallet_address, created_at, updated_at, search)
      SELECT id, owner, 'Whale', 'https://agents.example/card', '{}', ${wallet}id, 40, 'f'), now(), now(), ''
      FROM (SELECT 'agent_' || name AS id, 'acct_of_agent_' || name AS owner FROM unnest(ARRAY['pair', 'known']) AS whale (name)
        UNION ALL SELECT 'agent_owned_' || i, 'acct_of_agent_owned' FROM generate_series(1, ${whales.owned}) i) AS made`,
    paid(`SELECT i, 'node_whale_pair_' || i AS node, 'agent_pair' AS agent, 'acct_of_agent_pair' AS owner, 'acct_1' AS payer
      FROM generate_series(1, ${whales.dealt}) i`),
    paid(`SELECT i, 'node_whale_owned_' || i AS node, 'agent_owned_' || i AS agent, 'acct_of_agent_owned' AS owner,
      'acct_' || i AS payer FROM generate_series(1, ${whales.owned}) i`),
    paid(`SELECT i, 'node_whale_known_' || i AS node, 'agent_known' AS agent, 'acct_of_agent_known' AS owner,
      'acct_known_' || i AS payer FROM generate_series(1, ${whales.buyers}) i`),
    EVIDENCE_OF_ALL,
    'VACUUM (ANALYZE)',
  ];
}

/** Writes the evidence of all settlements whose pair has none yet, as a plain count. */
const EVIDENCE_OF_ALL = `INSERT INTO buyer_evidence (agent_id, buyer_cluster_id, worker_cluster_id, career_good, career_bad, recent_good,
        recent_bad, gross_value, settlements, outcomes)
      SELECT agent_id, payer_account_id, worker_account_id, count(*), 0, count(*), 0, sum(released), count(*),
        json_build_object('accepted', count(*))
      FROM settlements GROUP BY agent_id, payer_account_id, worker_account_id
      ON CONFLICT DO NOTHING`;

/**
 * Statements that delete the evidence of that market, as a migration that changes its definition does, so that the next
 * run counts everything anew. Each agent gets the wallet that it worked with, because agents that share one wallet
 * would all count as one owner's.
 */
export const firstRunData: readonly string[] = [
  `UPDATE agents SET wallet_address = '0x' || lpad(replace(id, 'agent_', ''), 40, 'f')`,
  'TRUNCATE buyer_evidence, buyer_independence, buyer_sums',
  `INSERT INTO evidence_changes (agent_id, transaction_id, must_rebuild)
    SELECT DISTINCT agent_id, pg_current_xact_id()::text::bigint, true FROM settlements`,
  'VACUUM (ANALYZE)',
];

/** Adds $2 to the record of the agent $1. */
export const BARE_SUM = 'UPDATE reputation_records SET settled_value = settled_value + $2 WHERE agent_id = $1';

/** Deletes the settlement of the node $1. */
export const DELETE_SETTLEMENT = 'DELETE FROM settlements WHERE node_id = $1';

/** Begins a run. */
export const BEGIN_RUN = `INSERT INTO trust_runs (as_of, started_at, status, phase) VALUES (now(), now(), 'running', 'counting') RETURNING id`;
