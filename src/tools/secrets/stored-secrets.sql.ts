import type { SecretPurpose } from '../../platform/secrets/sealer.js';

/** A column whose values are sealed, and how they are read and written in batches. */
export interface SealedColumn {
  readonly purpose: SecretPurpose;
  /** What its rows are, for the person at the terminal. */
  readonly name: string;
  /** The next `$2` rows behind the key `$1` (null = from the start): `key`, `sealed` and the `binding` of the seal. */
  readonly read: string;
  /** Writes `$3` over the values that are still `$2`, of the rows with the keys `$1`; all three are lists. */
  readonly write: string;
}

/** Every column that is sealed. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  sealedColumn('oauth-signing-key', 'signing keys', 'oauth_signing_keys', 'id', 'private_sealed', 'text'),
  sealedColumn('signing-link', 'signing links', 'prepared_actions', 'id', 'signing_token_sealed', 'text'),
  sealedColumn('idempotency-body', 'stored answers', 'idempotency_records', 'scope_hash', 'body', 'bytea'),
  sealedColumn('webhook-secret', 'webhook secrets', 'webhook_endpoints', 'id', 'secret_sealed', 'text'),
  sealedColumn(
    'webhook-secret',
    'webhook secrets of before',
    'webhook_endpoints',
    'id',
    'previous_secret_sealed',
    'text',
  ),
  sealedColumn('webhook-signing-key', 'webhook keys', 'webhook_signing_keys', 'id', 'private_sealed', 'text'),
];

/**
 * Live keys whose hash was made with a previous secret: only their holders can make them independent, by using them.
 */
export const KEYS_OF_BEFORE = `SELECT count(*)::int AS count FROM api_keys
  WHERE revoked_at IS NULL AND expires_at > $1 AND pepper_version <> $2`;

/** Applications whose stored hash does not begin with `$1`; expired ones do not count. */
export const CLIENTS_OF_BEFORE = `SELECT payload ->> 'client_id' AS id FROM oauth_records
  WHERE kind = 'Client' AND payload ->> 'client_secret' IS NOT NULL
    AND NOT starts_with(payload ->> 'client_secret', $1) AND (expires_at IS NULL OR expires_at > $2)
  ORDER BY created_at, id_hash LIMIT 1000`;

function sealedColumn(
  purpose: SecretPurpose,
  name: string,
  table: string,
  key: string,
  column: string,
  type: 'text' | 'bytea',
): SealedColumn {
  const binding = type === 'bytea' ? `encode(${key}, 'hex')` : key;
  return {
    purpose,
    name,
    // An empty value means that the row's value is not written yet.
    read: `SELECT ${key} AS key, ${binding} AS binding, ${column} AS sealed FROM ${table}
      WHERE ($1::${type} IS NULL OR ${key} > $1::${type}) AND ${column} <> '' ORDER BY ${key} LIMIT $2`,
    write: `UPDATE ${table} SET ${column} = new.after
      FROM unnest($1::${type}[], $2::bytea[], $3::bytea[]) AS new (key, before, after)
      WHERE ${table}.${key} = new.key AND ${table}.${column} = new.before RETURNING 1`,
  };
}
