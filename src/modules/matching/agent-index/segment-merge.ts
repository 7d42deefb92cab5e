import { type Posted, PostingSegment } from './posting-segment.js';

/** A posting of a changed document. */
interface ChangedPosting {
  document: number;
  weight: number;
}

/** A segment without the documents that `replaced` marks (1), and with those of `changed`, none of which it has unmarked. */
export function mergedSegment(
  segment: PostingSegment,
  replaced: Uint8Array,
  changed: ReadonlyMap<number, Posted>,
): PostingSegment {
  const lists = changedLists(changed);
  const terms = [...lists.keys()].reduce((most, term) => Math.max(most, term + 1), segment.terms);
  const end = [...changed.keys()].reduce((most, document) => Math.max(most, document + 1), segment.end);
  const postings = [...lists.values()].reduce((sum, { length }) => sum + length, segment.documents.length);
  const starts = new Uint32Array(terms + 1);
  const documents = new Uint32Array(postings);
  const weights = new Uint8Array(postings);
  let size = 0;
  const append = (document: number, weight: number): void => {
    documents[size] = document;
    weights[size] = weight;
    size += 1;
  };
  for (let term = 0; term < terms; term += 1) {
    const added = lists.get(term) ?? [];
    const { start, end: stop } = segment.rangeOf(term);
    let next = 0;
    for (let at = start; at < stop; at += 1) {
      const document = segment.documents[at] ?? 0;
      if (replaced[document] === 1) continue;
      for (let one = added[next]; one !== undefined && one.document < document; one = added[++next]) {
        append(one.document, one.weight);
      }
      append(document, segment.weights[at] ?? 0);
    }
    for (const { document, weight } of added.slice(next)) append(document, weight);
    starts[term + 1] = size;
  }
  return new PostingSegment(starts, documents.slice(0, size), weights.slice(0, size), end);
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
