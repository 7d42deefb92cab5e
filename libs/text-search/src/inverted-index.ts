import type { DocumentSum } from './top-k-heap.js';
import { type Posted, Segment, type StandingDocuments } from './segment.js';
import { type LeadingSearch, type SearchTask, WholeSearch } from './search-task.js';
import { merged } from './segment-merge.js';
import { type SegmentQuery, SegmentSearch, type WeighedTerm } from './segment-search.js';
import { sharedBytes } from './shared-array.js';

/** Changed documents that are looked through one by one before they are merged, at least, and as a share. (policy) */
const MIN_CHANGED = 1_000;
const CHANGED_SHARE = 0.002;

/** What the best documents are looked for by. */
export interface SumQuery extends SegmentQuery {
  /** Documents wanted, at least 1. */
  limit: number;
}

/**
 * Documents by their words, exact: a segment, and those that have changed since it was made, which replace what the
 * segment says of them. Sums are integers, so that they are the same as in SQL.
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

  /** What another thread looks through with this one, the same object until it is another segment. */
  get standing(): StandingDocuments {
    return this.kept;
  }

  /** Bytes of postings, those of changed documents included. */
  get bytes(): number {
    const postingBytes = Uint32Array.BYTES_PER_ELEMENT + Uint8Array.BYTES_PER_ELEMENT;
    const { segment, replaced } = this.kept;
    return segment.bytes + replaced.byteLength + this.search.bytes + this.changedPostings * postingBytes;
  }

  /** Puts these words in place of those that the document had. */
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

  /** How many postings of these words there are to look through, but for those of changed documents. */
  postingsOf(terms: readonly WeighedTerm[]): number {
    return terms.reduce((sum, { termId }) => sum + this.kept.segment.countOf(termId), 0);
  }

  /** The documents of the greatest sums above 0, the greatest first, of equal ones the lowest number. */
  best(query: SumQuery): DocumentSum[] {
    return this.find(query, new WholeSearch(query.limit));
  }

  /** The same for the part that leads a search, with which others may look through what is `standing`. */
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
