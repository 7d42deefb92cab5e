import type { MigrationInterface, QueryRunner } from 'typeorm';
import { follow, REFRESH as FIRST_REFRESH, WHOLE as FIRST_WHOLE } from './1700000000033-earnings-sums.js';
import { money, QUOTES as FIRST_QUOTES, renderFunction, text } from './1700000000062-list-documents.js';
import { NOTED_STATE as FIRST_NOTED_STATE } from './1700000000081-node-clocks.js';

const SIDES = ['worker', 'hirer'];
/** Of a node's path. Bytes are compared, so that a node comes before those below it. */
const PATH = 'text COLLATE "C"';

/** The constants of these names in node-clocks.sql.ts when this migration was written. */
const LAPSED_STATE = `CASE state WHEN 'delivered' THEN 'released' WHEN 'rejected' THEN 'refunded'
    WHEN 'disputed' THEN CASE WHEN floor > 0 THEN 'released' ELSE 'refunded' END ELSE state END`;
const NOTED_STATE = `CASE WHEN lapsed_clock = clock THEN ${LAPSED_STATE} ELSE state END`;

/** The same as `RETURNED` of node-ancestors.sql.ts when this migration was written. */
const RETURNED = `below.pool - CASE below.state WHEN 'disputed' THEN below.floor ELSE 0 END`;

const notedStateIndexes = (noted: string, place: string): string[] =>
  SIDES.flatMap((side) => [
    `DROP INDEX escrow_nodes_${side}_noted_state_idx`,
    `CREATE INDEX escrow_nodes_${side}_noted_state_idx ON escrow_nodes (${side}_agent_id, (${noted}), task_id, ${place})`,
  ]);

/** As in the migration that made it, but that the floor and what was withdrawn are columns of the node. */
const REFRESH = `CREATE OR REPLACE FUNCTION refresh_node_earnings(ids text[], moment timestamptz) RETURNS void
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    accounts text[];
  BEGIN
    accounts := ARRAY(
      SELECT account_id FROM node_earnings WHERE node_id = ANY(ids)
      UNION SELECT worker_account_id FROM escrow_nodes WHERE id = ANY(ids) AND worker_account_id IS NOT NULL
      ORDER BY 1);
    IF cardinality(accounts) = 0 THEN RETURN; END IF;
    INSERT INTO account_earnings (account_id) SELECT unnest(accounts) ON CONFLICT DO NOTHING;
    PERFORM FROM account_earnings WHERE account_id = ANY(accounts) ORDER BY account_id FOR UPDATE;
    WITH page AS MATERIALIZED (
      SELECT id, task_id, path, parent_node_id, worker_account_id AS account_id, hirer_funded, state, clock,
        pool, allocated, floor, withdrawn
      FROM escrow_nodes WHERE id = ANY(ids) AND worker_account_id IS NOT NULL
    ), worth AS (
      SELECT id, task_id, path, account_id, lost, won,
        CASE WHEN state = 'disputed' AND clock < moment THEN floor ELSE pool END - allocated
          + returned AS share,
        withdrawn AS paid,
        CASE WHEN NOT lost AND NOT won AND state <> 'released' THEN clock END AS clock,
        CASE WHEN NOT lost THEN least(fates.next_at, below.next_at) END AS next_at
      FROM page
      CROSS JOIN LATERAL (
        WITH RECURSIVE line AS (
          SELECT page.parent_node_id, page.hirer_funded, page.state, page.clock, page.floor
          UNION ALL
          SELECT up.parent_node_id, up.hirer_funded, up.state, up.clock, up.floor
          FROM line JOIN escrow_nodes up ON up.id = line.parent_node_id WHERE NOT line.hirer_funded
        )
        SELECT bool_or(state = 'refunded' OR (clock < moment AND ${LAPSED_STATE} = 'refunded')) AS lost,
          bool_and(state = 'released' OR (clock < moment AND ${LAPSED_STATE} = 'released')) AS won,
          min(clock) FILTER (WHERE state IN ('delivered', 'rejected', 'disputed') AND clock >= moment) AS next_at
        FROM line
      ) AS fates
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(${RETURNED}) FILTER (WHERE below.clock < moment), 0) AS returned,
          min(below.clock) FILTER (WHERE below.clock >= moment) AS next_at
        FROM escrow_nodes below
        WHERE page.allocated > 0 AND below.parent_node_id = page.id AND NOT below.hirer_funded
          AND below.state IN ('rejected', 'disputed')
      ) AS below
    ), made AS MATERIALIZED (
      SELECT id AS node_id, task_id, path, account_id, CASE WHEN lost OR won THEN 0 ELSE share END AS pending,
        CASE WHEN won THEN share ELSE 0 END AS claimable, paid, clock, next_at
      FROM worth
    ), known AS MATERIALIZED (
      SELECT account_id, task_id, pending, claimable, paid FROM node_earnings WHERE node_id = ANY(ids)
    ), gone AS (
      DELETE FROM node_earnings WHERE node_id = ANY(ids) AND node_id NOT IN (SELECT node_id FROM made)
    ), put AS (
      INSERT INTO node_earnings AS kept (node_id, task_id, path, account_id, pending, claimable, paid, clock, next_at)
      SELECT node_id, task_id, path, account_id, pending, claimable, paid, clock, next_at FROM made
      ON CONFLICT (node_id) DO UPDATE SET task_id = excluded.task_id, path = excluded.path,
        account_id = excluded.account_id, pending = excluded.pending, claimable = excluded.claimable,
        paid = excluded.paid, clock = excluded.clock, next_at = excluded.next_at
      WHERE (kept.*) IS DISTINCT FROM (excluded.*)
    ), moved AS MATERIALIZED (
      SELECT account_id, task_id, sum(pending) AS pending, sum(claimable) AS claimable, sum(paid) AS paid FROM (
        SELECT account_id, task_id, pending, claimable, paid FROM made
        UNION ALL SELECT account_id, task_id, -pending, -claimable, -paid FROM known
      ) AS change
      GROUP BY account_id, task_id
    ), by_task AS (
      INSERT INTO task_earnings AS kept (account_id, task_id, pending, claimable)
      SELECT account_id, task_id, pending, claimable FROM moved WHERE pending <> 0 OR claimable <> 0
      ON CONFLICT (account_id, task_id) DO UPDATE
        SET pending = kept.pending + excluded.pending, claimable = kept.claimable + excluded.claimable
    )
    UPDATE account_earnings kept
      SET pending = kept.pending + total.pending, claimable = kept.claimable + total.claimable, paid = kept.paid + total.paid
      FROM (SELECT account_id, sum(pending) AS pending, sum(claimable) AS claimable, sum(paid) AS paid
        FROM moved GROUP BY account_id) AS total
      WHERE kept.account_id = total.account_id AND (total.pending <> 0 OR total.claimable <> 0 OR total.paid <> 0);
    DELETE FROM task_earnings WHERE account_id = ANY(accounts) AND pending = 0 AND claimable = 0;
  END $$`;

const WHOLE = `ROW(task_id, path, parent_node_id, worker_account_id, hirer_funded, state, clock, pool, allocated, floor,
            withdrawn)::text`;

/** `deadline` is the latest that it can be: the time for the work runs from the payment. */
const quoteDocument = (row: string): string => `concat('{"id":"', ${row}.id, '","task_id":"', ${row}.task_id,
    '","agent_id":"', ${row}.agent_id, '","price":', ${money(`${row}.price`)}, ',"floor":', ${money(`${row}.floor`)},
    ',"deadline":"', ${text(`(${row}.valid_until + ${row}.work_seconds * interval '1 second')`)},
    '","work_seconds":', ${row}.work_seconds, ',"max_revisions":', ${row}.max_revisions,
    ',"status":"', ${row}.status, '","valid_until":"', ${text(`${row}.valid_until`)},
    '","parent_node_id":"node_' || substr(${row}.task_id, 6) || '_' || substring(${row}.node_path FROM '^(.+)-'),
    '","terms_hash":"', ${row}.terms_hash, '"}')`;

const UP: readonly string[] = [
  `ALTER TABLE escrow_nodes ALTER COLUMN number TYPE ${PATH}`,
  'ALTER TABLE escrow_nodes RENAME COLUMN number TO path',
  'ALTER INDEX escrow_nodes_task_id_number_key RENAME TO escrow_nodes_task_id_path_key',
  `ALTER TABLE escrow_nodes
     ADD COLUMN floor numeric(78, 0) NOT NULL,
     ADD COLUMN version integer NOT NULL,
     ADD COLUMN revisions integer NOT NULL,
     ADD COLUMN max_revisions integer NOT NULL,
     ADD COLUMN pay_out boolean NOT NULL,
     ADD COLUMN withdrawn numeric(78, 0) NOT NULL`,
  ...notedStateIndexes(NOTED_STATE, 'path'),

  `ALTER TABLE quotes ALTER COLUMN node_number TYPE ${PATH}`,
  'ALTER TABLE quotes RENAME COLUMN node_number TO node_path',
  'ALTER INDEX quotes_task_id_node_number_key RENAME TO quotes_task_id_node_path_key',
  `ALTER TABLE quotes
     DROP COLUMN parent_node_number,
     DROP COLUMN deadline,
     ADD COLUMN floor numeric(78, 0) NOT NULL,
     ADD COLUMN work_seconds integer NOT NULL,
     ADD COLUMN max_revisions integer NOT NULL`,
  renderFunction('quotes', quoteDocument),

  `ALTER TABLE tasks
     ALTER COLUMN selection_node_number TYPE ${PATH},
     ALTER COLUMN funding_node_number TYPE ${PATH},
     ALTER COLUMN funded_roots DROP DEFAULT,
     ALTER COLUMN funded_roots TYPE text[],
     ALTER COLUMN funded_roots SET DEFAULT '{}',
     DROP COLUMN opened_roots,
     DROP COLUMN chain_until`,
  'ALTER TABLE tasks RENAME COLUMN selection_node_number TO selection_node_path',
  'ALTER TABLE tasks RENAME COLUMN funding_node_number TO funding_node_path',

  `ALTER TABLE payouts ALTER COLUMN node_number TYPE ${PATH}`,
  'ALTER TABLE payouts RENAME COLUMN node_number TO node_path',

  `ALTER TABLE node_earnings ALTER COLUMN number TYPE ${PATH}`,
  'ALTER TABLE node_earnings RENAME COLUMN number TO path',
  'DROP INDEX chain_facts_node_settled_idx',
  REFRESH,
  follow(WHOLE),

  // Several signed actions about one node share its nonce; at most one of them can run.
  'DROP INDEX prepared_actions_escrow_wallet_nonce_key',
  'DROP INDEX prepared_actions_sent_idx',
];

const DOWN: readonly string[] = [
  `CREATE INDEX prepared_actions_sent_idx ON prepared_actions (escrow_address, wallet_address, nonce)
         WHERE transaction_hash IS NOT NULL`,
  'CREATE UNIQUE INDEX prepared_actions_escrow_wallet_nonce_key ON prepared_actions (escrow_address, wallet_address, nonce)',

  follow(FIRST_WHOLE),
  FIRST_REFRESH,
  `CREATE INDEX chain_facts_node_settled_idx ON chain_facts (task_id, ((fact->>'nodeId')::integer))
     WHERE fact->>'type' = 'NodeSettled'`,
  'ALTER TABLE node_earnings RENAME COLUMN path TO number',
  'ALTER TABLE node_earnings ALTER COLUMN number TYPE integer USING number::integer',

  'ALTER TABLE payouts RENAME COLUMN node_path TO node_number',
  'ALTER TABLE payouts ALTER COLUMN node_number TYPE integer USING node_number::integer',

  'ALTER TABLE tasks RENAME COLUMN funding_node_path TO funding_node_number',
  'ALTER TABLE tasks RENAME COLUMN selection_node_path TO selection_node_number',
  `ALTER TABLE tasks
     ADD COLUMN chain_until timestamptz(3),
     ADD COLUMN opened_roots integer[] NOT NULL DEFAULT '{}',
     ALTER COLUMN funded_roots DROP DEFAULT,
     ALTER COLUMN funded_roots TYPE integer[] USING funded_roots::integer[],
     ALTER COLUMN funded_roots SET DEFAULT '{}',
     ALTER COLUMN funding_node_number TYPE integer USING funding_node_number::integer,
     ALTER COLUMN selection_node_number TYPE integer USING selection_node_number::integer`,

  renderFunction('quotes', FIRST_QUOTES.document),
  `ALTER TABLE quotes
     DROP COLUMN max_revisions,
     DROP COLUMN work_seconds,
     DROP COLUMN floor,
     ADD COLUMN deadline timestamptz(3) NOT NULL,
     ADD COLUMN parent_node_number integer NOT NULL`,
  'ALTER INDEX quotes_task_id_node_path_key RENAME TO quotes_task_id_node_number_key',
  'ALTER TABLE quotes RENAME COLUMN node_path TO node_number',
  'ALTER TABLE quotes ALTER COLUMN node_number TYPE integer USING node_number::integer',

  ...notedStateIndexes(FIRST_NOTED_STATE, 'path'),
  `ALTER TABLE escrow_nodes DROP COLUMN withdrawn, DROP COLUMN pay_out, DROP COLUMN max_revisions, DROP COLUMN revisions,
     DROP COLUMN version, DROP COLUMN floor`,
  'ALTER INDEX escrow_nodes_task_id_path_key RENAME TO escrow_nodes_task_id_number_key',
  'ALTER TABLE escrow_nodes RENAME COLUMN path TO number',
  'ALTER TABLE escrow_nodes ALTER COLUMN number TYPE integer USING number::integer',
];

/**
 * Nodes are named by their paths, and have a floor, a version and a number of revisions. Rows of the first edition's
 * contracts cannot be made into such rows, so this refuses a database that has a task.
 */
export class SecondEdition1700000000090 implements MigrationInterface {
  readonly name = 'SecondEdition1700000000090';

  async up(runner: QueryRunner): Promise<void> {
    await refuseTasks(runner, 'They belong to the first edition of the escrow, which this release cannot read.');
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await refuseTasks(
      runner,
      'They belong to the second edition of the escrow, which the earlier release cannot read.',
    );
    // Actions may outlive their tasks for a while; the earlier release could not read them, and its index refuses theirs.
    await runner.query('DELETE FROM prepared_actions');
    for (const statement of DOWN) await runner.query(statement);
  }
}

async function refuseTasks(runner: QueryRunner, reason: string): Promise<void> {
  const [row]: { tasks: boolean }[] = await runner.query('SELECT EXISTS (SELECT FROM tasks) AS tasks');
  if (row?.tasks) throw new Error(`The database has tasks. ${reason} Start with an empty database.`);
}
