import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ActionStatus } from '#libs/prepared-action';
import { envelopeOf } from '../action-envelope.js';
import type { PreparedActionEntity } from '../prepared-action.entity.js';
import type { SignedCall } from '../prepared-kind.js';
import { PreparedActionDto } from './prepared-action.dto.js';

/** A call that takes a signed action to the chain. */
export type ReadyTransaction = SignedCall & { readonly chainId: string };

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
    description: 'The transaction that executed the action, or else the one that was handed in.',
  })
  transaction_hash?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Once the signature was handed in: the call that takes it to the chain (`to`, `data`, `value`, `chainId`), for ' +
      'anyone to send; where `from` is given, only for that wallet. The service never sends it.',
    example: { to: '0x5FbDB2315678afecb367f032d93F642f64180aa3', data: '0x', value: '0x0', chainId: '0x2105' },
  })
  transaction?: ReadyTransaction;

  /** `signingUrl` is the link as it was issued with the action. */
  static of(
    action: PreparedActionEntity,
    signingUrl: string,
    {
      status,
      transactionHash,
      transaction,
    }: { status: ActionStatus; transactionHash: string | null; transaction: ReadyTransaction | null },
  ): ActionDto {
    return Object.assign(envelopeOf(action, signingUrl), {
      status,
      ...(transactionHash === null ? {} : { transaction_hash: transactionHash }),
      ...(transaction === null ? {} : { transaction }),
    });
  }
}
