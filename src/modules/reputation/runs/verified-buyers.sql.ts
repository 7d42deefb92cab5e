/** One verified buyer, as the operator sees it. */
export interface VerifiedBuyer {
  accountId: string;
  accountName: string;
  verifiedAt: Date;
  note: string;
  /** Null while no run has found payments of this buyer; then trust cannot start from it. */
  independence: number | null;
}

/** All verified buyers with the independence of their clusters, in the order of their verification. */
export const VERIFIED_BUYERS = `SELECT verified.account_id AS "accountId", account.name AS "accountName", verified.verified_at AS "verifiedAt",
    verified.note, known.independence
  FROM verified_buyers verified
  JOIN accounts account ON account.id = verified.account_id
  LEFT JOIN account_clusters cluster ON cluster.account_id = verified.account_id
  LEFT JOIN buyer_independence known ON known.cluster_id = coalesce(cluster.cluster_id, verified.account_id)
  ORDER BY verified.verified_at, verified.account_id`;
