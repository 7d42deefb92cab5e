import type { WeighedTerm } from '../briefs/task-words.js';
import { BestSums, type DocumentSum } from './best-sums.js';
import { type Posted, PostingSegment } from './posting-segment.js';
import { mergedSegment } from './segment-merge.js';

/** Documents whose sums are made together: as many as the fastest cache holds. source: ranking.md §5.2 */
const BLOCK = 32_768;
/** Changed documents that are looked through one by one before they are merged, at least, and as a share. (policy) */
const MIN_CHANGED = 1_000;
const CHANGED_SHARE = 0.002;

/** What the best documents are looked for by. */
export interface SumQuery {
  /** Words, each once, with what a posting's weight counts. */
  terms: readonly WeighedTerm[];
  /** Only documents with one of the first so many words are looked at. */
  leading: number;
  /** Documents wanted, at least 1. */
  limit: number;
  /** Whether a document may be among them; asked only of those that would be. */
  accepts: (document: number) => boolean;
}

/** One list of postings and how far it has been read. */
interface Reading {
  at: number;
  end: number;
  weight: number;
}

/**
 * Documents by their words, exact: a segment that never changes, and those that have changed since, which replace what
 * the segment says of them. Sums are integers, so that they are the same as in SQL. rule: design/ranking.md §5.2
 */
export class PostingIndex {
  private readonly changed = new Map<number, Posted>();
  private replaced: Uint8Array;
  private readonly sums = new Int32Array(BLOCK);
  private changedPostings = 0;

  constructor(private segment: PostingSegment = PostingSegment.empty()) {
    this.replaced = new Uint8Array(segment.end);
  }

  /** Bytes of postings, those of changed documents included. */
  get bytes(): number {
    const postingBytes = Uint32Array.BYTES_PER_ELEMENT + Uint8Array.BYTES_PER_ELEMENT;
    return this.segment.bytes + this.replaced.byteLength + this.sums.byteLength + this.changedPostings * postingBytes;
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
    const readings = terms.map(({ termId, weight }): Reading => {
      const { start, end } = this.segment.rangeOf(termId);
      return { at: start, end, weight };
    });
    for (let from = 0; from < this.segment.end; from += BLOCK) {
      if (this.addBlock(readings, leading, from)) this.collect(best, from, accepts);
    }
    this.addChanged(best, terms, leading, accepts);
    return best.sorted();
  }

  /** Adds up one block; false when no document of it has a leading word. */
  private addBlock(readings: readonly Reading[], leading: number, from: number): boolean {
    const { documents, weights } = this.segment;
    const { sums } = this;
    const to = from + BLOCK;
    let isTouched = false;
    for (const [index, reading] of readings.entries()) {
      const { end, weight } = reading;
      const isLeading = index < leading;
      let { at } = reading;
      for (; at < end; at += 1) {
        const document = documents[at] ?? 0;
        if (document >= to) break;
        const before = sums[document - from] ?? 0;
        if (isLeading || before > 0) sums[document - from] = before + weight * (weights[at] ?? 0);
      }
      if (isLeading && at > reading.at) isTouched = true;
      reading.at = at;
    }
    return isTouched;
  }

  /** Takes the best of a block, and leaves it empty. */
  private collect(best: BestSums, from: number, accepts: (document: number) => boolean): void {
    const { sums, replaced } = this;
    let { least } = best;
    for (let place = 0; place < BLOCK; place += 1) {
      const sum = sums[place] ?? 0;
      if (sum === 0) continue;
      sums[place] = 0;
      if (sum < least || replaced[from + place] === 1 || !accepts(from + place)) continue;
      best.offer(from + place, sum);
      least = best.least;
    }
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
