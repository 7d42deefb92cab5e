import type { StandingDocuments, Segment } from './segment.js';
import type { SearchTask } from './search-task.js';

/**
 * Documents whose sums are made together: as many as the fastest cache holds.
 * source: docs/decisions/ranking.md#search-in-memory
 */
const BLOCK = 32_768;
/** A look-up in a list takes as long as to read so many of its postings. measured: 16 to 128 differ by a tenth */
const LOOKUP_POSTINGS = 64;

/** One list of postings and how far it has been read. */
interface Reading {
  at: number;
  readonly end: number;
  readonly weight: number;
  /** Of a common word, what the list says by document. */
  readonly common: Uint8Array | undefined;
  /** The most that the list adds to a document, together with all lists before it. */
  readonly bound: number;
}

/** A term of a query, and what a posting's weight counts there. */
export interface WeighedTerm {
  termId: number;
  weight: number;
}

/** What a search is to find. */
export interface SegmentQuery {
  /** Words, each once, with what a posting's weight counts, at least 1. */
  terms: readonly WeighedTerm[];
  /** Only documents with one of the first so many words are looked at. */
  leading: number;
  /** Whether a document may be among the best; asked only of those that would be. */
  accepts: (document: number) => boolean;
}

/**
 * Finds the documents of the greatest sums, exactly, block by block. Lists whose words together cannot lift a document among
 * the best that are known are not read, only looked into for documents of the other lists.
 *
 * The inner loops write first and count what is kept by a comparison as 0 or 1: which way a condition goes no processor can
 * guess here, and to guess wrong costs more than the work. measured: a search takes 3.9 ms instead of 5.5
 * source: Turtle and Flood, Query Evaluation: Strategies and Optimizations (1995), "max score"
 */
export class SegmentSearch {
  private readonly sums = new Int32Array(BLOCK);
  /** Places of the block that have a sum; one more, which is written and not kept. */
  private readonly places = new Uint32Array(BLOCK + 1);

  get bytes(): number {
    return this.sums.byteLength + this.places.byteLength;
  }

  /** Looks through the blocks that are the searcher's, and offers every document that may be among the best. */
  find({ segment, replaced }: StandingDocuments, query: SegmentQuery, part: SearchTask): void {
    const { readings, followers } = readingsOf(segment, query);
    const accepts = (document: number): boolean => replaced[document] !== 1 && query.accepts(document);
    for (let from = BLOCK * part.takeBlock(); from < segment.end; from = BLOCK * part.takeBlock()) {
      const first = Math.max(followers, readings.findLastIndex(({ bound }) => bound < part.least) + 1);
      let count = 0;
      for (let index = readings.length - 1; index >= first; index -= 1) {
        const reading = readings[index];
        if (reading) count = this.readAll(segment, reading, from, count);
      }
      for (let index = first - 1; index >= 0 && count > 0; index -= 1) {
        const reading = readings[index];
        if (!reading) continue;
        count = this.dropBelow(part.least - reading.bound, count);
        this.lookUp(segment, reading, from, count);
      }
      this.offerAll(part, from, count, accepts);
    }
  }

  /** Adds what a list says of the block. @returns places with a sum. */
  private readAll(segment: Segment, reading: Reading, from: number, before: number): number {
    const { sums, places } = this;
    const { documents, weights } = segment;
    const { end, weight } = reading;
    let count = before;
    let at = segment.firstFrom(from, reading.at, end);
    const stop = segment.firstFrom(from + BLOCK, at, end);
    for (; at < stop; at += 1) {
      const place = (documents[at] ?? 0) - from;
      const sum = sums[place] ?? 0;
      places[count] = place;
      count += Number(sum === 0);
      sums[place] = sum + Math.imul(weight, weights[at] ?? 0);
    }
    reading.at = at;
    return count;
  }

  /** Forgets places with smaller sums. @returns places that are left. */
  private dropBelow(least: number, count: number): number {
    const { sums, places } = this;
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      const place = places[index] ?? 0;
      const sum = sums[place] ?? 0;
      const stays = Number(sum >= least);
      places[kept] = place;
      kept += stays;
      sums[place] = sum * stays;
    }
    return kept;
  }

  /** Adds what a list says of places that have a sum. */
  private lookUp(segment: Segment, reading: Reading, from: number, count: number): void {
    const { sums, places } = this;
    const { documents, weights } = segment;
    const { weight, common } = reading;
    if (common !== undefined) {
      for (let index = 0; index < count; index += 1) {
        const place = places[index] ?? 0;
        sums[place] = (sums[place] ?? 0) + Math.imul(weight, common[from + place] ?? 0);
      }
      return;
    }
    const start = segment.firstFrom(from, reading.at, reading.end);
    const end = segment.firstFrom(from + BLOCK, start, reading.end);
    reading.at = end;
    if (end - start <= count * LOOKUP_POSTINGS) {
      for (let at = start; at < end; at += 1) {
        const place = (documents[at] ?? 0) - from;
        const sum = sums[place] ?? 0;
        sums[place] = sum + Math.imul(weight, weights[at] ?? 0) * Number(sum > 0);
      }
      return;
    }
    for (let index = 0; index < count; index += 1) {
      const place = places[index] ?? 0;
      const at = segment.firstFrom(from + place, start, end);
      if (at < end && documents[at] === from + place)
        sums[place] = (sums[place] ?? 0) + Math.imul(weight, weights[at] ?? 0);
    }
  }

  /** Takes the best of a block, and leaves it empty. */
  private offerAll(part: SearchTask, from: number, before: number, accepts: (document: number) => boolean): void {
    const { sums, places } = this;
    const count = this.dropBelow(part.least, before);
    for (let index = 0; index < count; index += 1) {
      const place = places[index] ?? 0;
      const sum = sums[place] ?? 0;
      sums[place] = 0;
      if (sum >= part.least && accepts(from + place)) part.offer(from + place, sum);
    }
  }
}

/** Words in the order of the most that they may add, those that do not lead before all others; how many these are. */
function readingsOf(segment: Segment, { terms, leading }: SegmentQuery): { readings: Reading[]; followers: number } {
  const lists = terms.map(({ termId, weight }, index) => {
    const { start, end } = segment.rangeOf(termId);
    return {
      at: start,
      end,
      weight,
      common: segment.commonOf(termId),
      most: weight * segment.greatestOf(termId),
      leads: index < leading,
    };
  });
  lists.sort((a, b) => Number(a.leads) - Number(b.leads) || a.most - b.most);
  let bound = 0;
  const readings = lists.map(({ at, end, weight, common, most }): Reading => ({
    at,
    end,
    weight,
    common,
    bound: (bound += most),
  }));
  return { readings, followers: Math.max(0, terms.length - leading) };
}
