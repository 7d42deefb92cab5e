import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TaskPartyEntity, type TaskPartyRole } from './task-party.entity.js';

/** The roles that follow from chain facts and are replaced with them. */
const CHAIN_ROLES = ['selected', 'hirer', 'worker'] as const;
type ChainRole = (typeof CHAIN_ROLES)[number];

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
    await manager
      .createQueryBuilder()
      .insert()
      .into(TaskPartyEntity)
      .values(accountIds.map((accountId) => ({ taskId, accountId, role })))
      .orIgnore()
      .execute();
  }

  /** Replaces all that the chain says about the task's parties; a reorganisation takes them away with the facts. */
  async replaceChainRoles(
    manager: EntityManager,
    taskId: string,
    parties: readonly { accountId: string; role: ChainRole }[],
  ): Promise<void> {
    await manager
      .createQueryBuilder()
      .delete()
      .from(TaskPartyEntity)
      .where('task_id = :taskId AND role IN (:...roles)', { taskId, roles: CHAIN_ROLES })
      .execute();
    for (const { accountId, role } of parties) await this.admit(manager, taskId, accountId, role);
  }
}
