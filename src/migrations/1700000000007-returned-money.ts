import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What comes back to a node from those below it: rejections and disputes that nobody has written down. */
export class ReturnedMoney1700000000007 implements MigrationInterface {
  readonly name = 'ReturnedMoney1700000000007';

  async up(runner: QueryRunner): Promise<void> {
    // Few nodes are turned down at any moment; a large tree must not be looked through for them.
    await runner.query(
      `CREATE INDEX escrow_nodes_contested_idx ON escrow_nodes (parent_node_id)
       WHERE NOT hirer_funded AND state IN ('rejected', 'disputed')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX escrow_nodes_contested_idx');
  }
}
