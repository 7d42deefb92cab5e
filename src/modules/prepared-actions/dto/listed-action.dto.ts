import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { actionMembers } from '../action/action-envelope.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { Standing } from '../action/action-status.js';
import { ActionDto, type ActionRecord, standingMembers } from './action.dto.js';

/**
 * An action as the list shows it: what it is and what has become of it. What is signed, its code and its calls are left to
 * a read of the one action: they are most of its bytes, and nobody signs from a list.
 */
export class ListedActionDto extends OmitType(ActionDto, [
  'payload',
  'match_code',
  'transaction',
  'valid_until',
  'transaction_hash',
] as const) {
  @ApiPropertyOptional({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description:
      'The transaction that executed the action, or else the one that was handed in, as long as it decides the status.',
  })
  transaction_hash?: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T12:55:00.000Z' })
  created_at!: string;

  /** @param link to its page, for a credential that may act on it; null for others. */
  static from(
    action: ActionRecord & Pick<PreparedActionEntity, 'createdAt'>,
    standing: Standing,
    link: string | null,
  ): ListedActionDto {
    return {
      ...actionMembers(action),
      ...(link === null ? {} : { signing_url: link }),
      ...standingMembers(action, standing),
      created_at: action.createdAt.toISOString(),
    };
  }
}
