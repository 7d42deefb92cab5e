import type { EntityManager } from 'typeorm';
import { pathText } from '#libs/kernel';
import { ReplacedRows } from '../../../platform/database/replaced-rows.js';
import { type ResolvedNode, shownTaskIds, type TreeChanged } from '../../events/tree.events.js';

interface OwnedNode extends ResolvedNode {
  readonly taskId: string;
}

interface Books {
  readonly taskId: string;
  readonly ledger: TreeChanged['projection']['ledger'];
  readonly blockNumber: number;
}

const NODES = new ReplacedRows<OwnedNode>({
  table: 'escrow_nodes',
  key: ['id'],
  columns: {
    id: { type: 'text', of: ({ id }) => id },
    task_id: { type: 'text', of: ({ taskId }) => taskId },
    path: { type: 'text', of: ({ node }) => pathText(node.path) },
    parent_node_id: { type: 'text', of: ({ parentNodeId }) => parentNodeId },
    hirer_agent_id: { type: 'text', of: ({ hirerAgentId }) => hirerAgentId },
    hirer_account_id: { type: 'text', of: ({ hirerAccountId }) => hirerAccountId },
    worker_agent_id: { type: 'text', of: ({ workerAgentId }) => workerAgentId },
    worker_account_id: { type: 'text', of: ({ workerAccountId }) => workerAccountId },
    hirer_wallet: { type: 'text', of: ({ node }) => node.hirer },
    worker_wallet: { type: 'text', of: ({ node }) => node.worker },
    visible_account_ids: { type: 'words', of: ({ visibleAccountIds }) => visibleAccountIds },
    amount: { type: 'numeric', of: ({ node }) => node.amount },
    pool: { type: 'numeric', of: ({ node }) => node.pool },
    allocated: { type: 'numeric', of: ({ node }) => node.allocated },
    floor: { type: 'numeric', of: ({ node }) => node.floor },
    withdrawn: { type: 'numeric', of: ({ node }) => node.withdrawn },
    version: { type: 'integer', of: ({ node }) => node.version },
    revisions: { type: 'integer', of: ({ node }) => node.revisions },
    max_revisions: { type: 'integer', of: ({ node }) => node.maxRevisions },
    state: { type: 'text', of: ({ state }) => state },
    outcome: { type: 'text', of: ({ outcome }) => outcome },
    hirer_funded: { type: 'boolean', of: ({ node }) => node.hirerFunded },
    pay_out: { type: 'boolean', of: ({ node }) => node.payOut },
    delivery_deadline: { type: 'timestamptz', of: ({ node }) => dateOf(node.deliverBy) },
    clock: { type: 'timestamptz', of: ({ node }) => dateOf(node.clock) },
    accept_window_seconds: { type: 'integer', of: ({ node }) => node.acceptWindow },
    artifact_hash: { type: 'text', of: ({ node }) => node.artifactHash },
    terms_hash: { type: 'text', of: ({ node }) => node.termsHash },
    funded_at: { type: 'timestamptz', of: ({ node }) => dateOf(node.fundedAt.at) },
  },
});

const BOOKS = new ReplacedRows<Books>({
  table: 'escrow_trees',
  key: ['task_id'],
  columns: {
    task_id: { type: 'text', of: ({ taskId }) => taskId },
    funded: { type: 'numeric', of: ({ ledger }) => ledger.funded },
    held: { type: 'numeric', of: ({ ledger }) => ledger.held },
    paid: { type: 'numeric', of: ({ ledger }) => ledger.paid },
    refundable: { type: 'numeric', of: ({ ledger }) => ledger.refundable },
    block_number: { type: 'integer', of: ({ blockNumber }) => blockNumber },
  },
});

/** Writes the books and the nodes of trees, as far as they differ from what is there. */
export async function writeTreeRows(manager: EntityManager, trees: readonly TreeChanged[]): Promise<void> {
  const taskIds = shownTaskIds(trees);
  await BOOKS.replace(manager, taskIds, trees.flatMap(booksOf));
  await NODES.replace(manager, taskIds, trees.flatMap(nodesOf));
}

function booksOf({ taskId, projection: { ledger }, blockNumber }: TreeChanged): Books[] {
  return blockNumber === null ? [] : [{ taskId, ledger, blockNumber }];
}

function nodesOf({ taskId, nodes }: TreeChanged): OwnedNode[] {
  return nodes.map((resolved) => ({ ...resolved, taskId }));
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}
