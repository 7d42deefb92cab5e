import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type FinalSettlement, finalSettlements } from '#libs/contracts';
import { ReplacedRows } from '../../platform/database/replaced-rows.js';
import { DomainEvents } from '../events/domain-events.js';
import { type ResolvedNode, shownTaskIds, type TreeChanged } from '../events/tree.events.js';
import { receiptIdOf } from './receipt-id.js';

interface ReceiptRow extends FinalSettlement {
  readonly tree: TreeChanged;
  readonly node: ResolvedNode;
}

const ROWS = new ReplacedRows<ReceiptRow>({
  table: 'receipts',
  key: ['id'],
  columns: {
    id: { type: 'text', of: ({ node }) => receiptIdOf(node.id) },
    task_id: { type: 'text', of: ({ tree }) => tree.taskId },
    node_id: { type: 'text', of: ({ node }) => node.id },
    outcome: { type: 'text', of: ({ kind }) => kind },
    amount: {
      type: 'numeric',
      of: ({ kind, workerShare, hirerShare }) => (kind === 'released' ? workerShare : hirerShare),
    },
    transaction_hash: { type: 'text', of: ({ final }) => final.transactionHash },
    block_number: { type: 'integer', of: ({ final }) => final.blockNumber },
    payer_account_id: { type: 'text', of: ({ node }) => node.hirerAccountId },
    buyer_account_id: { type: 'text', of: ({ tree }) => tree.buyerAccountId },
    worker_account_id: { type: 'text', of: ({ node }) => node.workerAccountId },
    created_at: { type: 'timestamptz', of: ({ final }) => new Date(final.at * 1000) },
  },
});

/** Writes the receipts of settled nodes, once no node above can undo the settlement. */
@Injectable()
export class ReceiptProjection implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on('trees_changed', (manager, { trees }) =>
      ROWS.replace(manager, shownTaskIds(trees), trees.flatMap(receiptsOf)),
    );
  }
}

function receiptsOf(tree: TreeChanged): ReceiptRow[] {
  const byPath = new Map(tree.nodes.map((node) => [node.node.path, node]));
  return finalSettlements(tree.projection).flatMap((settlement) => {
    const node = byPath.get(settlement.nodePath);
    return node ? [{ ...settlement, tree, node }] : [];
  });
}
