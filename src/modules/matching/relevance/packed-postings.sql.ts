/**
 * SQL for all postings of an agent, packed in the order of their words, so that sums over them do not depend on the
 * query plan. @param number SQL expression of the agent's number.
 */
export const packedPostingsSql = (number: string): string => `coalesce((
    SELECT string_agg(int4send(term_id) || substring(int2send(impact) FROM 2), '' ORDER BY term_id)
    FROM match_postings WHERE agent_number = ${number}), '')`;
