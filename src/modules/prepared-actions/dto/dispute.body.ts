import { ApiPropertyOptional } from '@nestjs/swagger';
import { BYTES32_PATTERN, bytesToHex, type Hex, hexToBytes } from '#libs/kernel';
import { IsBytes32, MayBeAbsent } from '../../../platform/http/input/value-rules.js';

/** Its only member may be absent, and so may the body. */
export class DisputeBody {
  @ApiPropertyOptional({
    type: String,
    pattern: BYTES32_PATTERN.source,
    description: 'SHA-256 of what the worker shows the arbiter; absent: 32 zero bytes.',
  })
  @MayBeAbsent()
  @IsBytes32()
  evidence_hash?: Hex;
}

/** The hash of the evidence under the program's own name, in lower case. */
export function evidenceIn({ evidence_hash: evidence }: DisputeBody): { evidenceHash?: Hex } {
  return evidence === undefined ? {} : { evidenceHash: bytesToHex(hexToBytes(evidence)) };
}
