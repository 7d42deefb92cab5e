import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { EventGroup } from './event-group.js';
import { StatusChangeDto } from './status-change.dto.js';

/** What the events of a node say. */
export class NodeEventData {
  @ApiPropertyOptional({ type: StatusChangeDto, description: "The node's `state`. Absent when it stays." })
  status?: StatusChangeDto;

  @ApiProperty({ type: MoneyDto, description: 'What the node was funded with.' })
  amount!: MoneyDto;

  @ApiProperty({
    type: String,
    description: 'Agent that works; wallet_<address> when the wallet belongs to no agent.',
    example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  worker_agent_id!: string;

  @ApiPropertyOptional({ type: String, description: 'Node whose worker hires; absent for a root node.' })
  parent_node_id?: string;

  @ApiPropertyOptional({ type: String, description: 'The new node below, whose own events follow.' })
  child_node_id?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'End of the time that runs from now on: to deliver, to reject, to contest or to rule.',
    example: '2026-11-27T12:55:00.000Z',
  })
  deadline?: string;

  @ApiPropertyOptional({
    type: String,
    description:
      'Why the node ended: accepted, accept_window_lapsed, ruled, agreed, ruling_lapsed, non_delivery, rejection_final, abandoned. Open enumeration.',
    example: 'accepted',
  })
  outcome?: string;

  @ApiPropertyOptional({ type: MoneyDto, description: 'What the end leaves with the worker and the nodes below.' })
  worker_share?: MoneyDto;

  @ApiPropertyOptional({ type: MoneyDto, description: 'What the end gives back to where the money came from.' })
  hirer_share?: MoneyDto;
}

/**
 * Told to those that see the node: the buyer, and the owners of its worker and its hirer and of everybody above. A node
 * is there once its money is in the escrow, so its first event is `node.funded`; the others are named as its states.
 */
export interface NodeEvents {
  'node.funded': NodeEventData;
  'node.subcontracted': NodeEventData;
  'node.delivered': NodeEventData;
  'node.rejected': NodeEventData;
  'node.disputed': NodeEventData;
  'node.released': NodeEventData;
  'node.refunded': NodeEventData;
}

/** What the events of a node's deadline say. */
export class NodeDeadlineData extends PickType(NodeEventData, ['amount', 'worker_agent_id', 'parent_node_id']) {
  @ApiProperty({
    type: String,
    format: 'date-time',
    description:
      "It concerns the node for as long as the node's `due_at` or `delivery_deadline` is the same: after a further " +
      'transition, or one that a `chain.reverted` takes back, it says nothing any more.',
    example: '2026-11-27T12:55:00.000Z',
  })
  deadline!: string;

  @ApiProperty({
    type: String,
    description: 'Values: deliver, reject, contest, rule. What can be done until then. Open enumeration.',
    example: 'deliver',
  })
  until_then!: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Of `node.deadline_approaching`: less than so many hours are left, 24 or 1.',
    example: 24,
  })
  hours?: number;

  @ApiProperty({
    type: String,
    description: "The node's `state`, which the deadline alone does not change.",
    example: 'funded',
  })
  state!: string;

  @ApiProperty({ type: String, description: 'The state that time has decided, as of the node.', example: 'funded' })
  effective_state!: string;
}

/** Told to those that see the node, by time alone: once each, also where the service was away at the moment. */
export interface NodeDeadlineEvents {
  'node.deadline_approaching': NodeDeadlineData;
  'node.deadline_passed': NodeDeadlineData;
}

const NODE = {
  amount: { amount: '250.00', currency: 'USDC' },
  worker_agent_id: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2',
  deadline: '2026-11-27T12:55:00.000Z',
};

export const NODE_EVENTS: EventGroup<NodeEvents> = {
  data: NodeEventData,
  subject: { kind: 'node', id: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1', taskId: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' },
  isOfTheChain: true,
  types: {
    'node.funded': {
      says: 'The money of the node is in the escrow, and its worker can begin.',
      example: { status: { to: 'funded' }, ...NODE },
    },
    'node.subcontracted': {
      says: 'Its worker has hired below; the state stays.',
      example: { ...NODE, child_node_id: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1-1' },
    },
    'node.delivered': {
      says: 'Its worker has delivered, and its hirer has until the deadline to reject.',
      example: { status: { from: 'funded', to: 'delivered' }, ...NODE },
    },
    'node.rejected': {
      says: 'Its hirer has rejected the delivery, and its worker has until the deadline to answer.',
      example: { status: { from: 'delivered', to: 'rejected' }, ...NODE },
    },
    'node.disputed': {
      says: 'Its worker has called the arbiter, who has until the deadline to rule.',
      example: { status: { from: 'rejected', to: 'disputed' }, ...NODE },
    },
    'node.released': {
      says: 'It has ended with pay; `outcome` says why.',
      example: {
        status: { from: 'delivered', to: 'released' },
        ...NODE,
        outcome: 'accepted',
        worker_share: { amount: '250.00', currency: 'USDC' },
        hirer_share: { amount: '0.00', currency: 'USDC' },
      },
    },
    'node.refunded': {
      says: 'It has ended without pay; `outcome` says why.',
      example: {
        status: { from: 'funded', to: 'refunded' },
        ...NODE,
        outcome: 'abandoned',
        worker_share: { amount: '0.00', currency: 'USDC' },
        hirer_share: { amount: '250.00', currency: 'USDC' },
      },
    },
  },
};

const { amount, worker_agent_id, deadline } = NODE;

export const NODE_DEADLINE_EVENTS: EventGroup<NodeDeadlineEvents> = {
  data: NodeDeadlineData,
  subject: NODE_EVENTS.subject,
  types: {
    'node.deadline_approaching': {
      says:
        'A time to act ends in less than 24 hours, or in less than one. Nobody is warned of a time that was no longer than ' +
        'that from the beginning.',
      example: {
        deadline,
        until_then: 'deliver',
        hours: 24,
        state: 'funded',
        effective_state: 'funded',
        amount,
        worker_agent_id,
      },
    },
    'node.deadline_passed': {
      says: 'A time to act is over, and nothing that a block says has used it.',
      example: {
        deadline,
        until_then: 'reject',
        state: 'delivered',
        effective_state: 'released',
        amount,
        worker_agent_id,
      },
    },
  },
};
