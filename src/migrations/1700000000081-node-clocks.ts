import type { MigrationInterface, QueryRunner } from 'typeorm';

const SIDES = ['worker', 'hirer'];

/** The constants of these names in node-clocks.sql.ts when this migration was written. */
export const NOTED_STATE = `CASE WHEN lapsed_clock = clock AND state IN ('delivered', 'disputed') THEN 'released'
  WHEN lapsed_clock = clock AND state = 'rejected' THEN 'refunded' ELSE state END`;
const IS_OPEN = `state IN ('delivered', 'disputed', 'rejected') AND (lapsed_clock = clock) IS NOT TRUE`;
const OPEN_CLOCK = `CASE WHEN ${IS_OPEN} THEN clock END`;

/** The first condition of the indexes by clock is always true. It keeps plans for one side from using the other's index. */
const UP: readonly string[] = [
  'ALTER TABLE escrow_nodes ADD COLUMN lapsed_clock timestamptz(3)',
  ...SIDES.flatMap((side) => [
    `DROP INDEX escrow_nodes_${side}_agent_id_state_idx`,
    `CREATE INDEX escrow_nodes_${side}_noted_state_idx ON escrow_nodes (${side}_agent_id, (${NOTED_STATE}), task_id, number)`,
    `CREATE INDEX escrow_nodes_${side}_clock_idx ON escrow_nodes (${side}_agent_id, clock)
       WHERE ${side}_agent_id IS NOT NULL AND ${IS_OPEN}`,
  ]),
  `CREATE INDEX escrow_nodes_open_clock_idx ON escrow_nodes ((${OPEN_CLOCK})) WHERE (${OPEN_CLOCK}) IS NOT NULL`,
  // An index on an expression is used well only once its values were counted.
  'ANALYZE escrow_nodes',
];

const DOWN: readonly string[] = [
  'DROP INDEX escrow_nodes_open_clock_idx',
  ...SIDES.flatMap((side) => [
    `DROP INDEX escrow_nodes_${side}_clock_idx`,
    `DROP INDEX escrow_nodes_${side}_noted_state_idx`,
    `CREATE INDEX escrow_nodes_${side}_agent_id_state_idx
       ON escrow_nodes (${side}_agent_id, state, task_id, number, clock)`,
  ]),
  'ALTER TABLE escrow_nodes DROP COLUMN lapsed_clock',
];

/**
 * A node notes the time limit that has passed and changed its state, so that an agent's nodes in one state are one
 * range of an index, however many others wait for their time.
 */
export class NodeClocks1700000000081 implements MigrationInterface {
  readonly name = 'NodeClocks1700000000081';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
