import { TEXT_SEARCH_LANGUAGE } from '../../../modules/agents/agent/searchable-text.js';

/** Index that finds agents by words for `RANKED_BY_TS_RANK`; no other statement uses it. */
export const BASELINE_INDEX =
  'CREATE INDEX bench_agents_search_idx ON agents USING gin (search) WITH (fastupdate = off)';

/**
 * The full-text statement over the GIN index and `ts_rank` that the service used before it had postings. $1 title, $2
 * brief and criteria, $3 and $4 account and wallet of the buyer, $5 now.
 */
export const RANKED_BY_TS_RANK = {
  name: 'bench_ts_rank',
  text: `WITH lexemes AS (
      SELECT lexeme FROM (
        SELECT lexeme, 1 AS of_title, cardinality(positions) AS hits
        FROM unnest(to_tsvector('${TEXT_SEARCH_LANGUAGE}', $1))
        UNION ALL
        SELECT lexeme, 0, cardinality(positions) FROM unnest(to_tsvector('${TEXT_SEARCH_LANGUAGE}', $2))
      ) AS words
      GROUP BY lexeme ORDER BY max(of_title) DESC, sum(hits) DESC, lexeme LIMIT 64
    ), wanted AS (
      SELECT string_agg(quote_literal(replace(lexeme, '\\', '\\\\')), ' | ')::tsquery AS query FROM lexemes
    ), found AS (
      SELECT a.id, ts_rank(a.search, (SELECT query FROM wanted), 1) AS relevance
      FROM agents a
      WHERE a.search @@ (SELECT query FROM wanted) AND a.status = 'active'
        AND (a.available <> coalesce(a.available_until <= $5::timestamptz, false))
        AND a.account_id <> $3 AND a.wallet_address <> $4
      ORDER BY relevance DESC, a.id LIMIT 1000
    )
    SELECT found.id, found.relevance, load.live_nodes, r.score, r.independence_confidence, r.settled_value
    FROM found
    CROSS JOIN LATERAL (
      SELECT least(count(*), 10) AS live_nodes FROM (
        SELECT state FROM escrow_nodes n WHERE n.worker_agent_id = found.id
        ORDER BY n.task_id DESC, n.path DESC LIMIT 100
      ) AS newest WHERE state NOT IN ('released', 'refunded')
    ) AS load
    LEFT JOIN reputation_records r ON r.agent_id = found.id
    ORDER BY found.relevance DESC, found.id`,
};
