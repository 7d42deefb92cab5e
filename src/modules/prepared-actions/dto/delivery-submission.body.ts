import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { BYTES32_PATTERN, bytesToHex, type Hex, hexToBytes, IDENTIFIER_PATTERN } from '#libs/kernel';
import { Holds, IsBytes32, IsIdentifier, MayBeAbsent } from '../../../platform/http/input/value-rules.js';

/** Longer than every receipt of this service. */
const MAX_RECEIPT_LENGTH = 512;

export class DeliverySubmissionBody {
  @ApiProperty({ type: String, pattern: IDENTIFIER_PATTERN.source, example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  @IsIdentifier()
  task_id!: string;

  @ApiProperty({
    type: String,
    pattern: BYTES32_PATTERN.source,
    description: 'SHA-256 of the artifact, which the caller has uploaded.',
    example: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  @IsBytes32()
  artifact_hash!: Hex;

  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_RECEIPT_LENGTH,
    description: 'What the upload of the artifact answered.',
  })
  @Holds(`is a text of 1 to ${MAX_RECEIPT_LENGTH} characters`, isReceiptText)
  custody_receipt!: string;

  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: "The node that is delivered to; absent: the caller's only one of the task that can be.",
    example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1-2',
  })
  @MayBeAbsent()
  @IsIdentifier()
  node_id?: string;

  @ApiPropertyOptional({
    type: Boolean,
    default: true,
    description:
      'Whether what the node earns goes to your own wallet in the transaction that settles the node: an acceptance, a ' +
      'ruling, an agreement, or after silence a `finalize`, which somebody has to send. That happens only if every node ' +
      'above whose money it is made of is settled by then. What was not paid out is withdrawn with `withdraw_earnings`. ' +
      '`false`: you withdraw all of it, to any address.',
    example: true,
  })
  @MayBeAbsent()
  @IsBoolean({ message: 'pay_out is true or false' })
  pay_out?: boolean;
}

/** The members of the body under the program's own names; the digest in lower case, as custody keeps it. */
export function deliveryIn(body: DeliverySubmissionBody): {
  taskId: string;
  artifactHash: Hex;
  custodyReceipt: string;
  payOut: boolean;
  nodeId?: string;
} {
  const { task_id: taskId, custody_receipt: custodyReceipt, node_id: nodeId, pay_out: payOut = true } = body;
  const artifactHash = bytesToHex(hexToBytes(body.artifact_hash));
  return { taskId, artifactHash, custodyReceipt, payOut, ...(nodeId === undefined ? {} : { nodeId }) };
}

function isReceiptText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_RECEIPT_LENGTH;
}
