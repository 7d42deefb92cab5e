import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, In, Not } from 'typeorm';
import { decidingRoot, InconsistentFactsError, projectTree, taskStatusOf, type TreeProjection } from '#libs/contracts';
import { DomainEvents } from '../../../platform/events/domain-events.js';
import type { ResolvedNode, TreeChanged } from '../../../platform/events/tree.events.js';
import { TaskStore } from '../../tasks/task-store.js';
import { EscrowNodeEntity } from '../escrow-node.entity.js';
import { EscrowTreeEntity } from '../escrow-tree.entity.js';
import { IndexStore } from './index-store.js';
import { IndexerStatus } from './indexer-status.js';
import { Participants } from './participants.js';
import { resolveNodes } from './resolve-tree.js';

/** Makes everything that is shown of a task equal to what its facts add up to. */
@Injectable()
export class TreePublisher {
  private readonly logger = new Logger(TreePublisher.name);

  constructor(
    private readonly store: IndexStore,
    private readonly tasks: TaskStore,
    private readonly participants: Participants,
    private readonly events: DomainEvents,
    private readonly status: IndexerStatus,
  ) {}

  /** Folds the task's facts anew, writes its tree and nodes, and publishes `TreeChanged`, in the given transaction. */
  async publish(manager: EntityManager, taskId: string): Promise<void> {
    const task = await this.tasks.load(manager, taskId, { lock: true });
    if (!task) throw new Error(`Task ${taskId} has facts and no row`);
    const facts = await this.store.factsOf(manager, taskId);
    const projection = this.fold(taskId, () => projectTree(facts));
    if (!projection) return;
    const workers = await this.participants.workersOf(manager, taskId, projection.nodes);
    const nodes = resolveNodes(task, projection, workers);
    const blockNumber = facts.at(-1)?.blockNumber ?? null;
    await this.writeTree(manager, taskId, projection, blockNumber);
    await this.writeNodes(manager, taskId, nodes);
    await this.events.publish(manager, changeOf(task, projection, nodes, blockNumber));
  }

  /** One tree that does not add up must not stop the index of all others. The contract cannot cause it. */
  private fold(taskId: string, project: () => TreeProjection): TreeProjection | null {
    try {
      const projection = project();
      this.status.inconsistentTasks.delete(taskId);
      return projection;
    } catch (error) {
      if (!(error instanceof InconsistentFactsError)) throw error;
      this.status.inconsistentTasks.add(taskId);
      this.logger.error(`The facts of ${taskId} are not its whole history: ${error.message}. Check CHAIN_START_BLOCK.`);
      return null;
    }
  }

  private async writeTree(
    manager: EntityManager,
    taskId: string,
    { ledger }: TreeProjection,
    blockNumber: number | null,
  ): Promise<void> {
    if (blockNumber === null) await manager.delete(EscrowTreeEntity, { taskId });
    else await manager.upsert(EscrowTreeEntity, { taskId, ...ledger, blockNumber }, ['taskId']);
  }

  /** Rows are updated in place: a reader that waits for a row's lock must find it again. */
  private async writeNodes(manager: EntityManager, taskId: string, nodes: readonly ResolvedNode[]): Promise<void> {
    const rows = nodes.flatMap((node) => rowOf(taskId, node) ?? []);
    await manager.delete(EscrowNodeEntity, { taskId, id: Not(In(rows.map(({ id }) => id))) });
    if (rows.length > 0) await manager.upsert(EscrowNodeEntity, rows, ['id']);
  }
}

function changeOf(
  { id: taskId, buyerAccountId }: { id: string; buyerAccountId: string },
  projection: TreeProjection,
  nodes: readonly ResolvedNode[],
  blockNumber: number | null,
): TreeChanged {
  const deciding = decidingRoot(projection.nodes);
  const root = nodes.find(({ node }) => node.number === deciding?.number);
  return {
    type: 'tree_changed',
    taskId,
    buyerAccountId,
    projection,
    status: taskStatusOf(projection),
    selectedAgentId: root?.workerAgentId ?? null,
    selectedAccountId: root?.workerAccountId ?? null,
    nodes,
    blockNumber,
  };
}

/** Null for a node that waits for its money: it is not shown. */
function rowOf(taskId: string, resolved: ResolvedNode): EscrowNodeEntity | null {
  const { node, state } = resolved;
  if (state === null || node.fundedAt === null) return null;
  return Object.assign(new EscrowNodeEntity(), {
    id: resolved.id,
    taskId,
    number: node.number,
    parentNodeId: resolved.parentNodeId,
    hirerAgentId: resolved.hirerAgentId,
    hirerAccountId: resolved.hirerAccountId,
    workerAgentId: resolved.workerAgentId,
    workerAccountId: resolved.workerAccountId,
    hirerWallet: node.hirer,
    workerWallet: node.worker,
    visibleAccountIds: [...resolved.visibleAccountIds],
    amount: node.amount,
    pool: node.pool,
    allocated: node.allocated,
    state,
    outcome: resolved.outcome,
    hirerFunded: node.hirerFunded,
    deliveryDeadline: dateOf(node.deliverBy),
    clock: dateOf(node.clock),
    acceptWindowSeconds: node.acceptWindow,
    artifactHash: node.artifactHash,
    termsHash: node.termsHash,
    fundedAt: dateOf(node.fundedAt.at),
  });
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}
