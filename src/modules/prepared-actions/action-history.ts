import { Injectable } from '@nestjs/common';
import { factFromJson, type WireNodeState } from '#libs/contracts';
import { Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { EscrowNodeEntity } from '../escrow/escrow-node.entity.js';
import { ChainBlockEntity } from '../escrow/indexer/chain-block.entity.js';
import { ChainFactEntity } from '../escrow/indexer/chain-fact.entity.js';
import { isPreparableKind } from './action-kind.js';
import { actionStatusOf, type ActionStatus, type IndexedFact } from './action-status.js';
import { KindRegistry } from './kind-registry.js';
import type { PreparedActionEntity } from './prepared-action.entity.js';

/** Reads what has become of an action from the indexed chain; it follows reorganisations because nothing is stored. */
@Injectable()
export class ActionHistory {
  constructor(
    private readonly transactions: Transactions,
    private readonly kinds: KindRegistry,
    private readonly clock: Clock,
  ) {}

  /** The status as of now, see `actionStatusOf`. */
  async statusOf(action: PreparedActionEntity): Promise<{ status: ActionStatus; transactionHash: string | null }> {
    const [facts, tip, nodeState] = await Promise.all([
      this.factsOf(action),
      this.transactions.manager.maximum(ChainBlockEntity, 'number'),
      this.nodeStateOf(action),
    ]);
    const stateMovedOn = isPreparableKind(action.kind) && this.kinds.of(action.kind).isSupersededBy(nodeState);
    return actionStatusOf({ action, facts, tip, stateMovedOn, nowMs: this.clock.nowMs() });
  }

  /** What the action's wallet has done with its nonces in the action's own tree. */
  private async factsOf({ taskId, walletAddress }: PreparedActionEntity): Promise<IndexedFact[]> {
    if (taskId === null) return [];
    const rows = await this.transactions.manager
      .createQueryBuilder(ChainFactEntity, 'fact')
      .where('fact.task_id = :taskId', { taskId })
      .andWhere("fact.fact->>'type' IN ('ActionConsumed', 'NoncesInvalidated')")
      .andWhere("fact.fact->>'signer' = :walletAddress", { walletAddress })
      .orderBy('fact.blockNumber')
      .addOrderBy('fact.logIndex')
      .getMany();
    return rows.map(({ fact, blockNumber, transactionHash }) => ({
      fact: factFromJson(fact),
      blockNumber,
      transactionHash,
    }));
  }

  private async nodeStateOf({ nodeId }: PreparedActionEntity): Promise<WireNodeState | null> {
    if (nodeId === null) return null;
    const node = await this.transactions.manager.findOne(EscrowNodeEntity, {
      select: { id: true, state: true },
      where: { id: nodeId },
    });
    return node?.state ?? null;
  }
}
