import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ReplacedRows } from '../../../platform/database/replaced-rows.js';
import { runPrepared, runWithNext } from '../../../platform/database/transactions.js';
import type { TaskPartyRole } from './task-party.entity.js';
import { ADMIT_PARTIES } from './task-visibility.sql.js';

/** The roles that come from chain facts and are replaced when these change. */
const CHAIN_ROLES = ['hirer', 'worker'] as const;

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

  /** As `admit`; the statement is sent with the next one of the transaction. */
  async admitWithNext(manager: EntityManager, taskId: string, accountId: string, role: TaskPartyRole): Promise<void> {
    await runWithNext(manager, ADMIT_PARTIES, [taskId, role, [accountId]]);
  }

  /** Makes several accounts parties of the task, in one statement. */
  async admitAll(
    manager: EntityManager,
    taskId: string,
    accountIds: readonly string[],
    role: TaskPartyRole,
  ): Promise<void> {
    if (accountIds.length === 0) return;
    await runPrepared(manager, ADMIT_PARTIES, [taskId, role, accountIds]);
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
