/** A word by four bytes, and its impact, 1 to 255, by one. */
const BYTES = 5;

/**
 * All postings of the agent with this number, packed in the order of their words, so that a sum over them is the same to the
 * last bit whatever the plan. @param number an expression of SQL.
 */
export const packedPostingsSql = (number: string): string => `coalesce((
    SELECT string_agg(int4send(term_id) || substring(int2send(impact) FROM 2), '' ORDER BY term_id)
    FROM match_postings WHERE agent_number = ${number}), '')`;

/**
 * Relevance of an agent: the sum of idf and impact over the words that it has.
 * @param packed its postings as base64 of `packedPostingsSql`.
 * @param idfs of the words that are looked for, by number.
 */
export function relevanceIn(packed: string, idfs: ReadonlyMap<number, number>): number {
  const bytes = Buffer.from(packed, 'base64');
  let relevance = 0;
  for (let at = 0; at < bytes.length; at += BYTES) {
    relevance += (idfs.get(bytes.readUInt32BE(at)) ?? 0) * (bytes[at + BYTES - 1] ?? 0);
  }
  return relevance;
}
