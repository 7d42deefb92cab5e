import { argv } from 'node:process';
import pg from 'pg';
import { serveBare } from './serve-bare.js';
import { BARE_ROWS, BARE_TASKS } from '../task-data.sql.js';

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

serveBare(async () => {
  const { rows } = await pool.query<Row>({ ...BARE_TASKS, values: [accountId, `task_${'z'.repeat(27)}`] });
  const page = rows.slice(0, BARE_ROWS - 1);
  return JSON.stringify({ data: page.map(wire), next_page: rows.length === BARE_ROWS ? page.at(-1)?.id : null });
});
