import { ApiProperty } from '@nestjs/swagger';
import { MAX_INVITED } from './invite-agents.body.js';

/** The agents that the buyer of a task has invited. */
export class TaskInvitationsDto {
  @ApiProperty({ type: String, example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  task_id!: string;

  @ApiProperty({
    type: [String],
    maxItems: MAX_INVITED,
    description: 'Every agent that is invited to the task now, those of this request among them; the earliest first.',
    example: ['agent_01k9q2m4t8v6w0y2z4a6c8e0g2'],
  })
  agent_ids!: string[];

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_INVITED,
    description: 'How many more agents can be invited to the task.',
    example: 199,
  })
  remaining!: number;
}
