import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type FinalSettlement, finalSettlements } from '#libs/contracts';
import { MoneyDto } from '../../platform/http/input/money.dto.js';
import { ReplacedRows } from '../../platform/database/replaced-rows.js';
import { DomainEvents } from '../events/domain-events.js';
import type { RecordedEvent } from '../events/catalogue/event.js';
import { StepsByPlace } from '../events/steps-by-place.js';
import {
  partiesOf,
  type ResolvedNode,
  shownTaskIds,
  type TreeChanged,
  type TreesChanged,
} from '../events/tree.events.js';
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
    amount: { type: 'numeric', of: amountOf },
    transaction_hash: { type: 'text', of: ({ final }) => final.transactionHash },
    block_number: { type: 'integer', of: ({ final }) => final.blockNumber },
    payer_account_id: { type: 'text', of: ({ node }) => node.hirerAccountId },
    buyer_account_id: { type: 'text', of: ({ tree }) => tree.buyerAccountId },
    worker_account_id: { type: 'text', of: ({ node }) => node.workerAccountId },
    created_at: { type: 'timestamptz', of: ({ final }) => new Date(final.at * 1000) },
  },
});

/** Writes the receipts of settled nodes, and tells of them, once no node above can undo the settlement. */
@Injectable()
export class ReceiptProjection implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on('trees_changed', async (manager, { trees, tell }) => {
      const receipts = trees.flatMap(receiptsOf);
      await ROWS.replace(manager, shownTaskIds(trees), receipts);
      tellReceipts(receipts, tell);
    });
  }
}

function receiptsOf(tree: TreeChanged): ReceiptRow[] {
  const byPath = new Map(tree.nodes.map((node) => [node.node.path, node]));
  return finalSettlements(tree.projection).flatMap((settlement) => {
    const node = byPath.get(settlement.nodePath);
    return node ? [{ ...settlement, tree, node }] : [];
  });
}

/** The end of a node became final by one fact (`final`): where that is still to be told, so is the receipt. */
function tellReceipts(receipts: readonly ReceiptRow[], tell: TreesChanged['tell']): void {
  const stepsOf = new Map<TreeChanged, StepsByPlace>();
  for (const { tree, node, kind, final, ...settlement } of receipts) {
    if (tree.steps.length === 0) continue;
    const steps = stepsOf.get(tree) ?? new StepsByPlace(tree.steps);
    stepsOf.set(tree, steps);
    const step = steps.at(final);
    if (!step) continue;
    const event: RecordedEvent<'receipt.issued'> = {
      type: 'receipt.issued',
      at: new Date(final.at * 1000),
      subject: { kind: 'receipt', id: receiptIdOf(node.id), taskId: tree.taskId },
      audience: partiesOf(tree, node),
      data: {
        amount: MoneyDto.from(amountOf({ kind, ...settlement })),
        transaction_hash: final.transactionHash,
        node_id: node.id,
        outcome: kind,
      },
    };
    tell(event, step);
  }
}

function amountOf({
  kind,
  workerShare,
  hirerShare,
}: Pick<FinalSettlement, 'kind' | 'workerShare' | 'hirerShare'>): bigint {
  return kind === 'released' ? workerShare : hirerShare;
}
