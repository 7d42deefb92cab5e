import { type Posted, type PostingLists, Segment, type StandingDocuments, withSpare } from './segment.js';
import { sharedBytes, sharedWords } from './shared-array.js';

/** A posting of a changed document. */
interface ChangedPosting {
  document: number;
  weight: number;
}

/**
 * Merges the documents that stand and those of `changed`, none of which stands, into one segment. It takes the memory
 * of the former segment, which must not be used afterwards: shared memory is freed only when the garbage collector
 * happens to run, and nothing makes it run.
 */
export function merged(
  { segment, replaced }: StandingDocuments,
  changed: ReadonlyMap<number, Posted>,
): StandingDocuments {
  const lists = changedLists(changed);
  const { parts } = segment;
  dropReplaced(parts, replaced);
  const postings = [...lists.values()].reduce((sum, { length }) => sum + length, parts.starts.at(-1) ?? 0);
  const wider = widened(parts, {
    postings,
    terms: 1 + [...lists.keys()].reduce((most, term) => Math.max(most, term), -1),
    end: 1 + [...changed.keys()].reduce((most, document) => Math.max(most, document), -1),
  });
  insert(segment, wider, lists, postings);
  const isAsLong = replaced.length === wider.end;
  return { segment: Segment.of(wider, parts), replaced: isAsLong ? replaced.fill(0) : sharedBytes(wider.end) };
}

/** Removes the postings of replaced documents, and closes the gaps. */
function dropReplaced({ starts, documents, weights }: PostingLists, replaced: Uint8Array): void {
  let size = 0;
  let start = 0;
  for (let term = 0; term + 1 < starts.length; term += 1) {
    const stop = starts[term + 1] ?? 0;
    for (let at = start; at < stop; at += 1) {
      const document = documents[at] ?? 0;
      documents[size] = document;
      weights[size] = weights[at] ?? 0;
      size += Number(replaced[document] !== 1);
    }
    starts[term + 1] = size;
    start = stop;
  }
}

/**
 * Lists with room for the needed postings, words and documents: the same arrays where they suffice, else new empty
 * ones.
 */
function widened(
  { starts, documents, weights, end }: PostingLists,
  needed: { postings: number; terms: number; end: number },
): PostingLists {
  const hasRoom = needed.postings <= documents.length;
  return {
    starts: needed.terms < starts.length ? starts : sharedWords(withSpare(needed.terms) + 1),
    documents: hasRoom ? documents : sharedWords(withSpare(needed.postings)),
    weights: hasRoom ? weights : sharedBytes(withSpare(needed.postings)),
    end: needed.end <= end ? end : withSpare(needed.end),
  };
}

/**
 * Writes the postings of a segment, with those of `lists` inserted, to `to`, from the last to the first: where `to` is
 * the segment's own memory, no posting is overwritten before it has been read.
 * @param postings number of all these postings together.
 */
function insert(
  segment: Segment,
  to: PostingLists,
  lists: ReadonlyMap<number, readonly ChangedPosting[]>,
  postings: number,
): void {
  const { starts, documents, weights } = segment.parts;
  let stop = starts.at(-1) ?? 0;
  let free = postings;
  /** Moves the segment's postings from index `at` on that are not moved yet. */
  const move = (at: number): void => {
    free -= stop - at;
    to.documents.set(documents.subarray(at, stop), free);
    to.weights.set(weights.subarray(at, stop), free);
    stop = at;
  };
  for (let term = to.starts.length - 2; term >= 0; term -= 1) {
    const start = starts[term] ?? stop;
    to.starts[term + 1] = free;
    for (const { document, weight } of lists.get(term)?.toReversed() ?? []) {
      move(segment.firstFrom(document, start, stop));
      free -= 1;
      to.documents[free] = document;
      to.weights[free] = weight;
    }
    move(start);
  }
}

/** The postings of changed documents by word, the documents ascending. */
function changedLists(changed: ReadonlyMap<number, Posted>): Map<number, ChangedPosting[]> {
  const lists = new Map<number, ChangedPosting[]>();
  for (const [document, { terms, weights }] of [...changed].sort(([a], [b]) => a - b)) {
    for (const [index, term] of terms.entries()) {
      const list = lists.get(term);
      const posting = { document, weight: weights[index] ?? 0 };
      if (list === undefined) lists.set(term, [posting]);
      else list.push(posting);
    }
  }
  return lists;
}
