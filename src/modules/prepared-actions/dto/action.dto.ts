import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { actionMembers, envelopeOf, type EnvelopeRecord, typedDataOf } from '../action/action-envelope.js';
import type { Standing } from '../action/action-status.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { SignedCall } from '../action/prepared-kind.js';
import { PreparedActionDto } from './prepared-action.dto.js';

/** A call that takes a signed action to the chain. */
export type ReadyTransaction = SignedCall & { readonly chainId: string };

/** What of an action its members outside of `payload` are made of. */
export type ActionRecord = EnvelopeRecord & Pick<PreparedActionEntity, 'declinedBy'>;

const ONLY_ITS_SCOPE = 'Only for a credential with the scope that prepared the action; absent for others.';

/**
 * A prepared action and what has become of it (docs/decisions/interface.md#operations, getAction). The link, the match
 * code and the calls are only for a credential with the scope that prepared the action: who may only read must not act.
 */
export class ActionDto extends OmitType(PreparedActionDto, ['payload', 'signing_url', 'match_code'] as const) {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'As it was prepared. Its ready calls (`transaction`, `calls`) are there only for a credential with the scope that ' +
      'prepared the action; the typed data is there for all.',
  })
  payload!: Record<string, unknown>;

  @ApiPropertyOptional({
    type: String,
    format: 'uri',
    description: `Short-lived page of this one action. ${ONLY_ITS_SCOPE}`,
    example: 'https://api.example.com/sign/9J2x0s4mJ5n7q3Y1c8b6e0R4t2v9w7z5A3d1F8g6H4k',
  })
  signing_url?: string;

  @ApiPropertyOptional({
    type: String,
    description: `The code that the approval page shows. ${ONLY_ITS_SCOPE}`,
    example: 'OLIVE TIGER 42',
  })
  match_code?: string;

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
    description:
      'Of a declined action, who said no. On its page: link (the browser that opened the link), wallet (a browser that ' +
      'had proved the wallet), account (who was signed in as the account). Values: link, wallet, account, credential ' +
      '(a program, over this interface). Open enumeration.',
    example: 'account',
  })
  declined_by?: string;

  @ApiPropertyOptional({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description:
      'The transaction that executed the action, or else the one that was handed in. One that the chain does not know ' +
      'is told for two minutes.',
  })
  transaction_hash?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Once the signature was handed in: the call that takes it to the chain (`to`, `data`, `value`, `chainId`), for ' +
      `anyone to send; where \`from\` is given, only for that wallet. The service never sends it. ${ONLY_ITS_SCOPE}`,
    example: { to: '0x5FbDB2315678afecb367f032d93F642f64180aa3', data: '0x', value: '0x0', chainId: '0x2105' },
  })
  transaction?: ReadyTransaction;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'With `transaction`: the last second at which the chain takes the call.',
    example: '2026-11-24T14:21:00.000Z',
  })
  valid_until?: string;

  /** The whole action, for a credential that may act on it. `signingUrl` is the link as it was first issued. */
  static entire(
    action: PreparedActionEntity,
    signingUrl: string,
    { transaction, ...standing }: Standing & { transaction: ReadyTransaction | null },
  ): ActionDto {
    const call = transaction === null ? {} : { transaction, valid_until: action.validUntil.toISOString() };
    return Object.assign(envelopeOf(action, signingUrl), standingMembers(action, standing), call);
  }

  /** The action without link, match code and calls, for any other credential of its principal. */
  static outline(action: PreparedActionEntity, standing: Standing): ActionDto {
    return { ...actionMembers(action), payload: typedDataOf(action), ...standingMembers(action, standing) };
  }
}

/** The members that say what has become of an action. */
export function standingMembers(
  { declinedBy }: Pick<PreparedActionEntity, 'declinedBy'>,
  { status, transactionHash }: Standing,
): Pick<ActionDto, 'status' | 'declined_by' | 'transaction_hash'> {
  return {
    status,
    ...(status === 'declined' && declinedBy !== null ? { declined_by: declinedBy } : {}),
    ...(transactionHash === null ? {} : { transaction_hash: transactionHash }),
  };
}
