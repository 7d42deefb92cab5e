/** Every table of the service; the rows of a partition are those of the table that it is a part of. */
export const OWN_TABLES = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
  ORDER BY relname COLLATE "C"`;
