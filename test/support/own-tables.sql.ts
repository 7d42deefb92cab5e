/** Every table of the service. Partitions are left out, because their rows belong to the partitioned table. */
export const OWN_TABLES = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
  ORDER BY relname COLLATE "C"`;
