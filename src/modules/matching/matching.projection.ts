import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { finalSettlements } from '#libs/contracts';
import type { AgentChanged } from '../events/agent.events.js';
import { DomainEvents } from '../events/domain-events.js';
import type { TreeChanged, TreesChanged } from '../events/tree.events.js';
import { Clock } from '../../platform/time/clock.js';
import { SettledBriefs } from './search-tables/settled-briefs/settled-briefs.js';
import { noteTexts, noteWorkOnAll } from './search-tables/match-changes.js';
import { AgentPostings } from './search-tables/agent-postings.js';

/** Updates the matching tables in the transaction that changes an agent or the tree of a task. */
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
    this.events.on('trees_changed', (manager, change) => this.applyTrees(manager, change));
  }

  private async applyAgent(manager: EntityManager, { agentId, isFoundAnew }: AgentChanged): Promise<void> {
    if (!isFoundAnew) return;
    await this.postings.write(manager, [agentId]);
    await noteTexts(manager, agentId, this.clock.now());
  }

  /**
   * Stores the words of briefs of settled tasks. Who worked for a task is not stored, because it is read from
   * settlements and nodes.
   */
  private async applyTrees(manager: EntityManager, { trees }: TreesChanged): Promise<void> {
    const taskIds = trees.map(({ taskId }) => taskId);
    await this.briefs.keepAll(manager, taskIds, new Set(trees.filter(isSettled).map(({ taskId }) => taskId)));
    const workers = trees.flatMap(({ nodes }) =>
      nodes.flatMap(({ workerAgentId, isWorkerKnown }) => (isWorkerKnown ? [workerAgentId] : [])),
    );
    await noteWorkOnAll(manager, taskIds, [...new Set(workers)], this.clock.now());
  }
}

/** True when a final settlement paid a known agent at least half of its node's amount. */
function isSettled({ projection, nodes }: TreeChanged): boolean {
  const known = new Map(nodes.flatMap(({ node, isWorkerKnown }) => (isWorkerKnown ? [[node.path, node]] : [])));
  return finalSettlements(projection).some(({ nodePath, workerShare }) => {
    const node = known.get(nodePath);
    return node !== undefined && workerShare > 0n && workerShare * 2n >= node.amount;
  });
}
