/** Bytes per posting: four for the word's number and one for its impact, 1 to 255. */
const BYTES = 5;

/**
 * SQL for all postings of an agent, packed in the order of their words, so that sums over them do not depend on the
 * query plan. @param number SQL expression of the agent's number.
 */
export const packedPostingsSql = (number: string): string => `coalesce((
    SELECT string_agg(int4send(term_id) || substring(int2send(impact) FROM 2), '' ORDER BY term_id)
    FROM match_postings WHERE agent_number = ${number}), '')`;

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
