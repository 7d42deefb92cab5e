import type { Hex } from '#libs/kernel';
import { INDEXED_TIME } from '../../../platform/chain/indexed-time.sql.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Placeholders: account, artifact hash. */
export const FIND: PreparedStatement = {
  name: 'custody-of',
  text: 'SELECT bytes, media_type FROM artifact_custody WHERE account_id = $1 AND artifact_hash = $2',
};

/**
 * Whether a delivery needs the artifact, in SQL.
 * @param custody alias of a row of `artifact_custody`.
 */
export function isDelivered(custody: string): string {
  return `EXISTS (SELECT 1 FROM deliveries d WHERE d.artifact_hash = ${custody}.artifact_hash)`;
}

/** Number and bytes of the artifacts that an account has in custody and no delivery needs. Placeholder: account. */
export const USED = `
  SELECT count(*)::text AS items, coalesce(sum(bytes), 0)::text AS bytes FROM artifact_custody custody
  WHERE account_id = $1 AND NOT ${isDelivered('custody')}`;

/** Takes an artifact into custody. A row that exists already is kept longer, never shorter. */
export const KEEP = `
  INSERT INTO artifact_custody (account_id, artifact_hash, bytes, media_type, created_at, kept_until)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account_id, artifact_hash) DO UPDATE
  SET kept_until = greatest(artifact_custody.kept_until, EXCLUDED.kept_until)
  RETURNING kept_until`;

/** Placeholders: account, artifact hash, until when. Gives no row when the artifact is not in custody (any more). */
export const KEEP_UNTIL = `
  UPDATE artifact_custody SET kept_until = greatest(kept_until, $3)
  WHERE account_id = $1 AND artifact_hash = $2 RETURNING account_id`;

/**
 * Locks of an artifact until the transaction ends. Several transactions may bring it at once, but none while another
 * deletes it: an artifact is one object, however many accounts have it in custody.
 */
export const LOCK_TO_BRING = "SELECT pg_advisory_xact_lock_shared(hashtextextended('artifact:' || $1, 0))";
export const LOCK_TO_DELETE = "SELECT pg_advisory_xact_lock(hashtextextended('artifact:' || $1, 0))";

/** The time of custody is over, both by the clock ($1) and by the time of the newest indexed block. */
const PASSED = `kept_until <= least($1::timestamptz, ${INDEXED_TIME})`;
const DELIVERED = isDelivered('custody');
/** No delivery of the account can be in a tree whose facts are not shown yet. */
const NONE_UNSHOWN = `NOT EXISTS (
    SELECT 1 FROM unpublished_trees unshown JOIN task_parties party ON party.task_id = unshown.task_id
    WHERE party.account_id = custody.account_id)`;
/** True for custody that may be deleted: its time is over, and no delivery needs it. */
const OVER = `${PASSED} AND NOT ${DELIVERED} AND ${NONE_UNSHOWN}`;

export const DELIVERED_BATCH = 500;
/**
 * Prolongs the custody of delivered artifacts to $2, so that not every round reads all of them again. It has an end all
 * the same, because a reorganisation may undo the delivery. Placeholder: $1 now.
 */
export const KEEP_DELIVERED = `
  WITH kept AS (
    UPDATE artifact_custody SET kept_until = $2::timestamptz WHERE (account_id, artifact_hash) IN (
      SELECT account_id, artifact_hash FROM artifact_custody custody WHERE ${PASSED} AND ${DELIVERED}
      ORDER BY kept_until LIMIT ${DELIVERED_BATCH} FOR UPDATE OF custody SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::integer AS changed FROM kept`;

/** An artifact with custody that may be deleted. */
export interface OverArtifact {
  readonly hash: Hex;
  /** Since when it may. */
  readonly since: Date;
}

/** Is before every artifact. */
export const FIRST_OVER: OverArtifact = { hash: '0x', since: new Date(0) };

/**
 * Artifacts with custody that may be deleted, those first that could have been longest. Placeholders: now, how many at
 * most, `since` and hash of the artifact behind which to begin.
 */
export const OVER_HASHES = `
  SELECT artifact_hash AS hash, min(kept_until) AS since FROM artifact_custody custody WHERE ${OVER}
  GROUP BY artifact_hash HAVING (min(kept_until), artifact_hash) > ($3::timestamptz, $4)
  ORDER BY min(kept_until), artifact_hash LIMIT $2`;

/** Placeholders: now, artifact hash. */
export const DELETE_OVER = `DELETE FROM artifact_custody custody WHERE ${OVER} AND artifact_hash = $2`;

/** Which of the artifacts $1 (hashes) no account has in custody. */
export const HELD_BY_NOBODY = `
  SELECT hash FROM unnest($1::text[]) AS stored (hash)
  WHERE NOT EXISTS (SELECT FROM artifact_custody WHERE artifact_hash = stored.hash)`;

/** Placeholder: artifact hash. */
export const ANYBODY_HAS = 'SELECT 1 FROM artifact_custody WHERE artifact_hash = $1 LIMIT 1';
