import { createServer } from 'node:http';
import { argv, stdout } from 'node:process';
import pg from 'pg';
import type { BareLists } from './lists/all-lists-bench.js';

/**
 * The baseline of every list: `node:http`, one named prepared statement on a table that has just the members of the
 * answer as columns, and `JSON.stringify`. It checks no credential, scope, limit or cursor, and writes no log.
 */
const order = JSON.parse(argv[2] ?? '') as BareLists;
const pool = new pg.Pool({ connectionString: order.databaseUrl, max: 10 });
const lists = new Map(order.lists.map((list) => [`/${list.name}`, list]));

const server = createServer((request, response) => {
  const list = lists.get(request.url ?? '');
  if (list === undefined) return void response.writeHead(404).end();
  const { name, text, rows: count, optional, around, rowsIn } = list;
  pool.query<Record<string, unknown>>({ name, text, values: [0, 0, count + 1] }).then(
    ({ rows }) => {
      const shown = rows.slice(0, count);
      for (const row of shown) for (const member of optional) if (row[member] === null) delete row[member];
      const body = Buffer.from(JSON.stringify({ ...around, [rowsIn]: shown }));
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
      response.end(body);
    },
    (error: unknown) => {
      response.writeHead(500, { 'Content-Length': 0 });
      response.end();
      process.stderr.write(`${String(error)}\n`);
    },
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') stdout.write(`${JSON.stringify({ port: address.port })}\n`);
});
