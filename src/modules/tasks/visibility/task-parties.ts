import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ReplacedRows } from '../../../platform/database/replaced-rows.js';
import type { TaskPartyRole } from './task-party.entity.js';

/** The roles that come from chain facts and are replaced when these change. */
const CHAIN_ROLES = ['selected', 'hirer', 'worker'] as const;

/** An account's role in a task according to the chain. */
export interface ChainParty {
  readonly taskId: string;
  readonly accountId: string;
  readonly role: (typeof CHAIN_ROLES)[number];
}

/**
 * Writes the parties of tasks: the accounts that may see a task that is not public. Modules that depend on this one add
 * parties here.
 */
@Injectable()
export class TaskParties {
  /** Makes an account a party of the task; a second call changes nothing. */
  async admit(manager: EntityManager, taskId: string, accountId: string, role: TaskPartyRole): Promise<void> {
    await this.admitAll(manager, taskId, [accountId], role);
  }

  /** Makes several accounts parties of the task, in one statement. */
  async admitAll(
    manager: EntityManager,
    taskId: string,
    accountIds: readonly string[],
    role: TaskPartyRole,
  ): Promise<void> {
    if (accountIds.length === 0) return;
    // Existing parties are filtered out here: ON CONFLICT alone would still lock the task's row.
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
   * Replaces the chain roles of these tasks, so that a reorganisation also removes roles.
   * @param shown the tasks that may have had chain roles before.
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
