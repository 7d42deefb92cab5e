import type { ActionKind } from '#libs/prepared-action';
import { moveNode } from '../state/node-effects.js';
import { contestBy } from '../state/node-money.js';
import {
  type ActionRequest,
  amountOf,
  expectedOf,
  membersOf,
  onNode,
  type Planned,
  tokenOf,
} from './action-request.js';
import { createTask, fundTask, selectAgent, subcontract, submitQuote } from './hiring-plans.js';
import { deliver, tellDelivery, withdrawEarnings, withdrawRefund } from './work-plans.js';

/** How each kind is prepared, and what it does. */
export const PLANS: Readonly<Record<ActionKind, (request: ActionRequest) => Planned>> = {
  create_task: createTask,
  submit_quote: submitQuote,
  select_agent: selectAgent,
  fund_task: fundTask,
  subcontract,
  deliver,
  resolve_task: (request) =>
    onNode(request, 'resolve_task', 'hirer', (node) => ({
      own: { worker: node.worker.address, token: tokenOf(request), ...amountOf(node), artifactHash: node.artifactHash },
      effect: () => {
        moveNode(request.state, node, 5, 'accepted');
        tellDelivery(request.state, node, 'released');
      },
    })),
  reject_task: (request) =>
    onNode(request, 'reject_task', 'hirer', (node) => ({
      own: { artifactHash: node.artifactHash, ...expectedOf('reject_task', request) },
      effect: () => {
        // A rejection that nobody can answer is final.
        const { state } = request;
        if (contestBy(node, state.nowSeconds()) > state.nowSeconds()) moveNode(state, node, 3);
        else moveNode(state, node, 6, 'rejection_final');
        tellDelivery(request.state, node, 'rejected', membersOf(request)['reason']);
      },
    })),
  abandon_node: (request) =>
    onNode(request, 'abandon_node', 'worker', (node) => ({
      own: { token: tokenOf(request), ...amountOf(node) },
      effect: () => moveNode(request.state, node, 7, 'abandoned'),
    })),
  claim_non_delivery: (request) =>
    onNode(request, 'claim_non_delivery', 'anyone', (node) => ({
      own: { token: tokenOf(request), ...amountOf(node) },
      effect: () => moveNode(request.state, node, 6, 'non_delivery'),
    })),
  dispute_node: (request) =>
    onNode(request, 'dispute_node', 'worker', (node) => ({
      own: expectedOf('dispute_node', request),
      effect: () => moveNode(request.state, node, 4),
    })),
  withdraw_earnings: withdrawEarnings,
  withdraw_refund: withdrawRefund,
};

/** What each operation that prepares an action prepares. */
export const KIND_OF_OPERATION: Readonly<Record<string, ActionKind>> = {
  prepareTaskCreation: 'create_task',
  prepareQuote: 'submit_quote',
  prepareTaskSelection: 'select_agent',
  prepareTaskFunding: 'fund_task',
  prepareSubcontract: 'subcontract',
  submitDelivery: 'deliver',
  prepareTaskResolution: 'resolve_task',
  prepareNodeResolution: 'resolve_task',
  prepareTaskRejection: 'reject_task',
  prepareNodeRejection: 'reject_task',
  prepareNodeAbandonment: 'abandon_node',
  prepareNodeNonDeliveryClaim: 'claim_non_delivery',
  prepareNodeDispute: 'dispute_node',
  prepareEarningsWithdrawal: 'withdraw_earnings',
  prepareRefundWithdrawal: 'withdraw_refund',
};
