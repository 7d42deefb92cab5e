import type { WeighedTerm } from '../briefs/task-words.js';
import { BestSums, type DocumentSum } from './best-sums.js';
import { type Posted, PostingSegment } from './posting-segment.js';
import { mergedSegment } from './segment-merge.js';
import { type SegmentQuery, SegmentSearch } from './segment-search.js';

/** Changed documents that are looked through one by one before they are merged, at least, and as a share. (policy) */
const MIN_CHANGED = 1_000;
const CHANGED_SHARE = 0.002;

/** What the best documents are looked for by. */
export interface SumQuery extends SegmentQuery {
  /** Documents wanted, at least 1. */
  limit: number;
}

/**
 * Documents by their words, exact: a segment that never changes, and those that have changed since, which replace what
 * the segment says of them. Sums are integers, so that they are the same as in SQL. rule: design/ranking.md §5.2
 */
export class PostingIndex {
  private readonly changed = new Map<number, Posted>();
  private replaced: Uint8Array;
  private readonly search = new SegmentSearch();
  private changedPostings = 0;

  constructor(private segment: PostingSegment = PostingSegment.empty()) {
    this.replaced = new Uint8Array(segment.end);
  }

  /** Bytes of postings, those of changed documents included. */
  get bytes(): number {
    const postingBytes = Uint32Array.BYTES_PER_ELEMENT + Uint8Array.BYTES_PER_ELEMENT;
    return this.segment.bytes + this.replaced.byteLength + this.search.bytes + this.changedPostings * postingBytes;
  }

  /** Puts these words in place of those that the document had. */
  put(document: number, posted: Posted): void {
    this.remove(document);
    if (posted.terms.length === 0) return;
    this.changed.set(document, posted);
    this.changedPostings += posted.terms.length;
    if (this.changed.size > Math.max(MIN_CHANGED, CHANGED_SHARE * this.segment.end)) this.merge();
  }

  remove(document: number): void {
    if (document < this.replaced.length) this.replaced[document] = 1;
    this.changedPostings -= this.changed.get(document)?.terms.length ?? 0;
    this.changed.delete(document);
  }

  /** The documents of the greatest sums above 0, the greatest first, of equal ones the lowest number. */
  best({ terms, leading, limit, accepts }: SumQuery): DocumentSum[] {
    const best = new BestSums(limit);
    this.addChanged(best, terms, leading, accepts);
    const isUnchanged = (document: number): boolean => this.replaced[document] !== 1 && accepts(document);
    this.search.find(this.segment, { terms, leading, accepts: isUnchanged }, best);
    return best.sorted();
  }

  /** The sum of each of these documents, 0 for one without any of the words. */
  sumsOf(documents: readonly number[], terms: readonly WeighedTerm[]): number[] {
    return documents.map((document) => {
      const posted = this.changed.get(document);
      if (posted !== undefined) return sumOf(posted, terms);
      if (this.replaced[document] === 1) return 0;
      return terms.reduce((sum, { termId, weight }) => sum + weight * this.segment.weightOf(termId, document), 0);
    });
  }

  private addChanged(
    best: BestSums,
    terms: readonly WeighedTerm[],
    leading: number,
    accepts: (document: number) => boolean,
  ): void {
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
      if (isLed && sum >= best.least && accepts(document)) best.offer(document, sum);
    }
  }

  private merge(): void {
    this.segment = mergedSegment(this.segment, this.replaced, this.changed);
    this.replaced = new Uint8Array(this.segment.end);
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
