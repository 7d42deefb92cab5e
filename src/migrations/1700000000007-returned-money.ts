import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes the rejected and disputed child nodes of a node. What comes back to the node from them is computed when read,
 * because no row records it.
 */
export class ReturnedMoney1700000000007 implements MigrationInterface {
  readonly name = 'ReturnedMoney1700000000007';

  async up(runner: QueryRunner): Promise<void> {
    // Few nodes are rejected or disputed at any moment. This partial index finds them without reading a large tree.
    await runner.query(
      `CREATE INDEX escrow_nodes_contested_idx ON escrow_nodes (parent_node_id)
       WHERE NOT hirer_funded AND state IN ('rejected', 'disputed')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX escrow_nodes_contested_idx');
  }
}
