import { TEXT_SEARCH_LANGUAGE } from '../../../modules/agents/agent/searchable-text.js';

/** The best tools for each of the queries $1. @param best one array a method, over the query `q.query`. */
export function bestTools(best: readonly string[]): string {
  return `WITH q AS MATERIALIZED (
        -- Made once: as a subquery each text would be read anew for every tool.
        SELECT text::tsquery AS query, place FROM unnest($1::text[]) WITH ORDINALITY AS texts (text, place)
      )
      SELECT ${best.join(', ')} FROM q ORDER BY q.place`;
}

/** The ten best tools for the query `q.query` by one method. */
export function bestTen(expression: string, method: number): string {
  return `array(
        SELECT t.number FROM eval_tools t WHERE t.search @@ q.query ORDER BY ${expression} DESC, t.number LIMIT 10
      ) AS by_${method}`;
}

/** Makes the table of the tools, with the tsvector of each. */
export function createTools(search: string, texts: readonly object[]): string {
  return `CREATE TABLE eval_tools AS
      SELECT (place - 1)::integer AS number, ${search} AS search
      FROM jsonb_array_elements('${JSON.stringify(texts).replaceAll("'", "''")}'::jsonb) WITH ORDINALITY AS listed (row, place)
      CROSS JOIN LATERAL jsonb_to_record(row)
        AS texts ("nameText" text, "capabilitiesText" text, "descriptionText" text)`;
}

/** The tsvectors of all tools in their order. */
export const TOOL_VECTORS = 'SELECT search::text FROM eval_tools ORDER BY number';

/** The tsvectors of the texts $1 in their order. */
export const REQUEST_VECTORS = `SELECT to_tsvector('${TEXT_SEARCH_LANGUAGE}', text)::text AS vector
      FROM unnest($1::text[]) WITH ORDINALITY AS texts (text, place) ORDER BY place`;
