import { BUYER, NOW, WORKER } from '../../support/market-rows.js';
import type { ReadSide } from '../../support/read-side.js';

/** SQL of a generated row's id. `n` is SQL for its number; ids are in the order of the numbers. */
const ulidSql = (n: string): string => `'01k9' || lpad((${n})::text, 22, '0')`;
/** SQL of the id of one of 1,000 ordinary accounts. */
const ordinary = (n: string): string => `'acct_o' || (${n}) % 1000`;
const hash = (n: string): string => `'0x' || lpad((${n})::text, 64, '0')`;
const address = (n: string): string => `'0x' || lpad((${n})::text, 40, '0')`;

/** An account that has a few rows of everything, where the largest accounts have thousands. */
export const ORDINARY = 'acct_o7';

/**
 * Fills a database with a market of this many tasks: each has one node, one delivery, one receipt and two quotes, and
 * there is an agent for every five tasks, and an action of each buyer for each task, of which nine in ten were executed. The buyer of `ReadSide` has a fifth of the tasks and of these agents. The
 * worker has a third of the nodes, all by its one agent. Only the first task is expired, and only the second is
 * disputed. Triggers fill more tables, so a spec that counts pages vacuums all tables afterwards.
 */
export async function fillMarket(side: ReadSide, tasks: number): Promise<void> {
  const series = `generate_series(1, ${tasks}) AS i`;
  const buyer = `CASE WHEN i % 5 = 0 THEN '${BUYER}' ELSE ${ordinary('i')} END`;
  const worker = `CASE WHEN i % 3 = 0 THEN '${WORKER}' ELSE ${ordinary('i / 7')} END`;
  const agent = `CASE WHEN i % 3 = 0 THEN 'agent_worker' ELSE 'agent_o' || (i / 7) % 1000 END`;
  const at = `timestamptz '${NOW}' + i * interval '1 second'`;
  const statements = [
    `INSERT INTO accounts (id, name, created_at) SELECT 'acct_o' || i, 'x', '${NOW}' FROM generate_series(0, 999) i`,
    `INSERT INTO agents (id, account_id, name, agent_card_url, capabilities, wallet_address, created_at, updated_at, search)
      SELECT CASE WHEN i <= 1000 THEN 'agent_o' || i - 1 ELSE 'agent_' || ${ulidSql('i')} END,
        CASE WHEN i > 1000 AND i % 5 = 0 THEN '${BUYER}' ELSE ${ordinary('i - 1')} END, 'a' || i,
        'https://x', '{}', '0x', '${NOW}', '${NOW}',
        to_tsvector('english', 'common agent word' || i || CASE WHEN i % 100 = 1 THEN ' audit' ELSE '' END)
      FROM generate_series(1, 1000 + ${tasks} / 5) AS i`,
    `INSERT INTO tasks (id, buyer_account_id, title, brief, criteria, budget, selection_mode, tier, status,
        accept_window_seconds, delivery_window_seconds, terms_hash, buyer_wallet, arbiter_wallet, escrow_address, created_at,
        updated_at, document)
      SELECT 'task_' || ${ulidSql('i')}, ${buyer}, 'x', 'x', '{}', 1, 'manual',
        CASE WHEN i % 4 = 0 THEN 'private_curated' ELSE 'public' END,
        CASE i WHEN 1 THEN 'expired' WHEN 2 THEN 'disputed'
          ELSE (ARRAY['open', 'open', 'funded', 'delivered', 'resolved'])[1 + i % 7 % 5] END,
        1, 1, '0x', ${address('1')}, ${address('0')}, ${address('i')}, ${at}, ${at}, '{}'
      FROM ${series}`,
    `INSERT INTO task_parties (account_id, task_id, role)
      SELECT ${buyer}, 'task_' || ${ulidSql('i')}, 'buyer' FROM ${series}
      UNION ALL SELECT ${worker}, 'task_' || ${ulidSql('i')}, unnest(ARRAY['quoted', 'worker']) FROM ${series}`,
    `INSERT INTO escrow_nodes (id, task_id, path, hirer_agent_id, hirer_account_id, worker_agent_id, worker_account_id,
        hirer_wallet, worker_wallet, visible_account_ids, amount, pool, allocated, floor, withdrawn, version, revisions, max_revisions, pay_out,
        state, hirer_funded, delivery_deadline, clock, accept_window_seconds, terms_hash, funded_at)
      SELECT 'node_' || ${ulidSql('i')} || '_1', 'task_' || ${ulidSql('i')}, '1', ${buyer}, ${buyer}, ${agent}, ${worker}, ${address('1')},
        ${address('2')}, ARRAY[${buyer}, ${worker}], 1, 1, 0, 1, 0, 1, 0, 3, false,
        CASE i WHEN 3 THEN 'rejected' WHEN 6 THEN 'disputed' ELSE (ARRAY['funded', 'delivered', 'released'])[1 + i % 7 % 3] END,
        true, '${NOW}', timestamptz '${NOW}' + interval '1 year', 1, '0x', '${NOW}'
      FROM ${series}`,
    `INSERT INTO quotes (id, task_id, agent_id, worker_account_id, payer_account_id, node_path, price, floor,
        work_seconds, max_revisions, accept_window_seconds, hirer_funded, terms_hash, worker_wallet, status, valid_until, action_id, request_digest,
        nonce, created_at)
      SELECT 'quote_' || ${ulidSql('i * 2 + q')}, 'task_' || ${ulidSql('i')}, ${agent}, ${worker}, ${buyer}, q::text, 1, 1, 86400, 3, 1,
        true, '0x', ${address('2')}, 'submitted', ${at}, 'act_' || i || '_' || q, '0x', i, ${at}
      FROM ${series} CROSS JOIN generate_series(1, 2) AS q`,
    `INSERT INTO deliveries (id, task_id, node_id, artifact_hash, status, revision, payer_account_id, buyer_account_id,
        worker_account_id, created_at)
      SELECT 'dlv_' || ${ulidSql('i')} || '_1_1', 'task_' || ${ulidSql('i')}, 'node_' || ${ulidSql('i')} || '_1', ${hash('i')},
        'submitted', 1, ${buyer}, ${buyer}, ${worker}, ${at} FROM ${series}`,
    `INSERT INTO receipts (id, task_id, node_id, outcome, amount, transaction_hash, block_number, payer_account_id,
        buyer_account_id, worker_account_id, created_at)
      SELECT 'rcpt_' || ${ulidSql('i')} || '_1', 'task_' || ${ulidSql('i')}, 'node_' || ${ulidSql('i')} || '_1', 'released', 1,
        ${hash('i')}, i, ${buyer}, ${buyer}, ${worker}, ${at} FROM ${series}`,
    `INSERT INTO prepared_actions (id, action_id_hash, kind, scope, account_id, wallet_address, task_id, node_id, chain_id,
        escrow_address, nonce, request_digest, payload, signing_token_hash, signing_token_sealed, created_at, expires_at,
        valid_until, signature, is_kept)
      SELECT 'act_' || ${ulidSql('i')}, ${hash('i')}, 'fund_task', 'buyer', ${buyer}, ${address('1')}, 'task_' || ${ulidSql('i')},
        'node_' || ${ulidSql('i')} || '_1', 31337, ${address('i')}, 256, ${hash('0')}, '{"message": {}}',
        decode(lpad(i::text, 64, '0'), 'hex'), '\\x00', ${at}, ${at}, ${at} + interval '90 days',
        CASE WHEN i % 2 = 0 THEN '0x00' END, i % 10 > 0
      FROM ${series}`,
    `INSERT INTO chain_facts (block_number, log_index, block_hash, block_time, transaction_hash, task_id, action_id_hash, fact)
      SELECT i, 0, ${hash('i')}, ${at}, ${hash('i')}, 'task_' || ${ulidSql('i')}, ${hash('i')},
        jsonb_build_object('type', 'ActionConsumed', 'actionId', ${hash('i')}, 'requestDigest', ${hash('0')}, 'signer', ${address('1')}, 'nonce', '256')
      FROM ${series} WHERE i % 10 > 0`,
    `INSERT INTO reputation_records (agent_id, score, independence_confidence, settled_value, updated_at)
      SELECT id, number % 1000 / 1000.0, 0, 0, '${NOW}' FROM agents`,
    `INSERT INTO buyer_evidence (agent_id, buyer_cluster_id, worker_cluster_id, career_good, career_bad, recent_good, recent_bad,
        gross_value, settlements, outcomes)
      SELECT 'agent_worker', 'wallet_' || ${hash('i')}, 'acct_worker', 1, 0, 1, 0, 1, 1, '{"accepted": 1}' FROM ${series}`,
  ];
  for (const statement of statements) await side.fill(statement);
}

/** Tables that have many rows afterwards. */
export const FILLED: readonly string[] = [
  'accounts',
  'agents',
  'tasks',
  'task_parties',
  'escrow_nodes',
  'quotes',
  'deliveries',
  'receipts',
  'reputation_records',
  'prepared_actions',
  'chain_facts',
];
