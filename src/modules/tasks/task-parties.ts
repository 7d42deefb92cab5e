import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ReplacedRows } from '../../platform/database/replaced-rows.js';
import type { TaskPartyRole } from './task-party.entity.js';

/** The roles that follow from chain facts and are replaced with them. */
const CHAIN_ROLES = ['selected', 'hirer', 'worker'] as const;

/** Who is a party to a task by what the chain says. */
export interface ChainParty {
  readonly taskId: string;
  readonly accountId: string;
  readonly role: (typeof CHAIN_ROLES)[number];
}

/** Who may see a task beside everyone. Modules above tasks admit accounts here, so that nothing imports upwards. */
@Injectable()
export class TaskParties {
  /** Lets an account see the task; admitting twice changes nothing. */
  async admit(manager: EntityManager, taskId: string, accountId: string, role: TaskPartyRole): Promise<void> {
    await this.admitAll(manager, taskId, [accountId], role);
  }

  /** Lets several accounts see the task, in one statement. */
  async admitAll(
    manager: EntityManager,
    taskId: string,
    accountIds: readonly string[],
    role: TaskPartyRole,
  ): Promise<void> {
    if (accountIds.length === 0) return;
    // Who is a party already is left out here and not by the conflict alone, which would lock the task for nothing.
    await manager.query(
      `INSERT INTO task_parties (account_id, task_id, role)
        SELECT account_id, $1, $2 FROM unnest($3::text[]) AS wanted (account_id)
        WHERE NOT EXISTS (SELECT FROM task_parties party
          WHERE party.account_id = wanted.account_id AND party.task_id = $1 AND party.role = $2)
        ON CONFLICT DO NOTHING`,
      [taskId, role, accountIds],
    );
  }

  /**
   * Replaces all that the chain says about the parties of tasks; a reorganisation takes them away with the facts.
   * @param shown the tasks that may have had such parties before.
   */
  replaceChainRoles(manager: EntityManager, shown: readonly string[], parties: readonly ChainParty[]): Promise<void> {
    return CHAIN_PARTIES.replace(manager, shown, parties);
  }
}

const CHAIN_PARTIES = new ReplacedRows<ChainParty>({
  table: 'task_parties',
  key: ['account_id', 'task_id', 'role'],
  columns: {
    account_id: { type: 'text', of: ({ accountId }) => accountId },
    task_id: { type: 'text', of: ({ taskId }) => taskId },
    role: { type: 'text', of: ({ role }) => role },
  },
  only: `kept.role IN (${CHAIN_ROLES.map((role) => `'${role}'`).join(', ')})`,
});
