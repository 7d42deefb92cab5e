/** An agent with at most this many settlements is counted anew as soon as it settles. */
const FEW = 1_000;

/** SQL condition: the agent has at most `count` settlements. Reads no more than one more of them. */
export const hasFew = (agent: string, count = FEW): string =>
  `(SELECT count(*) FROM (SELECT FROM settlements own WHERE own.agent_id = ${agent} LIMIT ${count + 1}) AS found) <= ${count}`;
