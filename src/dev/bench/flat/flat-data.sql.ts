import { TEXT_SEARCH_LANGUAGE } from '../../../modules/agents/agent/searchable-text.js';

/** Ids of the accounts that the bench sends requests as, named by what they own. */
export interface FlatPeople {
  /** Buyer of one task in five. */
  buyer: string;
  /** Works on one node in three. */
  worker: string;
  /** Has one agent in ten. */
  owner: string;
  /** A buyer and a worker of twenty tasks, at any size. */
  ordinary: string;
}

/** Number of other buyers and owners. The bench sends no request as them. */
const OTHERS = 1_000;
/** Tasks made for each agent. */
const TASKS_PER_AGENT = 5;
/** Of the first 1,000 tasks, one in this many belongs to the ordinary account. */
const ORDINARY_EVERY = 50;
const ORDINARY_WITHIN = 1_000;
/**
 * Of the first 1,000 tasks, one in a hundred is bought by the owner of many agents, and none of that owner's agents may
 * be hired for it.
 */
const OWNER_EVERY = 100;
const OWNER_PLACE = 17;

/** Ids of the agents that do the work of the whale worker and of the ordinary account. */
export const WHALE_AGENT = `agent_01y${'0'.repeat(22)}1`;
export const ORDINARY_AGENT = `agent_01y${'0'.repeat(22)}2`;
/** The first agent of the account that owns many agents. */
export const FIRST_OF_OWNER = `agent_01z${(10).toString(16).padStart(23, '0')}`;
/** SQL that makes the id of a generated row from its number. */
const digits = (number: string, prefix: string): string => `'${prefix}_01z' || lpad(to_hex(${number}), 23, '0')`;
/** SQL that derives a number in [0, 1) from the seed and the row. */
const chance = (seed: number, what: string, row: string): string =>
  `(('x' || substr(md5('${what}${seed}' || ${row}), 1, 7))::bit(28)::integer / 268435456.0)`;

/**
 * SQL that maps a number in [0, 1) to a task's status. Statuses that are rare here are also rare in the lists of the
 * largest accounts.
 */
const STATUS = (number: string): string => `CASE
  WHEN ${number} < 0.30 THEN 'open' WHEN ${number} < 0.45 THEN 'funded' WHEN ${number} < 0.55 THEN 'delivered'
  WHEN ${number} < 0.80 THEN 'resolved' WHEN ${number} < 0.85 THEN 'refunded' WHEN ${number} < 0.90 THEN 'expired'
  WHEN ${number} < 0.94 THEN 'cancelled' WHEN ${number} < 0.97 THEN 'draft' WHEN ${number} < 0.98 THEN 'selected'
  WHEN ${number} < 0.99 THEN 'funding_pending' WHEN ${number} < 0.995 THEN 'rejected' ELSE 'disputed' END`;
/**
 * Triggers that would make the service follow millions of rows one by one, for minutes. They are off while rows are
 * generated; the triggers that keep the agents' words stay on.
 */
const NOTING = [
  ['agents', 'agents_noted_insert'],
  ['reputation_records', 'reputation_records_noted_insert'],
] as const;
const WITH_MONEY = `('funded', 'delivered', 'rejected', 'disputed', 'resolved', 'refunded')`;

/**
 * Statements that are run once: they make the accounts that send no requests, and the agents that exist at every market
 * size.
 */
export function flatBeginning({ worker, ordinary }: FlatPeople): readonly string[] {
  return [
    `INSERT INTO accounts (id, name, wallet_address, created_at)
      SELECT 'acct_flat_' || i, 'Party ' || i, '0xf1' || lpad(to_hex(i), 38, '0'), now() FROM generate_series(0, ${OTHERS - 1}) i`,
    agentRows(
      `(VALUES ('${WHALE_AGENT}', '${worker}', 0), ('${ORDINARY_AGENT}', '${ordinary}', 0)) AS made (id, owner, i)`,
    ),
  ];
}

/**
 * Statements that grow a market from `from` generated tasks to `to`. Each task brings a fifth of an agent with its
 * record, two quotes, and about one node, delivery and prepared action, some of which have ended. Each row is derived
 * from its number and the seed, so the rows of the first 1,000 tasks are the same at every size.
 */
export function flatGrowth(from: number, to: number, seed: number, people: FlatPeople): readonly string[] {
  const tasks = `SELECT task.*, made.i FROM generate_series(${from + 1}, ${to}) AS made (i)
    JOIN tasks task ON task.id = ${digits('made.i', 'task')}`;
  const agents = Math.floor(to / TASKS_PER_AGENT);
  const isOwners = `(i <= ${ORDINARY_WITHIN} AND i % ${OWNER_EVERY} = ${OWNER_PLACE})`;
  const isOrdinary = `(i <= ${ORDINARY_WITHIN} AND i % ${ORDINARY_EVERY} = 1)`;
  const someAgent = digits(`1 + floor(${chance(seed, 'agent', 'i')} * ${agents})::integer`, 'agent');
  return [
    ...NOTING.map(([table, trigger]) => `ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`),
    agentRows(`(SELECT ${digits('i', 'agent')} AS id, i,
        CASE WHEN i % 10 = 0 THEN '${people.owner}' ELSE 'acct_flat_' || i % ${OTHERS} END AS owner
      FROM generate_series(${Math.floor(from / TASKS_PER_AGENT) + 1}, ${agents}) i) AS made`),
    `INSERT INTO reputation_records (agent_id, score, independence_confidence, settled_value, updated_at)
      SELECT ${digits('i', 'agent')}, round((${chance(seed, 'score', 'i')})::numeric, 4), 0.5, 1000000, now()
      FROM generate_series(${Math.floor(from / TASKS_PER_AGENT) + 1}, ${agents}) i`,
    ...NOTING.map(([table, trigger]) => `ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`),
    // The next statements join these tables: with the old statistics, the planner would not know how far they have
    // grown and would choose plans that run for a very long time.
    'ANALYZE agents',
    `INSERT INTO tasks (id, buyer_account_id, title, brief, criteria, budget, selection_mode, tier, status,
        accept_window_seconds, delivery_window_seconds, terms_hash, buyer_wallet, arbiter_wallet, escrow_address,
        opened_at, chain_status, funded_roots, created_at, updated_at, offers_until, document)
      SELECT id, buyer, title, brief, '{}', budget, 'manual', tier, status, 259200, 604800, terms,
        '0x' || repeat('1', 40), '0x' || repeat('0', 40), escrow,
        CASE WHEN status NOT IN ('draft', 'cancelled') THEN created END, CASE WHEN status IN ${WITH_MONEY} THEN status END,
        CASE WHEN status IN ${WITH_MONEY} THEN '{1}'::text[] ELSE '{}' END,
        created, created, created + interval '100 years',
        json_build_object('id', id, 'brief', brief, 'budget', json_build_object('amount', (budget / 1000000)::integer || '.00',
          'currency', 'USDC'), 'selection_mode', 'manual', 'status', status, 'created_at', created, 'title', title,
          'criteria', '[]'::json, 'tier', tier, 'terms_hash', terms, 'escrow_address', escrow)::text
      FROM (SELECT i, ${digits('i', 'task')} AS id,
          CASE WHEN ${isOrdinary} THEN '${people.ordinary}' WHEN ${isOwners} THEN '${people.owner}'
            WHEN i % 5 = 0 THEN '${people.buyer}' ELSE 'acct_flat_' || i % ${OTHERS} END AS buyer,
          'Translate part ' || i AS title,
          'Translate part ' || i || ' of the handbook from German into English and keep the tables in their places.' AS brief,
          (10 + i % 990)::numeric * 1000000 AS budget,
          CASE WHEN i % 7 = 0 THEN 'private_curated' ELSE 'public' END AS tier,
          ${STATUS(chance(seed, 'status', 'i'))} AS status,
          '0x' || md5('terms' || i) || md5(i || 'terms') AS terms,
          '0x' || substr(md5('escrow' || i) || md5(i || 'escrow'), 1, 40) AS escrow,
          timestamptz '2026-01-01 00:00:00Z' + i * interval '1 second' AS created
        FROM generate_series(${from + 1}, ${to}) i) AS made`,
    'ANALYZE tasks',
    `INSERT INTO quotes (id, task_id, agent_id, worker_account_id, payer_account_id, node_path, price, floor, work_seconds,
        max_revisions, accept_window_seconds, hirer_funded, terms_hash, worker_wallet, status, valid_until, action_id,
        request_digest, nonce, created_at)
      SELECT ${digits('made.i * 2 + n', 'quote')}, made.id, agent.id, agent.account_id, made.buyer_account_id, (1000 + n)::text,
        made.budget, made.budget / 2, 604800, 3, 259200, true, made.terms_hash, agent.wallet_address, 'submitted', made.offers_until,
        'act_none', '', made.i, made.created_at
      FROM (${tasks}) made CROSS JOIN generate_series(0, 1) n
      JOIN agents agent ON agent.id = CASE WHEN ${isOrdinary} THEN '${ORDINARY_AGENT}'
        WHEN n = 0 AND i % 3 = 0 THEN '${WHALE_AGENT}' ELSE ${someAgent} END`,
    `INSERT INTO escrow_nodes (id, task_id, path, parent_node_id, hirer_agent_id, hirer_account_id, worker_agent_id,
        worker_account_id, hirer_wallet, worker_wallet, visible_account_ids, amount, pool, allocated, floor, withdrawn,
        version, revisions, max_revisions, pay_out, state, outcome, hirer_funded, delivery_deadline, clock,
        accept_window_seconds, artifact_hash, terms_hash, funded_at)
      SELECT ${NODE_ID_OF('place.path')}, made.id, place.path, CASE WHEN n = 2 THEN ${NODE_ID_OF(`'1'`)} END,
        CASE WHEN n = 1 THEN made.buyer_account_id ELSE '${WHALE_AGENT}' END, made.buyer_account_id, agent.id, agent.account_id,
        made.buyer_wallet, agent.wallet_address, ARRAY[made.buyer_account_id, agent.account_id], 100000000,
        CASE made.status WHEN 'resolved' THEN 0 WHEN 'refunded' THEN 0 ELSE 100000000 END, 0, 50000000,
        CASE made.status WHEN 'resolved' THEN 100000000 ELSE 0 END, 3, 0, 3, false,
        CASE made.status WHEN 'resolved' THEN 'released' ELSE made.status END,
        CASE made.status WHEN 'resolved' THEN 'accepted' WHEN 'refunded' THEN 'refunded' END,
        true, made.offers_until, made.offers_until, 259200,
        CASE WHEN made.status NOT IN ('funded', 'refunded') THEN made.terms_hash END, made.terms_hash, made.created_at
      FROM (${tasks}) made CROSS JOIN (VALUES (1, '1'), (2, '1-2')) AS place (n, path)
      JOIN agents agent ON agent.id = CASE WHEN ${isOrdinary} THEN '${ORDINARY_AGENT}'
        WHEN i % 3 = 0 THEN '${WHALE_AGENT}' ELSE ${someAgent} END
      WHERE made.status IN ${WITH_MONEY} AND (n = 1 OR i % 4 > 0)`,
    'ANALYZE quotes, escrow_nodes',
    ...['deliveries', 'receipts'].map((table) => endings(table, tasks)),
    `INSERT INTO task_parties (account_id, task_id, role)
      SELECT buyer_account_id, id, 'buyer' FROM (${tasks}) made
      UNION SELECT worker_account_id, task_id, 'quoted' FROM quotes JOIN (${tasks}) made ON made.id = task_id
      UNION SELECT worker_account_id, task_id, 'worker' FROM escrow_nodes JOIN (${tasks}) made ON made.id = task_id
      ON CONFLICT DO NOTHING`,
    `INSERT INTO prepared_actions
      SELECT (jsonb_populate_record(sample.action, jsonb_build_object('id', ${digits('i', 'act')}, 'action_id_hash', 'flat ' || i,
        'account_id', CASE WHEN ${isOrdinary} THEN '${people.ordinary}' WHEN i % 5 = 0 THEN '${people.buyer}'
          ELSE 'acct_flat_' || i % ${OTHERS} END, 'nonce', 1000000 + i, 'signing_token_hash', '\\x' || md5('token' || i),
        'is_kept', true, 'told_status', NULL))).*
      FROM generate_series(${from + 1}, ${to}) i, (SELECT action FROM prepared_actions action ORDER BY id LIMIT 1) sample`,
    ...MATCHED,
  ];
}

/**
 * Makes the agents matchable by their words, as publishing each would. They all share one word, and the average text
 * lengths are approximate. The last statement makes the index in memory load anew.
 */
const MATCHED: readonly string[] = [
  `INSERT INTO match_terms (word, df) SELECT word, count(*) FROM agent_words GROUP BY word
    ON CONFLICT (word) DO UPDATE SET df = excluded.df`,
  `INSERT INTO match_lengths (agent_number, name, rest) SELECT number, 2, 4 FROM agents WHERE status = 'active'
    ON CONFLICT DO NOTHING`,
  `INSERT INTO match_postings (agent_number, term_id, impact)
    SELECT own.agent_number, term.term_id, 40 + own.agent_number % 100 FROM agent_words own JOIN match_terms term USING (word)
    ON CONFLICT DO NOTHING`,
  `UPDATE match_statistics SET (agents, name_length, rest_length) = (SELECT count(*), 2, 4 FROM match_lengths)`,
  `INSERT INTO match_changes (transaction_id, kind, agent_number, created_at)
    VALUES (pg_current_xact_id()::text::bigint, 'postings', NULL, now())`,
];

const NODE_ID_OF = (path: string): string => `replace(made.id, 'task_', 'node_') || '_' || ${path}`;

/** @param made SQL of the rows to make agents from, with the columns `id`, `owner` and `i`. */
function agentRows(made: string): string {
  const name = `(ARRAY['Translator', 'Editor', 'Auditor', 'Painter', 'Analyst'])[1 + i % 5] || ' ' || i`;
  return `INSERT INTO agents (id, account_id, name, description, agent_card_url, capabilities, wallet_address, created_at,
      updated_at, search)
    SELECT id, owner, ${name}, 'Works on handbooks.', 'https://agents.example/card', ARRAY['handbook'],
      '0x' || substr(md5(id) || md5('wallet' || id), 1, 40), now(), now(),
      setweight(to_tsvector('${TEXT_SEARCH_LANGUAGE}', ${name}), 'A')
        || setweight(to_tsvector('${TEXT_SEARCH_LANGUAGE}', 'handbook'), 'B')
        || setweight(to_tsvector('${TEXT_SEARCH_LANGUAGE}', 'Works on handbooks.'), 'C')
    FROM ${made}`;
}

/**
 * SQL that makes the deliveries or the receipts of the new tasks' nodes.
 * @param table `deliveries` or `receipts`.
 * @param tasks a statement that selects the new tasks.
 */
function endings(table: string, tasks: string): string {
  const isDelivery = table === 'deliveries';
  const [prefix, own, values, which] = isDelivery
    ? ['dlv', 'artifact_hash, status, revision', `node.artifact_hash, 'submitted', 1`, 'node.artifact_hash IS NOT NULL']
    : [
        'rcpt',
        'outcome, amount, transaction_hash, block_number',
        `node.state, node.amount, node.terms_hash, 1`,
        `node.state IN ('released', 'refunded')`,
      ];
  return `INSERT INTO ${table} (id, task_id, node_id, ${own}, payer_account_id, buyer_account_id, worker_account_id, created_at)
    SELECT ${digits(`made.i * 2 + CASE node.path WHEN '1' THEN 1 ELSE 2 END`, prefix)}, node.task_id, node.id, ${values}, node.hirer_account_id,
      made.buyer_account_id, node.worker_account_id, node.funded_at
    FROM (${tasks}) made JOIN escrow_nodes node ON node.task_id = made.id WHERE ${which}`;
}
