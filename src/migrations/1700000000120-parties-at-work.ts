import type { MigrationInterface, QueryRunner } from 'typeorm';
import { makeIndexBesideTraffic } from './index-beside-traffic.js';

/** The first list is what `role=worker` selects (AT_WORK of task-list.sql.ts), the second what it selected once. */
const ROLES = [`'worker', 'hirer'`, `'worker', 'hirer', 'selected'`] as const;

const INDEXES: Readonly<Record<string, `(${string})`>> = {
  task_parties_at_work_idx: '(account_id, task_id)',
  task_parties_at_work_status_idx: '(account_id, status, task_id)',
};

/**
 * Gives the indexes of parties at work exactly the condition that the lists ask with. With one role more, the planner had
 * to look at each row for its role and took the primary key instead, which holds all that a large buyer ever bought.
 */
export class PartiesAtWork1700000000120 implements MigrationInterface {
  readonly name = 'PartiesAtWork1700000000120';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      await makeIndexBesideTraffic(runner, name, `task_parties ${columns} WHERE role IN (${ROLES[0]})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX ${name}`);
      await runner.query(`CREATE INDEX ${name} ON task_parties ${columns} WHERE role IN (${ROLES[1]})`);
    }
  }
}
