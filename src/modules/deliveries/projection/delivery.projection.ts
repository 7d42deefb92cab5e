import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { TreeDelivery } from '#libs/contracts';
import { ReplacedRows } from '../../../platform/database/replaced-rows.js';
import { DomainEvents } from '../../events/domain-events.js';
import { type ResolvedNode, shownTaskIds, type TreeChanged } from '../../events/tree.events.js';
import { tellDeliveries } from './delivery-events.js';
import { deliveryIdOf } from '../delivery-id.js';
import { deliveryStatusOf } from '../delivery.lifecycle.js';
import { NO_REASON } from '../rejection-reason-store.js';

interface DeliveryRow extends TreeDelivery {
  readonly tree: TreeChanged;
  readonly node: ResolvedNode;
}

const ROWS = new ReplacedRows<DeliveryRow>({
  table: 'deliveries',
  key: ['id'],
  columns: {
    id: { type: 'text', of: ({ node, revision }) => deliveryIdOf(node.id, revision) },
    task_id: { type: 'text', of: ({ tree }) => tree.taskId },
    node_id: { type: 'text', of: ({ node }) => node.id },
    artifact_hash: { type: 'text', of: ({ artifactHash }) => artifactHash },
    status: { type: 'text', of: ({ node, ...delivery }) => deliveryStatusOf(delivery, node.state) },
    revision: { type: 'integer', of: ({ revision }) => revision },
    reason_hash: { type: 'text', of: ({ reasonHash }) => (reasonHash === NO_REASON ? null : reasonHash) },
    payer_account_id: { type: 'text', of: ({ node }) => node.hirerAccountId },
    buyer_account_id: { type: 'text', of: ({ tree }) => tree.buyerAccountId },
    worker_account_id: { type: 'text', of: ({ node }) => node.workerAccountId },
    created_at: { type: 'timestamptz', of: ({ delivered }) => new Date(delivered.at * 1000) },
  },
});

/** Writes the deliveries that the chain records, and tells of them. */
@Injectable()
export class DeliveryProjection implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on('trees_changed', async (manager, { trees, tell }) => {
      await ROWS.replace(manager, shownTaskIds(trees), trees.flatMap(deliveriesOf));
      for (const tree of trees) tellDeliveries(tree, tell);
    });
  }
}

function deliveriesOf(tree: TreeChanged): DeliveryRow[] {
  const byPath = new Map(tree.nodes.map((node) => [node.node.path, node]));
  return tree.projection.deliveries.flatMap((delivery) => {
    const node = byPath.get(delivery.nodePath);
    return node ? [{ ...delivery, tree, node }] : [];
  });
}
