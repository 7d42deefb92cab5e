import type { DocumentSum } from './top-k-heap.js';
import { type Posted, Segment, type StandingDocuments } from './segment.js';
import { type LeadingSearch, type SearchTask, WholeSearch } from './search-task.js';
import { merged } from './segment-merge.js';
import { type SegmentQuery, SegmentSearch, type WeighedTerm } from './segment-search.js';
import { sharedBytes } from './shared-array.js';

/**
 * Changed documents are searched one by one while they are no more than this number or this share; then they are
 * merged. (policy)
 */
const MIN_CHANGED = 1_000;
const CHANGED_SHARE = 0.002;

/** A search for the best documents. */
export interface SumQuery extends SegmentQuery {
  /** Documents wanted, at least 1. */
  limit: number;
}

/**
 * Finds documents by their words, exactly. It holds a segment, and the documents that have changed since the segment
 * was made, which replace its postings of them. Sums are integers, so that they are the same as in SQL.
 * rule: docs/decisions/ranking.md#search-in-memory
 */
export class InvertedIndex {
  private readonly changed = new Map<number, Posted>();
  private kept: StandingDocuments;
  private readonly search = new SegmentSearch();
  private changedPostings = 0;

  constructor(segment: Segment = Segment.empty()) {
    this.kept = { segment, replaced: sharedBytes(segment.end) };
  }

  /** The segment and its replaced documents, which other threads may search too; the same object until a merge. */
  get standing(): StandingDocuments {
    return this.kept;
  }

  /** Bytes of postings, those of changed documents included. */
  get bytes(): number {
    const postingBytes = Uint32Array.BYTES_PER_ELEMENT + Uint8Array.BYTES_PER_ELEMENT;
    const { segment, replaced } = this.kept;
    return segment.bytes + replaced.byteLength + this.search.bytes + this.changedPostings * postingBytes;
  }

  /** Replaces the document's words with these. */
  put(document: number, posted: Posted): void {
    this.remove(document);
    if (posted.terms.length === 0) return;
    this.changed.set(document, posted);
    this.changedPostings += posted.terms.length;
    if (this.changed.size > Math.max(MIN_CHANGED, CHANGED_SHARE * this.kept.segment.end)) this.merge();
  }

  remove(document: number): void {
    const { replaced } = this.kept;
    if (document < replaced.length) replaced[document] = 1;
    this.changedPostings -= this.changed.get(document)?.terms.length ?? 0;
    this.changed.delete(document);
  }

  /** How many postings of these words a search would read, those of changed documents left out. */
  postingsOf(terms: readonly WeighedTerm[]): number {
    return terms.reduce((sum, { termId }) => sum + this.kept.segment.countOf(termId), 0);
  }

  /**
   * The documents with the greatest sums above 0, at most `limit`: the greatest first, of equal sums the lowest number.
   */
  best(query: SumQuery): DocumentSum[] {
    return this.find(query, new WholeSearch(query.limit));
  }

  /** As `best`, for the part that leads a search, while other threads may search `standing` with it. */
  find(query: SegmentQuery, part: LeadingSearch): DocumentSum[] {
    this.addChanged(part, query);
    this.search.find(this.kept, query, part);
    return part.finish();
  }

  /** The sum of each of these documents, 0 for one without any of the words. */
  sumsOf(documents: readonly number[], terms: readonly WeighedTerm[]): number[] {
    const { segment, replaced } = this.kept;
    return documents.map((document) => {
      const posted = this.changed.get(document);
      if (posted !== undefined) return sumOf(posted, terms);
      if (replaced[document] === 1) return 0;
      return terms.reduce((sum, { termId, weight }) => sum + weight * segment.weightOf(termId, document), 0);
    });
  }

  private addChanged(part: SearchTask, { terms, leading, accepts }: SegmentQuery): void {
    const wanted = new Map(terms.map(({ termId, weight }, index) => [termId, { weight, isLeading: index < leading }]));
    for (const [document, posted] of this.changed) {
      let sum = 0;
      let isLed = false;
      for (let index = 0; index < posted.terms.length; index += 1) {
        const term = wanted.get(posted.terms[index] ?? 0);
        if (term === undefined) continue;
        sum += term.weight * (posted.weights[index] ?? 0);
        isLed ||= term.isLeading;
      }
      if (isLed && sum >= part.least && accepts(document)) part.offer(document, sum);
    }
  }

  private merge(): void {
    this.kept = merged(this.kept, this.changed);
    this.changed.clear();
    this.changedPostings = 0;
  }
}

function sumOf({ terms: termIds, weights }: Posted, terms: readonly WeighedTerm[]): number {
  return terms.reduce((sum, { termId, weight }) => {
    const at = termIds.indexOf(termId);
    return at === -1 ? sum : sum + weight * (weights[at] ?? 0);
  }, 0);
}
