import { sharedBytes, sharedWords } from './shared-array.js';

/**
 * A word that at least one in this many documents has is also kept as a byte for each document: that takes less memory
 * than its postings, and needs no search. measured: a search takes 2.9 ms instead of 3.4
 */
const COMMON_SHARE = 4;

/** Memory that is kept free for postings, words and documents to come, as a share of what is in use. (policy) */
const SPARE_SHARE = 1 / 32;

/** Number of entries to reserve memory for, when `count` are needed now. */
export function withSpare(count: number): number {
  return count + Math.ceil(count * SPARE_SHARE);
}

/** Postings word by word, the documents of a word ascending. */
export interface PostingLists {
  /** By word, the index of its first posting; the entry after the last word is the number of postings. */
  starts: Uint32Array;
  /** Document of each posting; entries after the last posting are unused. */
  documents: Uint32Array;
  weights: Uint8Array;
  /** Above the highest document. */
  end: number;
}

/** The arrays of a segment, all of them in memory that threads can share. */
export interface SegmentParts extends PostingLists {
  /** By word, the greatest of its weights. */
  greatest: Uint8Array;
  /** By common word, its weight by document. */
  common: ReadonlyMap<number, Uint8Array>;
}

/**
 * Postings of many documents, five bytes each, which threads read together.
 * source: docs/decisions/ranking.md#search-in-memory
 */
export class Segment {
  readonly documents: Uint32Array;
  readonly weights: Uint8Array;
  /** Above the highest document. */
  readonly end: number;
  private readonly starts: Uint32Array;
  private readonly greatest: Uint8Array;
  private readonly common: ReadonlyMap<number, Uint8Array>;

  /** @param parts of a segment, also of one in another thread. */
  constructor(readonly parts: SegmentParts) {
    this.documents = parts.documents;
    this.weights = parts.weights;
    this.end = parts.end;
    this.starts = parts.starts;
    this.greatest = parts.greatest;
    this.common = parts.common;
  }

  /**
   * @param lists in memory that threads can share.
   * @param former parts of a segment that is used no more, whose memory is used again where it suffices.
   */
  static of(lists: PostingLists, former?: SegmentParts): Segment {
    const { starts, documents, weights, end } = lists;
    const terms = starts.length - 1;
    const greatest = former?.greatest.length === terms ? former.greatest : sharedBytes(terms);
    const common = new Map<number, Uint8Array>();
    for (let term = 0; term < terms; term += 1) {
      const [start, stop] = [starts[term] ?? 0, starts[term + 1] ?? 0];
      let most = 0;
      for (let at = start; at < stop; at += 1) most = Math.max(most, weights[at] ?? 0);
      greatest[term] = most;
      if (stop === start || (stop - start) * COMMON_SHARE < end) continue;
      const known = former?.common.get(term);
      const byDocument = known?.length === end ? known.fill(0) : sharedBytes(end);
      for (let at = start; at < stop; at += 1) byDocument[documents[at] ?? 0] = weights[at] ?? 0;
      common.set(term, byDocument);
    }
    return new Segment({ ...lists, greatest, common });
  }

  static empty(): Segment {
    return Segment.of({ starts: sharedWords(1), documents: sharedWords(0), weights: sharedBytes(0), end: 0 });
  }

  /** Where the postings of a word begin and end; an empty range for a word that no document has. */
  rangeOf(termId: number): { start: number; end: number } {
    if (termId >= this.terms) return { start: 0, end: 0 };
    return { start: this.starts[termId] ?? 0, end: this.starts[termId + 1] ?? 0 };
  }

  /** Weight of a word in a document, 0 where it is not. */
  weightOf(termId: number, document: number): number {
    const byDocument = this.common.get(termId);
    if (byDocument !== undefined) return byDocument[document] ?? 0;
    const { start, end } = this.rangeOf(termId);
    const at = this.firstFrom(document, start, end);
    return at < end && this.documents[at] === document ? (this.weights[at] ?? 0) : 0;
  }

  /** The weight of a common word by document; undefined for other words. */
  commonOf(termId: number): Uint8Array | undefined {
    return this.common.get(termId);
  }

  /** The greatest weight of a word, 0 for one that no document has. */
  greatestOf(termId: number): number {
    return this.greatest[termId] ?? 0;
  }

  /**
   * Index of the first posting between `start` and `end` whose document is at least this one; `end` when there is none.
   * It searches from `start`, because the posting is near it as a rule.
   */
  firstFrom(document: number, start: number, end: number): number {
    const { documents } = this;
    let low = start;
    for (let step = 1; low + step < end && (documents[low + step] ?? 0) < document; step *= 2) low += step;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((documents[middle] ?? 0) < document) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many documents have a word. */
  countOf(termId: number): number {
    const { start, end } = this.rangeOf(termId);
    return end - start;
  }

  /** Number of words that have a place; their ids begin at 0. */
  private get terms(): number {
    return this.starts.length - 1;
  }

  get bytes(): number {
    const { starts, documents, weights, greatest } = this;
    const arrays = [starts, documents, weights, greatest, ...this.common.values()];
    return arrays.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  }
}

/** The documents of a segment that nothing has replaced since it was made. */
export interface StandingDocuments {
  segment: Segment;
  /** By document, 1 for one whose postings in the segment no longer count; as long as the segment's `end`. */
  replaced: Uint8Array;
}

/** The words of one document and the weight of each, 1 to 255. */
export interface Posted {
  terms: Uint32Array;
  weights: Uint8Array;
}

/** Builds a segment from documents in ascending order, given how many of them each word has. */
export class SegmentBuilder {
  private readonly starts: Uint32Array;
  private readonly next: Uint32Array;
  private readonly documents: Uint32Array;
  private readonly weights: Uint8Array;
  private end = 0;

  /** @param counts documents by word. */
  constructor(counts: Uint32Array) {
    this.starts = sharedWords(withSpare(counts.length) + 1);
    for (let term = 0; term + 1 < this.starts.length; term += 1) {
      this.starts[term + 1] = (this.starts[term] ?? 0) + (counts[term] ?? 0);
    }
    this.next = this.starts.slice(0, -1);
    const room = withSpare(this.starts.at(-1) ?? 0);
    this.documents = sharedWords(room);
    this.weights = sharedBytes(room);
  }

  /** @throws RangeError for a document out of order, and for a word with more documents than were counted. */
  add(document: number, { terms, weights }: Posted): void {
    if (document < this.end) throw new RangeError(`Document ${document} comes after ${this.end - 1}`);
    for (let index = 0; index < terms.length; index += 1) {
      const term = terms[index] ?? 0;
      const at = this.next[term] ?? 0;
      if (at >= (this.starts[term + 1] ?? 0)) throw new RangeError(`Word ${term} has more documents than were counted`);
      this.documents[at] = document;
      this.weights[at] = weights[index] ?? 0;
      this.next[term] = at + 1;
    }
    this.end = document + 1;
  }

  /** The segment; where a word has fewer documents than were counted, the gap is closed. */
  finish(): Segment {
    const { starts, documents, weights } = this;
    let size = 0;
    for (const [term, end] of this.next.entries()) {
      const start = starts[term] ?? 0;
      starts[term] = size;
      if (start !== size) {
        documents.copyWithin(size, start, end);
        weights.copyWithin(size, start, end);
      }
      size += end - start;
    }
    starts[this.next.length] = size;
    return Segment.of({ starts, documents, weights, end: withSpare(this.end) });
  }
}
