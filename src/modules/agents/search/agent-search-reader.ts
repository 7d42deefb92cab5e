import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../platform/database/reads/read-connections.js';
import type { AgentRow } from '../agent/agent.dto.js';
import { AFTER_ALL_FOUND, followStatement, SEARCH_QUERY, weighStatement, WORD_COUNTS } from './found-agents.sql.js';
import { leadingWords, searchTerms, wordsOf } from './search-terms.js';

/** Agents who have a leading word that one page looks at, at most: it costs the same however many have it. */
export const LOOKED_AT = 500;
/** Agents that are counted to tell which word is the rarest, of all words together. */
const COUNTED = 8_000;

/** How the pages of one search are read; all of them as the first. */
interface SearchWay {
  /** `weigh`: by the rank for the whole query. `follow`: by that for one of the leading words. */
  kind: 'weigh' | 'follow' | 'follow-alone';
  words: readonly string[];
}

const KINDS: readonly string[] = ['weigh', 'follow', 'follow-alone'] satisfies SearchWay['kind'][];

/** Agents that a search has found, in their order. */
export interface FoundAgents {
  rows: readonly AgentRow[];
  /** Where the next page begins; null: nobody is left. */
  next: readonly string[] | null;
}

type FoundRow = { [Member in keyof AgentRow]: AgentRow[Member] | null } & { rank: string; number: string };

/**
 * Finds agents by words, page by page. The rarest of the words that all who are found must have leads: those who have it
 * are looked at. Up to `LOOKED_AT` of them are ordered by their rank for the whole query. More are followed in the order
 * of the word, which is kept, and so many are looked at for a page; it may then be short and yet not the last.
 */
@Injectable()
export class AgentSearchReader {
  constructor(private readonly searches: SearchConnections) {}

  /**
   * @param query as `searchQuery` gives it.
   * @param after `next` of the page before; null for the first.
   */
  async read(query: string, now: Date, limit: number, after: readonly string[] | null): Promise<FoundAgents> {
    const way = after === null ? await this.wayOf(query) : wayIn(after);
    if (way === null) return { rows: [], next: null };
    const position = after === null ? AFTER_ALL_FOUND : after.slice(0, 2);
    const { name, text } = way.kind === 'weigh' ? weighStatement(limit + 1) : followStatement(limit + 1);
    const values = [now.toISOString(), query, way.words, ...position];
    const rows = await this.searches.query<FoundRow>(name, text, [...values, ...lookedAt(way, limit)]);
    const found = rows.filter((row) => row.id !== null);
    const shown = found.slice(0, limit);
    // Behind the last one shown while others were found; else behind all that were looked at, found or not.
    const last = found.length > limit ? shown.at(-1) : rows.find((row) => row.id === null);
    return {
      rows: shown as unknown as AgentRow[],
      next: last ? [last.rank, last.number, way.kind, ...way.words] : null,
    };
  }

  private async wayOf(query: string): Promise<SearchWay | null> {
    const [row] = await this.searches.query<{ query: string }>(SEARCH_QUERY.name, SEARCH_QUERY.text, [query]);
    const terms = searchTerms(row?.query ?? '');
    if (terms === null) return null;
    if (terms.kind === 'word') return { kind: 'follow-alone', words: [terms.word] };
    const words = wordsOf(terms);
    if (words.length === 0) return null;
    const most = Math.ceil(COUNTED / words.length);
    const rows = await this.searches.query<{ word: string; agents: string }>(WORD_COUNTS.name, WORD_COUNTS.text, [
      words,
      most,
    ]);
    const counts = new Map(rows.map(({ word, agents }) => [word, Number(agents)]));
    const leading = leadingWords(terms, (word) => counts.get(word) ?? 0);
    if (leading === null) return null;
    const isFew = leading.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0) <= LOOKED_AT;
    const areAllCounted = leading.every((word) => (counts.get(word) ?? 0) < most);
    return { kind: isFew && areAllCounted ? 'weigh' : 'follow', words: leading };
  }
}

function wayIn([, , kind = '', ...words]: readonly string[]): SearchWay | null {
  return KINDS.includes(kind) ? { kind: kind as SearchWay['kind'], words } : null;
}

/** Agents of each leading word's list that are looked at. Those of a word that is the whole query are all found. */
function lookedAt({ kind, words }: SearchWay, limit: number): number[] {
  if (kind === 'weigh') return [];
  return [kind === 'follow-alone' ? limit + 1 : Math.ceil(LOOKED_AT / words.length)];
}
