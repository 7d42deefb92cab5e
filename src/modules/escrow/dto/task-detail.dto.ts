import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TaskDto } from '../../tasks/task-reader.js';

/** A task as one caller sees it now (additive members: docs/decisions/interface.md#fields-and-ranges). */
export class TaskDetailDto extends TaskDto {
  @ApiProperty({
    type: [String],
    description:
      'Kinds of action that the caller may prepare now: for the task, and for the root node that decides about it. Open ' +
      'enumeration.',
    example: ['select_agent'],
  })
  allowed_actions!: string[];

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'When silence decides next; absent when no time decides any more.',
    example: '2026-12-04T12:55:00.000Z',
  })
  due_at?: string;

  @ApiPropertyOptional({
    type: String,
    description:
      'What happens, when, with which amount, if nobody acts; absent for who may not see the node that decides it.',
    example: 'Without a funded node by 2026-12-04T12:55:00Z, the task expires; no money is involved.',
  })
  next?: string;

  /** Adds to a task the members that depend on the caller and on time. */
  static fromTask(
    task: TaskDto,
    { allowedActions, dueAt, next }: { allowedActions: string[]; dueAt: Date | null; next: string | null },
  ): TaskDetailDto {
    return Object.assign(task, {
      allowed_actions: allowedActions,
      ...(dueAt === null ? {} : { due_at: dueAt.toISOString() }),
      ...(next === null ? {} : { next }),
    });
  }
}
