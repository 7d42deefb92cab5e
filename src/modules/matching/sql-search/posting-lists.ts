import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../platform/database/reads/read-connections.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import type { WeighedTerm } from '#libs/text-search';
import type { TaskTerm } from '../relevance/task-words.js';
import { arrayText, packedIntegersIn } from '../relevance/pg-array.js';
import { BRIEF_WORDS, BRIEFS_PER_WORD, POSTINGS_READ } from '../relevance/matching-limits.js';
import { ScoreAccumulator } from './score-accumulator.js';
import { AGENT_LISTS, BRIEF_LISTS, type ListRow } from './posting-lists.sql.js';

/** A word whose postings are read. */
interface PartOfList extends WeighedTerm {
  /** Most postings to read for the word. */
  postings: number;
}

/** Reads postings from the database, of the rarest or heaviest words, and sums them by document. */
@Injectable()
export class PostingLists {
  constructor(private readonly reads: SearchConnections) {}

  /** Sums the relevance of agents that have the rarest of these words. rule: docs/decisions/ranking.md#search-in-sql */
  agents(terms: readonly TaskTerm[]): Promise<ScoreAccumulator> {
    return this.sum(AGENT_LISTS, rarestLists(terms));
  }

  /** Sums the similarity of settled briefs to this brief by its heaviest words. */
  briefs(brief: readonly WeighedTerm[]): Promise<ScoreAccumulator> {
    const lists = heaviestFirst(brief).slice(0, BRIEF_WORDS);
    return this.sum(
      BRIEF_LISTS,
      lists.map((term) => ({ ...term, postings: BRIEFS_PER_WORD })),
    );
  }

  private async sum({ name, text }: PreparedStatement, lists: readonly PartOfList[]): Promise<ScoreAccumulator> {
    if (lists.length === 0) return new ScoreAccumulator(0);
    const values = [arrayText(lists.map(({ termId }) => termId)), arrayText(lists.map(({ postings }) => postings))];
    const read = (await this.reads.query<ListRow>(name, text, values)).map(({ place, documents, weights }) => ({
      documents: packedIntegersIn(documents, 4),
      weights: packedIntegersIn(weights, 2),
      factor: lists[Number(place) - 1]?.weight ?? 0,
    }));
    const sums = new ScoreAccumulator(read.reduce((postings, { documents }) => postings + documents.length, 0));
    for (const { documents, weights, factor } of read) sums.add(documents, weights, factor);
    return sums;
  }
}

/** Sorts the words of a brief for a search, the heaviest first. */
export function heaviestFirst(brief: readonly WeighedTerm[]): WeighedTerm[] {
  return brief.toSorted((a, b) => b.weight - a.weight || a.termId - b.termId);
}

/**
 * The rarest words, each with its limit of postings: whole lists until 20,000 postings are reached. Of the last word
 * only the postings with the greatest impacts are read.
 */
function rarestLists(terms: readonly TaskTerm[]): PartOfList[] {
  const lists: PartOfList[] = [];
  let room = POSTINGS_READ;
  for (const { termId, idf, df } of terms.toSorted((a, b) => a.df - b.df || a.termId - b.termId)) {
    if (room <= 0) return lists;
    // The limit is not `df`, because the list may have grown since it was counted.
    lists.push({ termId, weight: idf, postings: room });
    room -= df;
  }
  return lists;
}
