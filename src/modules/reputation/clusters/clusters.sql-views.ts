/** Cluster of a principal: an account, or a wallet without one. A principal without a row is a cluster of its own. */
export const clusterOf = (principal: string): string =>
  `coalesce((SELECT cluster_id FROM account_clusters WHERE account_id = ${principal}), ${principal})`;

/**
 * Whether a signature or the operator assigns a wallet to another account than the one whose agents claim it. Such a claim
 * makes nobody one with the owner; otherwise naming a trusted buyer's wallet would. `shares_wallet` says the same.
 */
export const isProvedByAnother = (wallet: string, account: string): string =>
  `(EXISTS (SELECT FROM account_wallets w WHERE w.address = ${wallet} AND w.account_id <> ${account})
    OR EXISTS (SELECT FROM accounts a WHERE a.wallet_address = ${wallet} AND a.id <> ${account}))`;

/** The principals of a cluster, as rows of one column `principal`. */
export const principalsOf = (cluster: string): string =>
  `(SELECT ${cluster} AS principal UNION SELECT account_id FROM account_clusters WHERE cluster_id = ${cluster})`;
