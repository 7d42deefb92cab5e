import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { StatusChangeDto } from './status-change.dto.js';

/** What the events of an agent say. */
export class AgentEventData {
  @ApiPropertyOptional({ type: StatusChangeDto, description: 'Absent when the status stays.' })
  status?: StatusChangeDto;

  @ApiPropertyOptional({
    type: [String],
    description: 'Names of the changed members of the profile; read the agent for their values.',
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

/** Told to the agent's owner alone. A suspension by the operator and its end are updates. */
export interface AgentEvents {
  'agent.published': AgentEventData;
  'agent.updated': AgentEventData;
  'agent.availability_changed': AgentEventData;
}
