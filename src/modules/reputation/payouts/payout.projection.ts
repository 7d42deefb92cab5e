import { Injectable, type OnModuleInit } from '@nestjs/common';
import { pathText } from '#libs/kernel';
import { ReplacedRows } from '../../../platform/database/replaced-rows.js';
import { DomainEvents } from '../../events/domain-events.js';
import { shownTaskIds, type TreeChanged } from '../../events/tree.events.js';
import { principalOf } from '../clusters/principals.js';
import { PayoutEntity } from './payout.entity.js';

const ROWS = new ReplacedRows<PayoutEntity>({
  table: 'payouts',
  key: ['task_id', 'node_path', 'recipient'],
  columns: {
    task_id: { type: 'text', of: ({ taskId }) => taskId },
    node_path: { type: 'text', of: ({ nodePath }) => pathText(nodePath) },
    recipient: { type: 'text', of: ({ recipient }) => recipient },
    worker_id: { type: 'text', of: ({ workerId }) => workerId },
    amount: { type: 'numeric', of: ({ amount }) => amount },
  },
});

/** Writes where the earnings of a task's nodes were paid out to. Trust runs use this to find common owners. */
@Injectable()
export class PayoutProjection implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on('trees_changed', (manager, { trees }) =>
      ROWS.replace(manager, shownTaskIds(trees), trees.flatMap(payoutsOf)),
    );
  }
}

/** One row for each node and recipient. */
function payoutsOf({ taskId, projection, nodes }: TreeChanged): PayoutEntity[] {
  const byPath = new Map(nodes.map((node) => [node.node.path, node]));
  const rows = new Map<string, PayoutEntity>();
  for (const { nodePath, worker, recipient, amount } of projection.withdrawals) {
    const key = `${nodePath} ${recipient}`;
    const workerId = principalOf(byPath.get(nodePath)?.workerAccountId ?? null, worker);
    const total = (rows.get(key)?.amount ?? 0n) + amount;
    rows.set(key, Object.assign(new PayoutEntity(), { taskId, nodePath, recipient, workerId, amount: total }));
  }
  return [...rows.values()];
}
