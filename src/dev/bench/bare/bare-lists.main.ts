import { argv } from 'node:process';
import pg from 'pg';
import type { BareLists } from '../lists/all-lists-bench.js';
import { serveBare } from './serve-bare.js';

/**
 * The baseline of every list: `node:http`, one named prepared statement on a table that has just the members of the
 * answer as columns, and `JSON.stringify`. It checks no credential, scope, limit or cursor, and writes no log.
 */
const order = JSON.parse(argv[2] ?? '') as BareLists;
const pool = new pg.Pool({ connectionString: order.databaseUrl, max: 10 });
const lists = new Map(order.lists.map((list) => [`/${list.name}`, list]));

serveBare(async (request) => {
  const list = lists.get(request.url ?? '');
  if (list === undefined) throw new Error(`There is no list ${request.url}`);
  const { name, text, rows: count, optional, around, rowsIn } = list;
  const { rows } = await pool.query<Record<string, unknown>>({ name, text, values: [0, 0, count + 1] });
  const shown = rows.slice(0, count);
  for (const row of shown) for (const member of optional) if (row[member] === null) delete row[member];
  return JSON.stringify({ ...around, [rowsIn]: shown });
});
