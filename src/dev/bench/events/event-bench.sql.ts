/** $1: so many accounts `acct_bench1`, `acct_bench2`, … */
export const INSERT_READERS = `INSERT INTO accounts (id, name, created_at)
  SELECT 'acct_bench' || n, 'Reader ' || n, now() FROM generate_series(1, $1::integer) n`;

/** Grants `bench1`, `bench2`, … up to $1, spread over the first $2 accounts. */
export const INSERT_GRANTS = `INSERT INTO oauth_grants
    (id, account_id, client_id, client_name, scopes, created_at, expires_at)
  SELECT 'bench' || n, 'acct_bench' || 1 + (n - 1) % $2::integer, 'bench', 'Bench', ARRAY['read'], now(),
    now() + interval '1 day'
  FROM generate_series(1, $1::integer) n`;

/** The library's records of these grants. */
export const INSERT_GRANT_RECORDS = `INSERT INTO oauth_records (kind, id_hash, payload, grant_id, created_at, expires_at)
  SELECT 'Grant', sha256(convert_to(id, 'UTF8')), '{}', id, now(), expires_at FROM oauth_grants WHERE client_id = 'bench'`;

/** One token of each, as `benchToken` names it; $1 address of the service. */
export const INSERT_TOKENS = `INSERT INTO oauth_records (kind, id_hash, payload, grant_id, created_at, expires_at)
  SELECT 'AccessToken', sha256(convert_to(rpad(id || '-', 43, 'x'), 'UTF8')),
    jsonb_build_object('accountId', account_id, 'clientId', client_id, 'grantId', id, 'aud', $1::text, 'scope', 'read',
      'exp', floor(extract(epoch FROM expires_at))),
    id, now(), expires_at
  FROM oauth_grants WHERE client_id = 'bench'`;

/** The token of the grant with this number, from 1 on. */
export function benchToken(grant: number): string {
  return `bench${grant}-`.padEnd(43, 'x');
}

/** $1 id, $2 account or `public`, $3 document. */
export const RECORD_EVENT = `INSERT INTO event_outbox (event_id, type, audience, document)
  VALUES ($1, 'agent.updated', ARRAY[$2], $3)`;

/** The same told by a bare notification: $1 id, $2 account or `public`, $3 document. */
export const NOTIFY_EVENT = `SELECT pg_notify('bench_events', $1 || ' ' || $2 || ' ' || $3)`;

/** Ids of the events behind $1. */
export const IDS_BEHIND = 'SELECT id, sequence FROM events WHERE sequence > $1::bigint ORDER BY sequence';

/** Writes the first $1 readers anew. */
export const RENAME_READERS = `UPDATE accounts SET name = name
  WHERE id = ANY (ARRAY(SELECT 'acct_bench' || n FROM generate_series(1, $1::integer) n))`;

/** Takes what was recorded as the sequencer and the vacuum behind it do, so that the pages are used again. */
export const TAKE_RECORDED = [
  'DELETE FROM event_outbox',
  'DELETE FROM chain_events',
  'VACUUM (TRUNCATE off) event_outbox, chain_events',
] as const;
