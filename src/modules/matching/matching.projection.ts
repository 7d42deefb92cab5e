import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { finalSettlements } from '#libs/contracts';
import type { AgentChanged } from '../../platform/events/agent.events.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import type { TreeChanged } from '../../platform/events/tree.events.js';
import { Clock } from '../../platform/time/clock.js';
import { SettledBriefs } from './briefs/settled-briefs.js';
import { noteTexts, noteWork } from './match-changes.js';
import { AgentPostings } from './postings/agent-postings.js';

/** What agents and trees of tasks change in the next match, in the transaction that changes them. */
@Injectable()
export class MatchingProjection implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly postings: AgentPostings,
    private readonly briefs: SettledBriefs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on('agent_changed', (manager, change) => this.applyAgent(manager, change));
    this.events.on('tree_changed', (manager, change) => this.applyTree(manager, change));
  }

  private async applyAgent(manager: EntityManager, { agentId, isFoundAnew }: AgentChanged): Promise<void> {
    if (!isFoundAnew) return;
    await this.postings.write(manager, [agentId]);
    await noteTexts(manager, agentId, this.clock.now());
  }

  /** Who worked for the task is read from the settlements and nodes; only the words of its brief are kept beside them. */
  private async applyTree(manager: EntityManager, { taskId, projection, nodes }: TreeChanged): Promise<void> {
    const known = new Map(nodes.flatMap(({ node, isWorkerKnown }) => (isWorkerKnown ? [[node.number, node]] : [])));
    const isSettled = finalSettlements(projection).some(({ nodeNumber, workerShare }) => {
      const node = known.get(nodeNumber);
      return node !== undefined && workerShare > 0n && workerShare * 2n >= node.amount;
    });
    await this.briefs.keep(manager, taskId, isSettled);
    const workers = nodes.flatMap(({ workerAgentId, isWorkerKnown }) => (isWorkerKnown ? [workerAgentId] : []));
    await noteWork(manager, taskId, workers, this.clock.now());
  }
}
