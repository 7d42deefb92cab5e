/** Bytes per posting: four for the word's number and one for its impact, 1 to 255. */
const BYTES = 5;

/**
 * Relevance of an agent: the sum of idf and impact over the words that it has.
 * @param packed result of `packedPostingsSql` as base64.
 * @param idfs idf of each searched word, by the word's number.
 */
export function relevanceIn(packed: string, idfs: ReadonlyMap<number, number>): number {
  const bytes = Buffer.from(packed, 'base64');
  let relevance = 0;
  for (let at = 0; at < bytes.length; at += BYTES) {
    relevance += (idfs.get(bytes.readUInt32BE(at)) ?? 0) * (bytes[at + BYTES - 1] ?? 0);
  }
  return relevance;
}
