import { GreatestSums } from '#libs/text-search';
import { BRIEF_WORDS, SIMILAR_BRIEFS } from '../../../modules/matching/relevance/matching-limits.js';
import {
  briefIdfOf,
  type BriefVector,
  briefVector,
  similarityOf,
  type TextCounts,
} from '../../../modules/matching/relevance/similar-briefs.js';
import { documentFrequencies } from './matching-relevance.js';
import type { LexicalRequest, LexicalSet } from './matching-postgres.js';
import type { Seeded } from '../statistics/seeded.js';

/** How much of a set's history counts as settled briefs of its tools. */
export interface HistoryDepth {
  name: string;
  /** Requests kept per tool. */
  perTool: number;
  /** Share of the tools that have any history. */
  share: number;
}

/** The whole history. */
export const ALL_HISTORY: HistoryDepth = { name: 'all, as shipped', perTool: Number.POSITIVE_INFINITY, share: 1 };

/** Which texts count for a word's rarity. */
export type RarityOver = 'agents and briefs' | 'agents alone';

/** Briefs that the tools of a set have settled, as the integer vectors of production (relevance/similar-briefs.ts). */
export class SettledBriefs {
  private readonly tools: number;
  /** For each brief, the tools that served it. */
  private readonly servedBy: number[][] = [];
  private readonly postings = new Map<string, { brief: number; weight: number }[]>();
  private readonly having = new Map<string, TextCounts>();
  private readonly all: TextCounts;

  constructor(lexical: LexicalSet, { perTool, share }: HistoryDepth, over: RarityOver, chance: Seeded) {
    const { set, history } = lexical;
    this.tools = set.tools.length;
    const numbers = set.tools.map((_, tool) => tool);
    const chosen = share === 1 ? numbers : chance.sample(numbers, Math.round(share * numbers.length));
    const kept = new Map(chosen.map((tool) => [tool, 0]));
    const briefs: LexicalRequest[] = [];
    for (const [place, request] of history.entries()) {
      const served = (set.history[place]?.wanted ?? []).filter((tool) => (kept.get(tool) ?? perTool) < perTool);
      if (served.length === 0) continue;
      for (const tool of served) kept.set(tool, (kept.get(tool) ?? 0) + 1);
      briefs.push(request);
      this.servedBy.push(served);
    }
    for (const [word, agents] of documentFrequencies(lexical)) this.having.set(word, { agents, briefs: 0 });
    const counted = over === 'agents and briefs' ? briefs : [];
    this.all = { agents: this.tools, briefs: counted.length };
    for (const { terms } of counted) {
      for (const word of terms.keys()) {
        const { agents, briefs: before } = this.countsOf(word);
        this.having.set(word, { agents, briefs: before + 1 });
      }
    }
    for (const [brief, { terms }] of briefs.entries()) {
      for (const [word, weight] of this.vectorOf(terms)) {
        const list = this.postings.get(word) ?? [];
        list.push({ brief, weight });
        this.postings.set(word, list);
      }
    }
  }

  /** Tools with at least one settled brief. */
  get experienced(): Set<number> {
    return new Set(this.servedBy.flat());
  }

  /**
   * For each tool, the similarity between the request and the most similar brief that the tool has settled. Searches as
   * the index in memory does: by the heaviest words, and only among the most similar briefs.
   */
  similarities({ terms }: LexicalRequest): Float64Array {
    const dots = new Float64Array(this.servedBy.length);
    const led = new Set<number>();
    const known = [...this.vectorOf(terms)].filter(([word]) => this.having.has(word));
    for (const [place, [word, weight]] of known.entries()) {
      for (const { brief, weight: other } of this.postings.get(word) ?? []) {
        dots[brief] = (dots[brief] ?? 0) + weight * other;
        if (place < BRIEF_WORDS) led.add(brief);
      }
    }
    const alike = new GreatestSums(SIMILAR_BRIEFS);
    for (const brief of led) alike.offer(brief, dots[brief] ?? 0);
    const best = new Float64Array(this.tools);
    for (const { document, sum } of alike.finish()) {
      const similarity = similarityOf(sum);
      for (const tool of this.servedBy[document] ?? []) best[tool] = Math.max(best[tool] ?? 0, similarity);
    }
    return best;
  }

  private vectorOf(terms: ReadonlyMap<string, number>): BriefVector {
    return briefVector(terms, (word) => briefIdfOf(this.countsOf(word), this.all));
  }

  private countsOf(word: string): TextCounts {
    return this.having.get(word) ?? { agents: 0, briefs: 0 };
  }
}
