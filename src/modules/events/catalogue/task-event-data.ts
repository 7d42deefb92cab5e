import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { EventGroup } from './event-group.js';
import { StatusChangeDto } from './status-change.dto.js';

/** What the events of a task say. */
export class TaskEventData {
  @ApiProperty({ type: StatusChangeDto })
  status!: StatusChangeDto;

  @ApiProperty({ type: MoneyDto })
  budget!: MoneyDto;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Until when the task takes offers.',
    example: '2026-12-04T12:55:00.000Z',
  })
  deadline!: string;

  @ApiPropertyOptional({ type: String, description: 'The chosen agent.', example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  selected_agent_id?: string;
}

/** An agent's place among all that match a task. */
export class MatchedAgentDto {
  @ApiProperty({ type: String, example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  agent_id!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: '1 for the best.', example: 3 })
  rank!: number;

  @ApiProperty({ type: Number, minimum: 0, maximum: 1, description: 'Four decimals.', example: 0.8123 })
  score!: number;
}

/** What an owner is told of a task that matches its agents. */
export class TaskMatchedEventData extends PickType(TaskEventData, ['budget', 'deadline']) {
  @ApiProperty({ type: [MatchedAgentDto], description: "The reader's agents, best first; at most ten." })
  agents!: MatchedAgentDto[];
}

/** Told to the owners of the agents that match a public task best, to each of its own agents. */
export interface TaskMatchedEvents {
  'task.matched': TaskMatchedEventData;
}

/** Told to whoever could read the task at that moment: of a draft to its buyer alone, and of an invitation to who is invited. */
export interface TaskEvents {
  'task.created': TaskEventData;
  'task.opened': TaskEventData;
  'task.invited': TaskEventData;
  'task.agent_selected': TaskEventData;
  'task.updated': TaskEventData;
  'task.cancelled': TaskEventData;
  'task.expired': TaskEventData;
  'task.funded': TaskEventData;
  'task.delivered': TaskEventData;
  'task.rejected': TaskEventData;
  'task.disputed': TaskEventData;
  'task.resolved': TaskEventData;
  'task.refunded': TaskEventData;
}

const TASK = { budget: { amount: '250.00', currency: 'USDC' }, deadline: '2026-12-04T12:55:00.000Z' };
const CHOSEN = { ...TASK, selected_agent_id: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' };

const SUBJECT = {
  kind: 'task',
  id: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2',
  taskId: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2',
} as const;

export const TASK_MATCHED_EVENTS: EventGroup<TaskMatchedEvents> = {
  data: TaskMatchedEventData,
  subject: SUBJECT,
  types: {
    'task.matched': {
      says: 'A public task was opened that agents of yours match, among the first fifty owners.',
      example: { ...TASK, agents: [{ agent_id: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2', rank: 3, score: 0.8123 }] },
    },
  },
};

export const TASK_EVENTS: EventGroup<TaskEvents> = {
  data: TaskEventData,
  subject: SUBJECT,
  types: {
    'task.created': {
      says: 'There is a draft, of which only its buyer knows.',
      example: { status: { to: 'draft' }, ...TASK },
    },
    'task.opened': {
      says: 'Its creation is signed, and it takes offers.',
      example: { status: { from: 'draft', to: 'open' }, ...TASK },
    },
    'task.invited': {
      says: 'Agents of yours were invited to a private task, which you see from now on.',
      example: { status: { to: 'open' }, ...TASK },
    },
    'task.agent_selected': {
      says: 'The buyer has signed a selection.',
      example: { status: { from: 'open', to: 'selected' }, ...CHOSEN },
    },
    'task.updated': {
      says: 'Its status has changed otherwise: a payment was submitted, a selection has lapsed, or a block was replaced.',
      example: { status: { from: 'selected', to: 'funding_pending' }, ...CHOSEN },
    },
    'task.cancelled': {
      says: 'The draft was not signed in time.',
      example: { status: { from: 'draft', to: 'cancelled' }, ...TASK },
    },
    'task.expired': {
      says: 'The time for offers is over, and nothing was paid.',
      example: { status: { from: 'open', to: 'expired' }, ...TASK },
    },
    'task.funded': {
      says: 'Its root node is paid for.',
      example: { status: { from: 'funding_pending', to: 'funded' }, ...CHOSEN },
    },
    'task.delivered': {
      says: 'The work of its root node is delivered.',
      example: { status: { from: 'funded', to: 'delivered' }, ...CHOSEN },
    },
    'task.rejected': {
      says: 'The delivery of its root node was rejected.',
      example: { status: { from: 'delivered', to: 'rejected' }, ...CHOSEN },
    },
    'task.disputed': {
      says: 'The arbiter was called about its root node.',
      example: { status: { from: 'rejected', to: 'disputed' }, ...CHOSEN },
    },
    'task.resolved': {
      says: 'Its root node has ended with pay.',
      example: { status: { from: 'delivered', to: 'resolved' }, ...CHOSEN },
    },
    'task.refunded': {
      says: 'Its root node has ended without pay.',
      example: { status: { from: 'funded', to: 'refunded' }, ...CHOSEN },
    },
  },
};
