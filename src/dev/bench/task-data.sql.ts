/**
 * Statements that fill a migrated database with `count` tasks of 1,000 buyers, four in five public. Their ids are above
 * those of the sample market, and their documents look as the service renders them (task.dto.ts). The caller owns one
 * task in a thousand. All take quotes for a hundred years, because the service deletes unpaid tasks that no longer take
 * quotes.
 * @param caller id of an existing account.
 */
export function taskData(count: number, caller: string): readonly string[] {
  return [
    `INSERT INTO accounts (id, name, created_at)
      SELECT 'acct_bench_' || i, 'Buyer ' || i, now() FROM generate_series(1, 999) i`,
    `INSERT INTO tasks (id, buyer_account_id, title, brief, criteria, budget, selection_mode, tier, status,
        accept_window_seconds, delivery_window_seconds, terms_hash, buyer_wallet, arbiter_wallet, escrow_address,
        created_at, updated_at, offers_until, document)
      SELECT id, buyer, title, brief, ARRAY['Every page is translated', 'Names stay as they are'], budget, 'manual', tier,
        status, 259200, 604800, terms, '0x' || repeat('1', 40), '0x' || repeat('0', 40), escrow, created, created,
        created + interval '100 years',
        format('{"id":"%s","brief":"%s","budget":{"amount":"%s.00","currency":"USDC"},"selection_mode":"manual",'
          '"status":"%s","created_at":"%s","title":"%s","criteria":["Every page is translated","Names stay as they are"],'
          '"accept_window_seconds":259200,"delivery_window_seconds":604800,"tier":"%s","terms_hash":"%s",'
          '"escrow_address":"%s","deadline":"%s"}', id, brief, (budget / 1000000)::integer, status,
          to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), title, tier, terms, escrow,
          to_char((created + interval '100 years') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM (SELECT 'task_01z' || lpad(to_hex(i), 23, '0') AS id,
          CASE WHEN i % 1000 = 0 THEN '${caller}' ELSE 'acct_bench_' || i % 1000 END AS buyer,
          'Translate part ' || i AS title,
          'Translate part ' || i || ' of the handbook from German into English and keep the tables in their places.' AS brief,
          (10 + i % 990)::numeric * 1000000 AS budget,
          CASE WHEN i % 5 = 0 THEN 'private_curated' ELSE 'public' END AS tier,
          (ARRAY['open', 'funded', 'delivered', 'resolved'])[1 + i % 4] AS status,
          '0x' || md5('terms' || i) || md5(i || 'terms') AS terms,
          '0x' || substr(md5('escrow' || i) || md5(i || 'escrow'), 1, 40) AS escrow,
          timestamptz '2026-01-01 00:00:00Z' + i * interval '1 second' AS created
        FROM generate_series(1, ${count}) i) made`,
    `INSERT INTO task_parties (account_id, task_id, role) SELECT buyer_account_id, id, 'buyer' FROM tasks ON CONFLICT DO NOTHING`,
    'VACUUM (ANALYZE) tasks',
    'VACUUM (ANALYZE) task_parties',
  ];
}

/** Rows that the baseline of a list reads: a page, and one by which it knows of the next. */
export const BARE_ROWS = 21;

const BARE_COLUMNS = `id, brief, budget, selection_mode, status, created_at, title, criteria, accept_window_seconds,
  delivery_window_seconds, tier, selected_agent_id, terms_hash, escrow_address, offers_until`;

/** The tasks that the account $1 may see, before the id $2. */
export const BARE_TASKS = {
  name: 'bare_tasks',
  text: `SELECT DISTINCT ON (id) ${BARE_COLUMNS} FROM (
      (SELECT ${BARE_COLUMNS} FROM tasks t WHERE t.tier = 'public' AND t.status NOT IN ('draft', 'cancelled') AND t.id < $2
        ORDER BY t.id DESC LIMIT ${BARE_ROWS})
      UNION ALL (SELECT ${BARE_COLUMNS} FROM (
          SELECT DISTINCT party.task_id FROM task_parties party
          WHERE party.account_id = $1 AND party.task_id < $2 ORDER BY party.task_id DESC LIMIT ${BARE_ROWS}
        ) mine JOIN tasks t ON t.id = mine.task_id ORDER BY t.id DESC LIMIT ${BARE_ROWS})
    ) visible ORDER BY id DESC LIMIT ${BARE_ROWS}`,
};

/** Counts the tasks of `taskData`. */
export const COUNT_TASKS = `SELECT count(*)::integer AS count FROM tasks WHERE id LIKE 'task\\_01z%'`;

/** Tables of the schema; parts of one table count as that table. */
export const TABLES = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`;

/** How many rows a table has, and how many bytes they are without indexes. */
export function sizeOfTable(table: string): string {
  return `SELECT count(*)::float8 AS rows, coalesce(sum(pg_column_size(own.*)), 0)::float8 AS bytes FROM ${table} own`;
}
