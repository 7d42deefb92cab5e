import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The constants of node-deadlines.sql.ts when this migration was written. */
const before = (deadline: string, hours: number): string =>
  `${deadline} AT TIME ZONE 'UTC' - interval '${hours} hours'`;
const next = (deadline: string, told: string, applies: string): string =>
  `CASE WHEN NOT (${applies}) OR ${told} = ${deadline} THEN NULL
    WHEN ${told} AT TIME ZONE 'UTC' = ${before(deadline, 1)} THEN ${before(deadline, 0)}
    WHEN ${told} AT TIME ZONE 'UTC' = ${before(deadline, 24)} THEN ${before(deadline, 1)}
    ELSE ${before(deadline, 24)} END`;

const CAN_DELIVER_AGAIN = `state = 'rejected' AND revisions < max_revisions AND (clock = delivery_deadline
    OR delivery_deadline AT TIME ZONE 'UTC' > clock AT TIME ZONE 'UTC' - accept_window_seconds * interval '1 second')`;
const NEXT_DELIVERY = next('delivery_deadline', 'told_delivery', `state = 'funded' OR (${CAN_DELIVER_AGAIN})`);
const NEXT_CLOCK = next(
  'clock',
  'told_clock',
  `state IN ('delivered', 'disputed') OR (state = 'rejected' AND (clock <> delivery_deadline OR revisions >= max_revisions))`,
);

const UP: readonly string[] = [
  'ALTER TABLE escrow_nodes ADD COLUMN told_delivery timestamptz(3), ADD COLUMN told_clock timestamptz(3)',
  // Of what passed before anybody could be told, nothing will be.
  `UPDATE escrow_nodes SET told_delivery = delivery_deadline
     WHERE state NOT IN ('released', 'refunded') AND delivery_deadline < now()`,
  `UPDATE escrow_nodes SET told_clock = clock WHERE state NOT IN ('released', 'refunded') AND clock < now()`,
  `CREATE INDEX escrow_nodes_next_delivery_told_idx ON escrow_nodes ((${NEXT_DELIVERY})) WHERE (${NEXT_DELIVERY}) IS NOT NULL`,
  `CREATE INDEX escrow_nodes_next_clock_told_idx ON escrow_nodes ((${NEXT_CLOCK})) WHERE (${NEXT_CLOCK}) IS NOT NULL`,
  `CREATE TABLE told_deadlines (
     node_id text NOT NULL,
     delivery timestamptz(3),
     clock timestamptz(3),
     CONSTRAINT told_deadlines_pkey PRIMARY KEY (node_id)
   )`,
  `INSERT INTO told_deadlines (node_id, delivery, clock) SELECT id, told_delivery, told_clock FROM escrow_nodes
     WHERE told_delivery IS NOT NULL OR told_clock IS NOT NULL`,
  // An index on an expression is used well only once its values were counted.
  'ANALYZE escrow_nodes',
];

const DOWN: readonly string[] = [
  'DROP TABLE told_deadlines',
  'DROP INDEX escrow_nodes_next_clock_told_idx, escrow_nodes_next_delivery_told_idx',
  'ALTER TABLE escrow_nodes DROP COLUMN told_clock, DROP COLUMN told_delivery',
];

/** What was told of the deadlines of nodes, by which each is told once. */
export class ToldDeadlines1700000000099 implements MigrationInterface {
  readonly name = 'ToldDeadlines1700000000099';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
