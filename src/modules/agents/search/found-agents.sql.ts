import type { AgentStatement } from './agent-list.sql.js';
import { agentColumns, LISTED } from './agent-list.sql.js';
import { TEXT_SEARCH_LANGUAGE } from '../agent/searchable-text.js';

/** Above every rank and number. */
export const AFTER_ALL_FOUND: readonly string[] = ['Infinity', '2147483647'];

/** The text $1 that was typed, as a tsquery; `websearch_to_tsquery` takes any text. */
export const SEARCH_QUERY: AgentStatement = {
  name: 'agents_query',
  text: `SELECT websearch_to_tsquery('${TEXT_SEARCH_LANGUAGE}', $1)::text AS query`,
};

/** Counts the agents that have each of the words $1, each up to $2, which bounds the cost of the statement. */
export const WORD_COUNTS: AgentStatement = {
  name: 'agents_word_counts',
  text: `SELECT list.word, counted.agents::text AS agents
    FROM unnest($1::text[]) AS list (word) CROSS JOIN LATERAL (
      SELECT count(*) AS agents FROM (SELECT FROM agent_words own WHERE own.word = list.word LIMIT $2) AS own
    ) AS counted`,
};

/** SQL of the tsquery for one word alone. */
const alone = (word: string): string =>
  `('''' || replace(replace(${word}, '\\', '\\\\'), '''', '''''') || '''')::tsquery`;

/**
 * One page of the agents that the query $2 finds, in the order of each agent's best rank for a single one of the words $3:
 * $1 now, $4 and $5 rank and number to start below, $6 how many agents of each word's list are read. When a list has more
 * agents than that, a last row without an id gives the rank and number that the reading has reached: no agent of the query
 * lies between the page's last agent and that position.
 */
export function followStatement(rows: number): AgentStatement {
  return {
    name: `agents_followed_${rows}`,
    text: `WITH wanted AS MATERIALIZED (
        SELECT websearch_to_tsquery('${TEXT_SEARCH_LANGUAGE}', $2) AS query
      ), listed AS MATERIALIZED (
        SELECT list.word, posting.rank, posting.agent_number, posting.place
        FROM unnest($3::text[]) AS list (word) CROSS JOIN LATERAL (
          SELECT own.rank, own.agent_number, row_number() OVER (ORDER BY own.rank DESC, own.agent_number DESC) AS place
          FROM agent_words own WHERE own.word = list.word AND (own.rank, own.agent_number) < ($4::real, $5::integer)
          ORDER BY own.rank DESC, own.agent_number DESC LIMIT $6
        ) AS posting
      ), reached AS MATERIALIZED (
        SELECT rank, agent_number FROM listed WHERE place = $6 ORDER BY rank DESC, agent_number DESC LIMIT 1
      ), followed AS (
        SELECT word, rank, agent_number FROM listed
        WHERE (rank, agent_number) >= (SELECT rank, agent_number FROM reached) OR NOT EXISTS (SELECT FROM reached)
        ORDER BY rank DESC, agent_number DESC
      ), found AS (
        SELECT agent.*, followed.rank, followed.agent_number
        FROM followed CROSS JOIN LATERAL (
          SELECT ${agentColumns('a', '$1::timestamptz')} FROM agents a
          WHERE a.number = followed.agent_number AND ${LISTED} AND a.search @@ (SELECT query FROM wanted)
            AND NOT EXISTS (
              SELECT FROM unnest($3::text[]) AS other (word)
              WHERE other.word <> followed.word
                AND (ts_rank(a.search, ${alone('other.word')}, 1), other.word) > (followed.rank, followed.word))
          OFFSET 0
        ) AS agent
        LIMIT ${rows}
      )
      SELECT id, name, description, agent_card_url, status, capabilities, available, available_until, created_at,
        rank::text AS rank, agent_number::text AS number
      FROM found
      UNION ALL
      SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, rank::text, agent_number::text FROM reached`,
  };
}

/**
 * One page of the agents that the query $2 finds, the best for the whole query first: $1 now, $3 words of which every
 * agent that can be found has one, $4 and $5 rank and number to start below. Reads all agents with one of these words.
 */
export function weighStatement(rows: number): AgentStatement {
  return {
    name: `agents_weighed_${rows}`,
    text: `WITH wanted AS MATERIALIZED (
        SELECT websearch_to_tsquery('${TEXT_SEARCH_LANGUAGE}', $2) AS query
      ), found AS MATERIALIZED (
        SELECT agent.id, agent.rank, own.agent_number
        FROM (SELECT DISTINCT agent_number FROM agent_words WHERE word = ANY ($3::text[])) AS own
        CROSS JOIN LATERAL (
          SELECT a.id, ts_rank(a.search, (SELECT query FROM wanted), 1) AS rank FROM agents a
          WHERE a.number = own.agent_number AND ${LISTED} AND a.search @@ (SELECT query FROM wanted)
          OFFSET 0
        ) AS agent
      ), page AS (
        SELECT id, rank, agent_number FROM found WHERE (rank, agent_number) < ($4::real, $5::integer)
        ORDER BY rank DESC, agent_number DESC LIMIT ${rows}
      )
      SELECT ${agentColumns('a', '$1::timestamptz')}, page.rank::text AS rank, page.agent_number::text AS number
      FROM page JOIN agents a ON a.id = page.id
      ORDER BY page.rank DESC, page.agent_number DESC`,
  };
}
