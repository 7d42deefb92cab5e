import { ApiPropertyOptional } from '@nestjs/swagger';
import { BYTES32_PATTERN, type Hex } from '#libs/kernel';
import { IsString, Matches, MaxLength, ValidateIf } from 'class-validator';

/** Longest signature of a contract wallet, as 0x-hex. */
const MAX_SIGNATURE_LENGTH = 2 + 2 * 4_096;
const SIGNATURE_PATTERN = /^0x(?:[a-fA-F0-9]{2})+$/;

/** What a wallet has made of an action: exactly one of the two. */
export class ActionSubmissionBody {
  @ApiPropertyOptional({
    type: String,
    pattern: SIGNATURE_PATTERN.source,
    maxLength: MAX_SIGNATURE_LENGTH,
    description: "The wallet's signature over `payload` (EIP-712; of a key or, by ERC-1271, of a contract).",
  })
  @ValidateIf(({ transaction_hash }: ActionSubmissionBody) => transaction_hash === undefined)
  @IsString()
  @MaxLength(MAX_SIGNATURE_LENGTH)
  @Matches(SIGNATURE_PATTERN)
  signature?: Hex;

  @ApiPropertyOptional({
    type: String,
    pattern: BYTES32_PATTERN.source,
    description: 'The transaction that was sent to execute the action.',
  })
  @ValidateIf(({ transaction_hash }: ActionSubmissionBody) => transaction_hash !== undefined)
  @IsString()
  @Matches(BYTES32_PATTERN)
  transaction_hash?: Hex;
}
