import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ActionStatus } from '../action-status.js';
import type { PreparedActionEntity } from '../prepared-action.entity.js';
import { PreparedActionDto } from './prepared-action.dto.js';

/** A prepared action and what has become of it (design/interface.md §1, getAction). */
export class ActionDto extends PreparedActionDto {
  @ApiProperty({
    type: String,
    description:
      'Values: prepared, opened, signed, submitted, confirmed, final, declined, expired, superseded, failed, unknown. ' +
      'Open enumeration.',
    example: 'confirmed',
  })
  status!: string;

  @ApiPropertyOptional({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description: 'The transaction that executed the action.',
  })
  transaction_hash?: string;

  /** `signingUrl` is the link as it was issued with the action. */
  static of(
    action: PreparedActionEntity,
    signingUrl: string,
    { status, transactionHash }: { status: ActionStatus; transactionHash: string | null },
  ): ActionDto {
    return Object.assign(PreparedActionDto.from(action, signingUrl), {
      status,
      ...(transactionHash === null ? {} : { transaction_hash: transactionHash }),
    });
  }
}
