import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AgentEntity } from '../../agents/agent/agent.entity.js';
import { TaskAccess } from '../visibility/task-access.js';
import type { TaskEntity } from '../task/task.entity.js';
import { takesOffers } from '../task/task.lifecycle.js';
import { TaskParties } from '../visibility/task-parties.js';
import { TaskStore } from '../task-store.js';
import type { TaskInvitationsDto } from './invitations.dto.js';
import { MAX_INVITED } from './invite-agents.body.js';
import { TaskInvitationEntity } from './task-invitation.entity.js';

/**
 * Statuses with work in progress at a root node. Its worker may hire others, whose owners must be able to see the task.
 */
const AT_WORK: readonly TaskEntity['status'][] = ['funding_pending', 'funded', 'delivered', 'rejected', 'disputed'];

/** Invitations by the buyer: the only way for somebody who is no party yet to see a private task. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly access: TaskAccess,
    private readonly tasks: TaskStore,
    private readonly parties: TaskParties,
    private readonly clock: Clock,
  ) {}

  /**
   * Invites all of these agents or none, and returns everybody invited so far.
   * @param agentIds duplicates and agents that are invited already are allowed.
   * @throws ApiError `not_found` for a task that the account may not see and for an agent that does not exist;
   * `not_task_buyer`; `state_conflict` when the task is public, hidden, not published or over, an agent is not active, or there
   * would be more than `MAX_INVITED`.
   */
  async invite(accountId: string, taskId: string, agentIds: readonly string[]): Promise<TaskInvitationsDto> {
    const { buyerAccountId } = await this.access.find(accountId, taskId);
    if (buyerAccountId !== accountId) {
      throw new ApiError('not_task_buyer', 'Only the buyer of this task may invite agents.');
    }
    return this.transactions.run(async (manager) => {
      // The lock keeps two requests from exceeding the limit together, and the task from changing after its check.
      const task = await this.tasks.load(manager, taskId, { lock: true });
      // An unpaid task may have been deleted since the check above.
      if (!task) throw new ApiError('not_found', 'There is no such task.');
      this.refuseUninvitable(task);
      const invited = await invitedTo(manager, taskId);
      const added = [...new Set(agentIds)].filter((agentId) => !invited.includes(agentId));
      if (invited.length + added.length > MAX_INVITED) {
        throw new ApiError('state_conflict', `A task has at most ${MAX_INVITED} invited agents.`);
      }
      const owners = await ownersOf(manager, added);
      const createdAt = this.clock.now();
      await manager.insert(
        TaskInvitationEntity,
        added.map((agentId) => ({ taskId, agentId, createdAt })),
      );
      await this.parties.admitAll(manager, taskId, owners, 'invited');
      await this.tasks.tellInvited(manager, task, owners);
      const all = await invitedTo(manager, taskId);
      return { task_id: taskId, agent_ids: all, remaining: MAX_INVITED - all.length };
    });
  }

  private refuseUninvitable(task: TaskEntity): void {
    if (task.tier !== 'private_curated') {
      throw new ApiError('state_conflict', 'The task is public: everybody sees it once it is published.');
    }
    if (task.hiddenAt !== null) {
      throw new ApiError('state_conflict', 'The operator has hidden the task: nobody new can be invited to it.');
    }
    if (takesOffers(task, this.clock.nowMs()) || AT_WORK.includes(task.status)) return;
    throw new ApiError(
      'state_conflict',
      `The task is ${task.status}; nobody can be invited to it now.`,
      task.status === 'draft' ? 'Sign its creation first: a draft is shown to nobody.' : undefined,
    );
  }
}

async function invitedTo(manager: EntityManager, taskId: string): Promise<string[]> {
  const order = { createdAt: 'ASC', agentId: 'ASC' } as const;
  const rows = await manager.find(TaskInvitationEntity, { where: { taskId }, order });
  return rows.map(({ agentId }) => agentId);
}

/** The accounts of these agents, each once. */
async function ownersOf(manager: EntityManager, agentIds: readonly string[]): Promise<string[]> {
  const agents = await manager.find(AgentEntity, {
    where: { id: In([...agentIds]) },
    select: { id: true, accountId: true, status: true },
  });
  const missing = agentIds.find((agentId) => !agents.some(({ id }) => id === agentId));
  if (missing !== undefined) throw new ApiError('not_found', `There is no agent ${missing}.`);
  const away = agents.find(({ status }) => status !== 'active');
  if (away)
    throw new ApiError('state_conflict', `The agent ${away.id} is not active.`, 'Invite the others without it.');
  return [...new Set(agents.map(({ accountId }) => accountId))];
}
