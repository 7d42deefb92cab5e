/**
 * Whether an account has an artifact in custody, in SQL.
 * @param account SQL of the account's id.
 * @param hash SQL of the artifact's hash.
 */
export const isInCustody = (account: string, hash: string): string =>
  `EXISTS (SELECT 1 FROM artifact_custody kept WHERE kept.account_id = ${account} AND kept.artifact_hash = ${hash})`;
