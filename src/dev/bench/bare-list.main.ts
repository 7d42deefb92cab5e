import { createServer } from 'node:http';
import { argv, stdout } from 'node:process';
import pg from 'pg';
import { BARE_ROWS, BARE_TASKS } from './task-data.sql.js';

/**
 * The baseline of `GET /v1/tasks`: `node:http` and one named prepared statement that reads the same rows. It checks no
 * credential, scope, limit or cursor, and writes no log.
 */
const [databaseUrl, accountId] = argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

interface Row {
  id: string;
  brief: string;
  budget: string;
  selection_mode: string;
  status: string;
  created_at: Date;
  title: string | null;
  criteria: string[];
  accept_window_seconds: number;
  delivery_window_seconds: number;
  tier: string;
  selected_agent_id: string | null;
  terms_hash: string;
  escrow_address: string;
  offers_until: Date;
}

function wire(row: Row): object {
  const cents = row.budget.padStart(7, '0');
  const { budget: _, title, selected_agent_id: selected, offers_until: deadline, ...rest } = row;
  return {
    ...rest,
    deadline,
    ...(title === null ? {} : { title }),
    ...(selected === null ? {} : { selected_agent_id: selected }),
    budget: { amount: `${cents.slice(0, -6)}.${cents.slice(-6, -4)}`, currency: 'USDC' },
  };
}

const server = createServer((_request, response) => {
  pool.query<Row>({ ...BARE_TASKS, values: [accountId, `task_${'z'.repeat(27)}`] }).then(
    ({ rows }) => {
      const page = rows.slice(0, BARE_ROWS - 1);
      const body = Buffer.from(
        JSON.stringify({ data: page.map(wire), next_page: rows.length === BARE_ROWS ? page.at(-1)?.id : null }),
      );
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
