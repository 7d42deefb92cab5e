import { TEXT_SEARCH_LANGUAGE } from '../../../modules/agents/agent/searchable-text.js';

/** Makes open tasks. $1 ids, $2 titles, $3 briefs, in the same order; $4 buyer, $5 its wallet. */
export const INSERT_TASKS = `INSERT INTO tasks (id, buyer_account_id, title, brief, criteria, budget, selection_mode, tier, status,
        accept_window_seconds, delivery_window_seconds, terms_hash, buyer_wallet, arbiter_wallet, escrow_address,
        created_at, updated_at, document)
      SELECT id, $4, title, brief, '{}', 100000000, 'manual', 'public', 'open', 259200, 604800,
        '0x' || md5(id) || md5(id), $5, '0x' || repeat('0', 40), '0x' || substr(md5(id) || md5(id), 1, 40), now(), now(), '{}'
      FROM unnest($1::text[], $2::text[], $3::text[]) AS made (id, title, brief)`;

/** Relevance of the agents $1 to the words $2 of these idf ($3). */
export const RELEVANCE = `SELECT coalesce(sum(p.impact * w.idf), 0)::float8 AS relevance
  FROM agents a JOIN match_postings p ON p.agent_number = a.number
  JOIN unnest($2::integer[], $3::integer[]) AS w (term_id, idf) ON w.term_id = p.term_id
  WHERE a.id = ANY($1::text[])`;

/** Numbers of the made agents begin above those of the sample market. */
export const FIRST_NUMBER = 1_000;

/** Agents of one account. */
export const AGENTS_PER_OWNER = 5;

/** Makes the owners from the number $1 to the number $2. */
export const INSERT_OWNERS = `INSERT INTO accounts (id, name, wallet_address, created_at)
  SELECT 'acct_owner_' || i, 'Owner ' || i, '0xbe' || lpad(to_hex(i), 38, '0'), now()
  FROM generate_series($1::integer, $2::integer) i`;

/** One of eight is away; cards and descriptions are left out, because no match reads them. */
export const INSERT_AGENTS = `INSERT INTO agents (id, number, account_id, name, description, agent_card_url, capabilities, status,
    available, wallet_address, created_at, updated_at, search, capability_words)
  SELECT 'agent_bench_' || number, number, 'acct_owner_' || (number - ${FIRST_NUMBER}) / ${AGENTS_PER_OWNER},
    'Agent ' || number, '', 'https://agents.example/card',
    ARRAY(SELECT json_array_elements_text(capabilities::json)), 'active', number % 8 <> 0,
    '0xbe' || lpad(to_hex((number - ${FIRST_NUMBER}) / ${AGENTS_PER_OWNER}), 38, '0'), now(), now(), search::tsvector,
    ARRAY(SELECT to_tsvector('${TEXT_SEARCH_LANGUAGE}', text) FROM json_array_elements_text(capabilities::json) AS text)
  FROM unnest($1::integer[], $2::text[], $3::text[]) AS made (number, search, capabilities)`;

/** Writes how long the texts of agents are. $1 numbers, $2 lengths of names, $3 of the rest, in the same order. */
export const INSERT_LENGTHS = `INSERT INTO match_lengths (agent_number, name, rest)
  SELECT * FROM unnest($1::integer[], $2::smallint[], $3::smallint[])`;

/** Writes postings. $1 numbers of agents, $2 terms, $3 impacts, in the same order. */
export const INSERT_POSTINGS = `INSERT INTO match_postings (agent_number, term_id, impact)
  SELECT * FROM unnest($1::integer[], $2::integer[], $3::smallint[])`;

/** Writes the words $1, each of as many texts as $2 says, with their places as ids. */
export const INSERT_TERMS = `INSERT INTO match_terms (term_id, word, df)
  SELECT place, word, df FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS made (word, df, place)`;

/** Three of ten have worked. */
export const INSERT_RECORDS = `INSERT INTO reputation_records (agent_id, score, career_score, recent_score, independence_confidence,
    settled_value, independent_value, settlements, buyers, independent_buyers, updated_at)
  SELECT id, score, score, score, (number % 97) / 100.0, 100000000, 1000000::numeric * (number % 97), number % 40, 5, 3, now()
  FROM (SELECT id, number, 0.5 + (number % 499) / 1000.0 AS score FROM agents
    WHERE number >= ${FIRST_NUMBER} AND number % 10 < 3) AS made`;

/** Makes settled briefs with the numbers $1. */
export const INSERT_BRIEFS = `INSERT INTO match_briefs (task_id, number, version)
  SELECT 'task_settled_' || number, number, (SELECT brief_version FROM match_statistics)
  FROM unnest($1::integer[]) AS number`;

/** Writes the words of briefs. $1 briefs, $2 terms, $3 weights, in the same order. */
export const INSERT_BRIEF_POSTINGS = `INSERT INTO match_brief_postings (brief_number, term_id, weight)
  SELECT * FROM unnest($1::integer[], $2::integer[], $3::smallint[])`;

/** Makes the settlement of each of the briefs $1 by the agent with the number in $2. */
export const INSERT_SETTLEMENTS = `INSERT INTO settlements (node_id, task_id, agent_id, worker_account_id, payer_account_id,
    payer_wallet, worker_wallet, amount, released, outcome, settled_at)
  SELECT 'node_settled_' || brief, 'task_settled_' || brief, 'agent_bench_' || worker,
    'acct_owner_' || (worker - ${FIRST_NUMBER}) / ${AGENTS_PER_OWNER}, 'acct_payer_' || brief % 1000,
    '0x' || repeat('1', 40), '0x' || repeat('2', 40), 100, 100, 'accepted',
    timestamptz '2026-01-01 00:00:00Z' + brief * interval '1 minute'
  FROM unnest($1::integer[], $2::integer[]) AS made (brief, worker)`;

/** The indexes of the names $1, with the statements that make them. */
export const INDEXES = 'SELECT indexname, indexdef FROM pg_indexes WHERE indexname = ANY($1)';

/** Makes the one row of the statistics. */
export const INSERT_STATISTICS = `INSERT INTO match_statistics (id) VALUES (1) ON CONFLICT DO NOTHING`;

/** Counts the market. $1 agents, $2 average length of a name, $3 of the rest. */
export const SET_STATISTICS = `UPDATE match_statistics SET agents = $1::integer, name_length = $2, rest_length = $3, rewritten_to = NULL, counted_at = now(),
      briefs = (SELECT count(*) FROM match_briefs), brief_texts = $1::integer + (SELECT count(*) FROM match_briefs)`;

/** No agent was shown. */
export const FORGET_IMPRESSIONS = 'DELETE FROM agent_impressions';
