import { ApiProperty } from '@nestjs/swagger';
import { BYTES32_PATTERN, type Hex } from '#libs/kernel';
import { Holds, IsBytes32, MayBeAbsent } from '../../../platform/http/input/value-rules.js';

/** Longest signature of a contract wallet, as 0x-hex. */
const MAX_SIGNATURE_LENGTH = 2 + 2 * 4_096;
const SIGNATURE_PATTERN = /^0x(?:[a-fA-F0-9]{2})+$/;

/** The form of the body for a wallet that has signed. */
export class SignatureSubmissionBody {
  @ApiProperty({
    type: String,
    pattern: SIGNATURE_PATTERN.source,
    maxLength: MAX_SIGNATURE_LENGTH,
    description: "The wallet's signature over `payload` (EIP-712; of a key or, by ERC-1271, of a contract).",
    example: `0x${'1b'.repeat(65)}`,
  })
  signature!: Hex;
}

/** The form of the body for a wallet that has sent the transaction itself. */
export class TransactionSubmissionBody {
  @ApiProperty({
    type: String,
    pattern: BYTES32_PATTERN.source,
    description: 'The transaction that was sent to execute the action.',
    example: `0x${'5c'.repeat(32)}`,
  })
  transaction_hash!: Hex;
}

/** The body as it arrives; exactly one of its two members must be present. */
export class ActionSubmissionBody {
  @MayBeAbsent()
  @Holds('is 1 to 4096 bytes: "0x" and hexadecimal digits', isSignatureText)
  signature?: Hex;

  @MayBeAbsent()
  @IsBytes32()
  transaction_hash?: Hex;
}

function isSignatureText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_SIGNATURE_LENGTH && SIGNATURE_PATTERN.test(value);
}
