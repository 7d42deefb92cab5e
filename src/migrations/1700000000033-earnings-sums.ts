import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES: readonly string[] = [
  `CREATE TABLE node_earnings (
     node_id text NOT NULL,
     task_id text NOT NULL,
     "number" integer NOT NULL,
     account_id text NOT NULL,
     pending numeric(78, 0) NOT NULL,
     claimable numeric(78, 0) NOT NULL,
     paid numeric(78, 0) NOT NULL,
     clock timestamptz(3),
     next_at timestamptz(3),
     CONSTRAINT node_earnings_pkey PRIMARY KEY (node_id)
   )`,
  `CREATE INDEX node_earnings_account_id_next_at_idx ON node_earnings (account_id, next_at) WHERE next_at IS NOT NULL`,
  `CREATE INDEX node_earnings_next_at_idx ON node_earnings (next_at) WHERE next_at IS NOT NULL`,
  `CREATE INDEX node_earnings_claimable_idx ON node_earnings (account_id, task_id, claimable DESC, "number")
     WHERE claimable > 0`,
  `CREATE INDEX node_earnings_account_id_clock_idx ON node_earnings (account_id, clock) WHERE clock IS NOT NULL`,
  `CREATE TABLE task_earnings (
     account_id text NOT NULL,
     task_id text NOT NULL,
     pending numeric(78, 0) NOT NULL,
     claimable numeric(78, 0) NOT NULL,
     CONSTRAINT task_earnings_pkey PRIMARY KEY (account_id, task_id)
   )`,
  `CREATE INDEX task_earnings_claimable_idx ON task_earnings (account_id, claimable DESC, task_id DESC) WHERE claimable > 0`,
  `CREATE INDEX task_earnings_empty_idx ON task_earnings (account_id) WHERE pending = 0 AND claimable = 0`,
  `CREATE TABLE account_earnings (
     account_id text NOT NULL,
     pending numeric(78, 0) NOT NULL DEFAULT 0,
     claimable numeric(78, 0) NOT NULL DEFAULT 0,
     paid numeric(78, 0) NOT NULL DEFAULT 0,
     CONSTRAINT account_earnings_pkey PRIMARY KEY (account_id)
   )`,
  // For the child nodes that are funded from a node, and for the fact that says how a settled node's money was divided.
  `CREATE INDEX escrow_nodes_backed_idx ON escrow_nodes (parent_node_id) WHERE NOT hirer_funded`,
  `CREATE INDEX chain_facts_node_settled_idx ON chain_facts (task_id, ((fact->>'nodeId')::integer))
     WHERE fact->>'type' = 'NodeSettled'`,
];

/**
 * Rows are looked up by id: a cached plan that was made while a table was small must not read the whole table later.
 * Sets of unknown size are never joined with each other below, because a plan made for small sets would compare every
 * row with every other.
 */
const BY_IDS = 'SET enable_seqscan = off';

/** The same as `RETURNED` of node-ancestors.sql.ts when this migration was written. */
const RETURNED = `CASE below.state WHEN 'rejected' THEN below.pool
      ELSE below.pool - greatest(div(below.pool, 2), below.allocated) END`;

/**
 * Sets what these nodes are worth to their workers to what follows from the nodes at `moment`, and adds the differences
 * to the sums. Every writer first locks the account's row of account_earnings, so that a statement that begins
 * afterwards sees what the previous holder of the lock wrote.
 */
export const REFRESH = `CREATE OR REPLACE FUNCTION refresh_node_earnings(ids text[], moment timestamptz) RETURNS void
  LANGUAGE plpgsql ${BY_IDS} AS $$
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
      SELECT id, task_id, number, parent_node_id, worker_account_id AS account_id, hirer_funded, state, outcome, clock,
        amount, pool, allocated
      FROM escrow_nodes WHERE id = ANY(ids) AND worker_account_id IS NOT NULL
    ), worth AS (
      SELECT id, task_id, number, account_id, lost, won,
        CASE WHEN state = 'disputed' AND clock < moment THEN greatest(div(pool, 2), allocated) ELSE pool END - allocated
          + returned AS share,
        CASE
          WHEN state <> 'released' THEN 0
          WHEN outcome IN ('accepted', 'accept_window_lapsed') THEN amount - pool
          ELSE coalesce((
            SELECT (settled.fact->>'workerShare')::numeric FROM chain_facts settled
            WHERE settled.task_id = page.task_id AND settled.fact->>'type' = 'NodeSettled'
              AND (settled.fact->>'nodeId')::integer = page.number
          ) - pool, 0)
        END AS paid,
        CASE WHEN NOT lost AND NOT won AND state <> 'released' THEN clock END AS clock,
        CASE WHEN NOT lost THEN least(fates.next_at, below.next_at) END AS next_at
      FROM page
      CROSS JOIN LATERAL (
        WITH RECURSIVE line AS (
          SELECT page.parent_node_id, page.hirer_funded, page.state, page.clock
          UNION ALL
          SELECT up.parent_node_id, up.hirer_funded, up.state, up.clock
          FROM line JOIN escrow_nodes up ON up.id = line.parent_node_id WHERE NOT line.hirer_funded
        )
        SELECT bool_or(state = 'refunded' OR (state = 'rejected' AND clock < moment)) AS lost,
          bool_and(state = 'released' OR (state IN ('delivered', 'disputed') AND clock < moment)) AS won,
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
      SELECT id AS node_id, task_id, number, account_id, CASE WHEN lost OR won THEN 0 ELSE share END AS pending,
        CASE WHEN won THEN share ELSE 0 END AS claimable, paid, clock, next_at
      FROM worth
    ), known AS MATERIALIZED (
      SELECT account_id, task_id, pending, claimable, paid FROM node_earnings WHERE node_id = ANY(ids)
    ), gone AS (
      DELETE FROM node_earnings WHERE node_id = ANY(ids) AND node_id NOT IN (SELECT node_id FROM made)
    ), put AS (
      INSERT INTO node_earnings AS kept (node_id, task_id, number, account_id, pending, claimable, paid, clock, next_at)
      SELECT node_id, task_id, number, account_id, pending, claimable, paid, clock, next_at FROM made
      ON CONFLICT (node_id) DO UPDATE SET task_id = excluded.task_id, number = excluded.number,
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

/**
 * Texts to compare a node's old and new row by: `WHOLE` has all that its own worth follows from, `TURN` has what its
 * children's worth follows from, and `GIVES_TO` is the parent that it returns money to.
 */
export const WHOLE = `ROW(task_id, number, parent_node_id, worker_account_id, hirer_funded, state, outcome, clock, amount, pool,
            allocated)::text`;
const TURN = 'ROW(parent_node_id, hirer_funded, state, clock)::text';
const GIVES_TO = `CASE WHEN NOT hirer_funded AND state IN ('rejected', 'disputed') THEN parent_node_id END`;

/**
 * Trigger function that refreshes the written nodes, the nodes below one that ended or got another time limit, because
 * their money comes from it, and the parents that money returns to. A trigger does not know the service's time, so it
 * computes as if no limit had passed; `next_at` later finds the limits that have.
 */
export const follow = (
  whole: string,
): string => `CREATE OR REPLACE FUNCTION follow_node_earnings() RETURNS trigger LANGUAGE plpgsql ${BY_IDS} AS $$
  DECLARE
    own text[];
    turned text[];
    above text[];
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      SELECT array_agg(id), array_agg(id) FILTER (WHERE turns), array_agg(first_above) || array_agg(last_above)
        INTO own, turned, above FROM (
        SELECT id, min(turn) <> max(turn) AS turns, min(gives_to) AS first_above, max(gives_to) AS last_above FROM (
          SELECT id, ${whole} AS whole, ${TURN} AS turn, ${GIVES_TO} AS gives_to FROM old_rows
          UNION ALL SELECT id, ${whole}, ${TURN}, ${GIVES_TO} FROM new_rows
        ) AS side GROUP BY id HAVING min(whole) <> max(whole)
      ) AS changed;
      IF own IS NULL THEN RETURN NULL; END IF;
    ELSIF TG_OP = 'INSERT' THEN
      SELECT array_agg(id), array_agg(${GIVES_TO}) INTO own, above FROM new_rows;
      IF own IS NULL THEN RETURN NULL; END IF;
      turned := own;
    ELSE
      SELECT array_agg(id), array_agg(${GIVES_TO}) INTO own, above FROM old_rows;
      IF own IS NULL THEN RETURN NULL; END IF;
      turned := own;
    END IF;
    PERFORM refresh_node_earnings(ARRAY(
      WITH RECURSIVE down AS (
        SELECT unnest(turned) AS id
        UNION SELECT node.id FROM down JOIN escrow_nodes node ON node.parent_node_id = down.id AND NOT node.hirer_funded
      )
      SELECT id FROM down UNION SELECT unnest(own) UNION SELECT unnest(array_remove(above, NULL))
    ), '-infinity');
    RETURN NULL;
  END $$`;

const TRIGGERS = [
  { event: 'INSERT', tables: 'NEW TABLE AS new_rows' },
  { event: 'UPDATE', tables: 'OLD TABLE AS old_rows NEW TABLE AS new_rows' },
  { event: 'DELETE', tables: 'OLD TABLE AS old_rows' },
] as const;

const DOWN: readonly string[] = [
  ...TRIGGERS.map(({ event }) => `DROP TRIGGER escrow_nodes_earnings_${event.toLowerCase()} ON escrow_nodes`),
  'DROP FUNCTION follow_node_earnings()',
  'DROP FUNCTION refresh_node_earnings(text[], timestamptz)',
  'DROP INDEX chain_facts_node_settled_idx',
  'DROP INDEX escrow_nodes_backed_idx',
  'DROP TABLE account_earnings',
  'DROP TABLE task_earnings',
  'DROP TABLE node_earnings',
];

/** A statement may take ten seconds, so nodes are processed in batches of this size. */
const NODES_AT_ONCE = 2_000;

/**
 * What each node is worth to its worker, with sums by task and by account. The database keeps them, whoever writes
 * nodes, so that reading an account's earnings does not take longer the more it has worked.
 */
export class EarningsSums1700000000033 implements MigrationInterface {
  readonly name = 'EarningsSums1700000000033';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, REFRESH, follow(WHOLE)]) await runner.query(statement);
    for (const { event, tables } of TRIGGERS) {
      await runner.query(`CREATE TRIGGER escrow_nodes_earnings_${event.toLowerCase()} AFTER ${event} ON escrow_nodes
        REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION follow_node_earnings()`);
    }
    for (let last = ''; ;) {
      const ids: { id: string }[] = await runner.query(
        `SELECT id FROM escrow_nodes WHERE id > $1 ORDER BY id LIMIT ${NODES_AT_ONCE}`,
        [last],
      );
      await runner.query(`SELECT refresh_node_earnings($1, '-infinity')`, [ids.map(({ id }) => id)]);
      last = ids.at(-1)?.id ?? last;
      if (ids.length < NODES_AT_ONCE) return;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
