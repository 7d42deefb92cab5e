import { ApiProperty } from '@nestjs/swagger';
import { LISTED_TASKS } from '../worked-nodes/earnings.sql.js';

const AMOUNT = { type: String, pattern: '^[0-9]+(\\.[0-9]{1,6})?$' } as const;

/** Earnings in one task. */
export class TaskEarningsDto {
  @ApiProperty({ type: String, example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  task_id!: string;

  @ApiProperty({ ...AMOUNT, example: '40.00' })
  pending!: string;

  @ApiProperty({ ...AMOUNT, example: '210.123456' })
  claimable!: string;
}

/** Earnings of an account over all its nodes. */
export class EarningsDto {
  @ApiProperty({
    ...AMOUNT,
    description: 'In nodes whose end, or the end of a node above, is still open.',
    example: '40.00',
  })
  pending!: string;

  @ApiProperty({ ...AMOUNT, description: 'What can be withdrawn now.', example: '210.123456' })
  claimable!: string;

  @ApiProperty({ ...AMOUNT, description: 'What was withdrawn so far.', example: '1250.00' })
  paid!: string;

  @ApiProperty({ type: String, example: 'USDC', description: 'Currency code; value: USDC.' })
  currency!: string;

  @ApiProperty({
    type: [TaskEarningsDto],
    description: `Tasks with something pending or claimable, newest first; at most ${LISTED_TASKS} of them. The sums are over all tasks.`,
  })
  by_task!: TaskEarningsDto[];
}
