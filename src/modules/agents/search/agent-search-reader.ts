import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../platform/database/reads/read-connections.js';
import type { AgentRow } from '../agent/agent.dto.js';
import { AFTER_ALL_FOUND, followStatement, SEARCH_QUERY, weighStatement, WORD_COUNTS } from './found-agents.sql.js';
import { leadingWords, searchTerms, wordsOf } from './search-terms.js';

/** Most agents with a leading word that one page examines, so that a page of a common word costs no more. */
export const LOOKED_AT = 500;
/** Most agents that are counted, over all words together, to find the rarest word. */
const COUNTED = 8_000;

/** How a search is read. The first page decides, and the cursor carries it to the later pages. */
interface SearchWay {
  /**
   * `weigh`: in the order of the rank for the whole query. `follow`: in the order of the rank for one leading word.
   * `follow-alone`: as `follow`, when the query is only that word.
   */
  kind: 'weigh' | 'follow' | 'follow-alone';
  words: readonly string[];
}

const KINDS: readonly string[] = ['weigh', 'follow', 'follow-alone'] satisfies SearchWay['kind'][];

/** One page of the agents that a search finds, in order. */
export interface FoundAgents {
  rows: readonly AgentRow[];
  /** Position of the next page; null: there is none. */
  next: readonly string[] | null;
}

type FoundRow = { [Member in keyof AgentRow]: AgentRow[Member] | null } & { rank: string; number: string };

/**
 * Finds agents by words, page by page. Every agent found must have a leading word, the rarest word that the query
 * requires, so only agents with it are examined. When at most `LOOKED_AT` agents have it, they are ordered by their
 * rank for the whole query. Otherwise they are read in the stored order of the word, at most `LOOKED_AT` per page; such
 * a page may be short without being the last.
 */
@Injectable()
export class AgentSearchReader {
  constructor(private readonly searches: SearchConnections) {}

  /**
   * @param query result of `searchQuery`.
   * @param after `next` of the previous page; null for the first page.
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
    // The next page begins after the last agent shown when more were found; otherwise after the last agent examined.
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

/** Number of agents to examine per leading word. When the word is the whole query, every agent examined is found. */
function lookedAt({ kind, words }: SearchWay, limit: number): number[] {
  if (kind === 'weigh') return [];
  return [kind === 'follow-alone' ? limit + 1 : Math.ceil(LOOKED_AT / words.length)];
}
