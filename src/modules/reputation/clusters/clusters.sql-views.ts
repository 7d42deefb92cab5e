/** Cluster of a principal: an account, or a wallet without one. A principal without a row is a cluster of its own. */
export const clusterOf = (principal: string): string =>
  `coalesce((SELECT cluster_id FROM account_clusters WHERE account_id = ${principal}), ${principal})`;

/** The principals of a cluster, as rows of one column `principal`. */
export const principalsOf = (cluster: string): string =>
  `(SELECT ${cluster} AS principal UNION SELECT account_id FROM account_clusters WHERE cluster_id = ${cluster})`;
