import type { StandingDocuments, Segment } from './segment.js';
import type { SearchTask } from './search-task.js';

/**
 * Documents of a block, whose sums are computed together: as many as the fastest cache holds.
 * source: docs/decisions/ranking.md#search-in-memory
 */
const BLOCK = 32_768;
/**
 * A look-up in a list takes as long as reading this many of its postings. measured: values from 16 to 128 differ by a
 * tenth
 */
const LOOKUP_POSTINGS = 64;

/** One list of postings and how far it has been read. */
interface Reading {
  at: number;
  readonly end: number;
  readonly weight: number;
  /** The weight by document, where the word is a common one. */
  readonly common: Uint8Array | undefined;
  /** The most that the list adds to a document, together with all lists before it. */
  readonly bound: number;
}

/** A term of a query, and the factor by which a posting's weight counts there. */
export interface WeighedTerm {
  termId: number;
  weight: number;
}

/** A search by words. */
export interface SegmentQuery {
  /** Each word once, with an integer factor of at least 1 for the weights of its postings. */
  terms: readonly WeighedTerm[];
  /** Only documents that have at least one of the first `leading` words can be found. */
  leading: number;
  /** Whether a document may be in the result; called only for documents whose sums are great enough. */
  accepts: (document: number) => boolean;
}

/**
 * Finds exactly the documents with the greatest sums, block by block. Lists whose words together cannot lift a document
 * among the best known ones are not read: they are only looked up for documents of the other lists.
 *
 * The inner loops write first, and then add a comparison as 0 or 1 to the count of what is kept: no processor can
 * predict a branch here, and a wrong prediction costs more than the work.
 * measured: a search takes 3.9 ms instead of 5.5
 * source: Turtle and Flood, Query Evaluation: Strategies and Optimizations (1995), "max score"
 */
export class SegmentSearch {
  private readonly sums = new Int32Array(BLOCK);
  /** Places of the block that have a sum; the one extra entry is written and not kept. */
  private readonly places = new Uint32Array(BLOCK + 1);

  get bytes(): number {
    return this.sums.byteLength + this.places.byteLength;
  }

  /** Searches the blocks that `part` takes, and offers it every document that may be among the best. */
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

  /** Adds a list's weights in the block to the sums. @returns the number of places with a sum. */
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

  /** Drops places whose sum is below `least`. @returns the number of places left. */
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

  /** Adds a list's weights to places that have a sum already. */
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

  /** Offers the block's documents that may be among the best, and resets its sums. */
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

/**
 * The words that do not lead, then those that lead, each in the order of the most that they can add to a sum.
 * `followers` counts those that do not lead.
 */
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
