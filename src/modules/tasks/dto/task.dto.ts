import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { TaskEntity } from '../task.entity.js';

const NO_ARBITER = `0x${'0'.repeat(40)}`;

/** A task in the API. No member depends on the caller, so a list can copy the stored text. */
export class TaskDto {
  @ApiProperty({ type: String, example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  id!: string;

  @ApiProperty({ type: String, minLength: 1, maxLength: 20_000, example: 'Translate the attached 40 pages.' })
  brief!: string;

  @ApiProperty({ type: MoneyDto })
  budget!: MoneyDto;

  @ApiProperty({ type: String, description: 'Values: manual, auto. Open enumeration.', example: 'manual' })
  selection_mode!: string;

  @ApiProperty({
    type: String,
    description:
      'Values: draft, open, selected, funding_pending, funded, delivered, rejected, disputed, resolved, refunded, cancelled, expired. Open enumeration.',
    example: 'draft',
  })
  status!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T12:55:00.000Z' })
  created_at!: string;

  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 200, example: 'Translate 40 pages' })
  title?: string;

  @ApiPropertyOptional({ type: [String], maxItems: 50, example: ['Every page is translated'] })
  criteria?: string[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 172_800,
    maximum: 7_776_000,
    description: 'seconds',
    example: 259_200,
  })
  accept_window_seconds?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 86_400,
    maximum: 31_536_000,
    description: 'seconds',
    example: 604_800,
  })
  delivery_window_seconds?: number;

  @ApiPropertyOptional({
    type: String,
    description: 'Values: public, private_curated, confidential_hosted. Open enumeration.',
    example: 'public',
  })
  tier?: string;

  @ApiPropertyOptional({ type: String, description: 'The chosen agent.', example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  selected_agent_id?: string;

  @ApiPropertyOptional({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description: 'SHA-256 of the frozen terms (JCS).',
  })
  terms_hash?: string;

  @ApiPropertyOptional({ type: String, pattern: '^0x[a-fA-F0-9]{40}$', description: "The tree's escrow contract." })
  escrow_address?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Until when the task takes offers; without a funded node it expires then.',
    example: '2026-12-04T12:55:00.000Z',
  })
  deadline?: string;

  @ApiPropertyOptional({
    type: String,
    pattern: '^0x[a-fA-F0-9]{40}$',
    description: 'Wallet that may rule on disputes, as in the frozen terms; absent when nobody may.',
  })
  arbiter?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description:
      'Since when the operator hides the task: its parties alone see it, and can do all they could before. Absent while it is not hidden.',
    example: '2026-11-24T09:30:00.000Z',
  })
  hidden_at?: string;

  static from(task: TaskEntity): TaskDto {
    return {
      id: task.id,
      brief: task.brief,
      budget: MoneyDto.from(task.budget),
      selection_mode: task.selectionMode,
      status: task.status,
      created_at: task.createdAt.toISOString(),
      ...(task.title === null ? {} : { title: task.title }),
      criteria: task.criteria,
      accept_window_seconds: task.acceptWindowSeconds,
      delivery_window_seconds: task.deliveryWindowSeconds,
      tier: task.tier,
      ...(task.selectedAgentId === null ? {} : { selected_agent_id: task.selectedAgentId }),
      terms_hash: task.termsHash,
      escrow_address: task.escrowAddress,
      deadline: task.offersUntil.toISOString(),
      ...(task.arbiterWallet === NO_ARBITER ? {} : { arbiter: task.arbiterWallet }),
      ...(task.hiddenAt ? { hidden_at: task.hiddenAt.toISOString() } : {}),
    };
  }
}
