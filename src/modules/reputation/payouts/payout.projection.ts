import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../../platform/events/domain-events.js';
import type { TreeChanged } from '../../../platform/events/tree.events.js';
import { principalOf } from '../evidence/principals.js';
import { PayoutEntity } from './payout.entity.js';

/** Where the earnings of a task's nodes went: read by the trust runs, which find common owners by it. */
@Injectable()
export class PayoutProjection implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on('tree_changed', (manager, change) => this.apply(manager, change));
  }

  private async apply(manager: EntityManager, change: TreeChanged): Promise<void> {
    const { taskId } = change;
    const after = payoutsOf(change);
    const before = await manager.find(PayoutEntity, { where: { taskId } });
    const isKept = before.length === after.length && after.every((one) => before.some((other) => isSame(one, other)));
    if (isKept) return;
    await manager.delete(PayoutEntity, { taskId });
    if (after.length > 0) await manager.insert(PayoutEntity, after);
  }
}

/** One row for each node and recipient. */
function payoutsOf({ taskId, projection, nodes }: TreeChanged): PayoutEntity[] {
  const byNumber = new Map(nodes.map((node) => [node.node.number, node]));
  const rows = new Map<string, PayoutEntity>();
  for (const { nodeNumber, worker, recipient, amount } of projection.withdrawals) {
    const key = `${nodeNumber} ${recipient}`;
    const workerId = principalOf(byNumber.get(nodeNumber)?.workerAccountId ?? null, worker);
    const total = (rows.get(key)?.amount ?? 0n) + amount;
    rows.set(key, Object.assign(new PayoutEntity(), { taskId, nodeNumber, recipient, workerId, amount: total }));
  }
  return [...rows.values()];
}

function isSame(one: PayoutEntity, other: PayoutEntity): boolean {
  return (
    one.nodeNumber === other.nodeNumber &&
    one.recipient === other.recipient &&
    one.workerId === other.workerId &&
    one.amount === other.amount
  );
}
