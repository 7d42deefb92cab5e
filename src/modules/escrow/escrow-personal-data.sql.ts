import type { PersonalTable } from '../../platform/database/personal-data.js';
import { isInNode, nodesOfParty } from './escrow.sql-views.js';

/** What the index of the chain holds about an account. */
export const ESCROW_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'escrow_trees',
    of: 'own.task_id IN (SELECT id FROM tasks WHERE buyer_account_id = $1)',
    kept: 'the books of a tree, as the chain has them',
  },
  {
    table: 'told_trees',
    of: 'own.task_id IN (SELECT id FROM tasks WHERE buyer_account_id = $1)',
    kept: 'up to which block the events of a tree were told',
  },
  {
    table: 'told_deadlines',
    of: `own.node_id = ${nodesOfParty('$1')}`,
    kept: 'which moments of the deadlines of a node were told',
  },
  {
    table: 'escrow_nodes',
    of: isInNode('own', '$1'),
    kept: 'amounts, hashes, wallets and times of nodes, as the chain has them',
  },
];

/** True in SQL when a node names the agent `own` as its hirer or worker. */
export const NAMES_AGENT = `EXISTS (SELECT FROM escrow_nodes node WHERE own.id IN (node.worker_agent_id, node.hirer_agent_id))`;
