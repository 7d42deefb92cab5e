import { MAX_QUERY_TERMS } from './matching-constants.js';
import type { FieldCounts } from './impact.js';

/** Words of an agent's texts, counted by field. */
export interface AgentLexemes {
  /** Occurrences of each word. */
  terms: Map<string, FieldCounts>;
  /** Words of each field, repeated ones counted again. */
  lengths: FieldCounts;
}

/** A lexeme of a tsvector: `'audit':3,7A 'it''s'`. Quotes and backslashes inside are doubled. */
const LEXEME = /'((?:[^'\\]|''|\\.)*)'(?::([0-9A-D,]+))?/gsu;

/**
 * Reads the words of an agent from its weighted tsvector (agents/agent-search.sql.ts): weight A is the name, every
 * other weight the rest.
 * @param vector a tsvector as the text that Postgres sends.
 */
export function agentLexemes(vector: string): AgentLexemes {
  const lengths = { name: 0, rest: 0 };
  const terms = new Map<string, FieldCounts>();
  for (const { lexeme, positions } of lexemesIn(vector)) {
    const name = positions.filter((position) => position.endsWith('A')).length;
    const rest = positions.length - name;
    terms.set(lexeme, { name, rest });
    lengths.name += name;
    lengths.rest += rest;
  }
  return { terms, lengths };
}

/**
 * Reads the words of a text and how often each occurs.
 * @param vector a tsvector as the text that Postgres sends.
 */
export function textLexemes(vector: string): Map<string, number> {
  return new Map([...lexemesIn(vector)].map(({ lexeme, positions }) => [lexeme, positions.length]));
}

/**
 * The words by which a task is matched, at most 64: those of its title first, then the most frequent, then by code
 * unit.
 */
export function queryLexemes(title: ReadonlyMap<string, number>, rest: ReadonlyMap<string, number>): string[] {
  const hits = (lexeme: string): number => (title.get(lexeme) ?? 0) + (rest.get(lexeme) ?? 0);
  return [...new Set([...title.keys(), ...rest.keys()])]
    .sort((a, b) => Number(title.has(b)) - Number(title.has(a)) || hits(b) - hits(a) || (a < b ? -1 : 1))
    .slice(0, MAX_QUERY_TERMS);
}

/** A tsquery that matches any of these lexemes; an empty one, which matches nothing, for no lexemes. */
export function anyOfLexemes(lexemes: readonly string[]): string {
  return lexemes.map(quotedLexeme).join(' | ');
}

/** A lexeme as Postgres reads it in a tsvector or a tsquery. */
export function quotedLexeme(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
}

function* lexemesIn(vector: string): Generator<{ lexeme: string; positions: string[] }> {
  for (const [, quoted = '', positions = ''] of vector.matchAll(LEXEME)) {
    const lexeme = quoted.replace(/''|\\(.)/gsu, (pair, escaped: string | undefined) => escaped ?? pair.charAt(0));
    yield { lexeme, positions: positions === '' ? [] : positions.split(',') };
  }
}
