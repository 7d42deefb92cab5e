/** Facts of the alias `fact` in which a wallet used or cancelled nonces. @param wallet SQL of its address. */
export const OWN_NONCES = (wallet: string): string =>
  `(fact.fact->>'type' IN ('ActionConsumed', 'NoncesInvalidated') AND fact.fact->>'signer' = ${wallet})`;

/** Facts of the alias `fact` that are payments of roots. The path of a root is one index of 24 bits. */
export const ROOT_PAYMENTS = `(fact.fact->>'type' = 'NodeFunded' AND (fact.fact->>'nodeId')::numeric < ${2 ** 24})`;
