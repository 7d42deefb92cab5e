import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
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

/**
 * - `task.created`: a draft, of which only its buyer knows.
 * - `task.opened`: its creation is signed; it takes offers.
 * - `task.agent_selected`: the buyer has signed a selection.
 * - `task.updated`: another change of its status, such as a submitted payment, a selection that has lapsed, or what a
 *   reorganisation leaves.
 * - `task.cancelled`: a draft that was not signed in time.
 * - `task.expired`: the time for offers is over and nothing was paid.
 * - `task.funded`, `task.delivered`, `task.rejected`, `task.disputed`, `task.resolved`, `task.refunded`: the status that
 *   the chain gives the task, by its root node.
 */
export interface TaskEvents {
  'task.created': TaskEventData;
  'task.opened': TaskEventData;
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
