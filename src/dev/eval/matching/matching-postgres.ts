import type pg from 'pg';
import { SEARCH_SQL, searchParameters } from '../../../modules/agents/agent-search.sql.js';
import { searchableText } from '../../../modules/agents/agent/searchable-text.js';
import {
  type AgentLexemes,
  agentLexemes,
  anyOfLexemes,
  queryLexemes,
  textLexemes,
} from '../../../modules/matching/relevance/lexemes.js';
import { bestTen, bestTools, createTools, REQUEST_VECTORS, TOOL_VECTORS } from './matching-postgres.sql.js';
import type { EvalRequest, EvalTool, RetrievalSet } from './matching-sets.js';

/** A retrieval set with the lexemes that Postgres makes of its texts. */
export interface LexicalSet {
  set: RetrievalSet;
  tools: AgentLexemes[];
  /** One per entry of `set.tests`. */
  tests: LexicalRequest[];
  /** One per entry of `set.history`. */
  history: LexicalRequest[];
}

export interface LexicalRequest {
  /** Each word with its number of occurrences. */
  terms: Map<string, number>;
  /** The words to search for. */
  query: string[];
}

/** A ranking function of Postgres. */
export interface PostgresMethod {
  name: string;
  /** SQL over the tsvector `t.search` and the tsquery `q.query`; higher is better. */
  expression: string;
}

/** Weights of the lexeme classes D, C, B and A: 1 for the name, 0.4 for the other texts. */
const NAME_AND_REST = `'{0.1, 0.4, 0.4, 1}'`;

export const POSTGRES_METHODS: readonly PostgresMethod[] = [
  { name: 'ts_rank A/B, norm 0', expression: `ts_rank(${NAME_AND_REST}, t.search, q.query, 0)` },
  { name: 'ts_rank A/B, norm 1', expression: `ts_rank(${NAME_AND_REST}, t.search, q.query, 1)` },
  { name: 'ts_rank A/B/C, norm 1', expression: `ts_rank(t.search, q.query, 1)` },
  { name: 'ts_rank_cd A/B, norm 1', expression: `ts_rank_cd(${NAME_AND_REST}, t.search, q.query, 1)` },
];

/**
 * Makes the lexemes of a set, from the same texts and with the same tsvector as for agents. The tools stay in the table
 * `eval_tools`.
 */
export async function lexicalSet(client: pg.Client, set: RetrievalSet): Promise<LexicalSet> {
  const tools = await indexTools(client, set.tools);
  const requests = await requestLexemes(client, [...set.tests, ...set.history]);
  return { set, tools, tests: requests.slice(0, set.tests.length), history: requests.slice(set.tests.length) };
}

/**
 * The ten best tools for each request, by name of each Postgres method; equal ones in the order of the set. It is one
 * statement, so that the server works while this process measures something else.
 */
export async function rankedByPostgres(
  client: pg.Client,
  requests: readonly LexicalRequest[],
): Promise<Map<string, number[][]>> {
  const best = POSTGRES_METHODS.map(({ expression }, method) => bestTen(expression, method));
  const { rows } = await client.query<Record<string, number[]>>(bestTools(best), [
    requests.map(({ query }) => anyOfLexemes(query)),
  ]);
  return new Map(POSTGRES_METHODS.map(({ name }, method) => [name, rows.map((row) => row[`by_${method}`] ?? [])]));
}

async function indexTools(client: pg.Client, tools: readonly EvalTool[]): Promise<AgentLexemes[]> {
  const texts = tools.map(searchParameters);
  const search = ['nameText', 'capabilitiesText', 'descriptionText'].reduce(
    (sql, name) => sql.replaceAll(`:${name}`, `texts."${name}"`),
    SEARCH_SQL,
  );
  await client.query('DROP TABLE IF EXISTS eval_tools');
  await client.query(createTools(search, texts));
  await client.query('CREATE INDEX ON eval_tools USING gin (search)');
  await client.query('ANALYZE eval_tools');
  const { rows } = await client.query<{ search: string }>(TOOL_VECTORS);
  return rows.map(({ search: vector }) => agentLexemes(vector));
}

async function requestLexemes(client: pg.Client, requests: readonly EvalRequest[]): Promise<LexicalRequest[]> {
  const { rows } = await client.query<{ vector: string }>(REQUEST_VECTORS, [
    requests.map(({ text }) => searchableText(text)),
  ]);
  return rows.map(({ vector }) => {
    const terms = textLexemes(vector);
    return { terms, query: queryLexemes(new Map(), terms) };
  });
}
