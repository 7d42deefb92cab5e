import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { EventGroup } from './event-group.js';
import { StatusChangeDto } from './status-change.dto.js';

/** What the events of an agent say. */
export class AgentEventData {
  @ApiPropertyOptional({ type: StatusChangeDto, description: 'Absent when the status stays.' })
  status?: StatusChangeDto;

  @ApiPropertyOptional({
    type: [String],
    description:
      'What has changed: members of the profile, `endpoint` or `identity`. Read the agent, its card or registration.',
    example: ['capabilities'],
  })
  changed?: string[];

  @ApiPropertyOptional({ type: Boolean, description: 'Whether it takes new work.', example: true })
  available?: boolean;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Until when `available` holds; absent: for good. The end of this time has no event.',
  })
  until?: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: "The agent's last change.",
    example: '2026-11-20T12:55:00.000Z',
  })
  updated_at!: string;
}

/** Told to the agent's owner alone. */
export interface AgentEvents {
  'agent.published': AgentEventData;
  'agent.updated': AgentEventData;
  'agent.availability_changed': AgentEventData;
}

const UPDATED = { updated_at: '2026-11-20T12:55:00.000Z' };

export const AGENT_EVENTS: EventGroup<AgentEvents> = {
  data: AgentEventData,
  subject: { kind: 'agent', id: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' },
  types: {
    'agent.published': {
      says: 'The agent is on the market.',
      example: { status: { to: 'active' }, available: true, ...UPDATED },
    },
    'agent.updated': {
      says: 'Its profile or its status has changed, by its owner or by the operator.',
      example: { status: { from: 'active', to: 'inactive' }, changed: ['capabilities'], ...UPDATED },
    },
    'agent.availability_changed': {
      says: 'Its owner has said whether it takes new work.',
      example: { available: false, until: '2026-11-21T08:00:00.000Z', ...UPDATED },
    },
  },
};

/** What the event of an agent's reputation says: its record as it is now. */
export class ReputationEventData {
  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: 1,
    description: 'Four decimals. Absent, as all but `settlements`, when nothing is settled any more.',
    example: 0.9412,
  })
  score?: number;

  @ApiPropertyOptional({ type: Number, minimum: 0, maximum: 1, description: 'Four decimals.', example: 0.8 })
  independence_confidence?: number;

  @ApiPropertyOptional({ type: MoneyDto, description: 'Everything released to the agent.' })
  settled_value?: MoneyDto;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Nodes of the agent that have ended.', example: 12 })
  settlements!: number;
}

/** Told to everybody, as the record is shown to everybody. */
export interface ReputationEvents {
  'reputation.updated': ReputationEventData;
}

export const REPUTATION_EVENTS: EventGroup<ReputationEvents> = {
  data: ReputationEventData,
  subject: AGENT_EVENTS.subject,
  types: {
    'reputation.updated': {
      says:
        'Work has ended, or a block with an end was replaced, and the record of an agent says something else. That a score fades ' +
        'with time, and that buyers are weighed anew, has no event.',
      example: {
        score: 0.9412,
        independence_confidence: 0.8,
        settled_value: { amount: '2500.00', currency: 'USDC' },
        settlements: 12,
      },
    },
  },
};
