/** How many rows the service has changed while it follows the market. */
export const COUNT_CHANGES = `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::text AS changes FROM pg_stat_user_tables
  WHERE relname LIKE 'match\\_%' OR relname LIKE '%\\_earnings'`;

/** What each statement has cost since the counts were reset. */
export const STATEMENT_COSTS = `SELECT queryid::text, left(query, 90) AS query, calls::integer,
    (shared_blks_hit + shared_blks_read + local_blks_hit + temp_blks_read + temp_blks_written)::float8 AS buffers,
    total_plan_time + total_exec_time AS ms
  FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%' AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Begins the counts of statements anew. */
export const RESET_COSTS = 'SELECT pg_stat_statements_reset()';
