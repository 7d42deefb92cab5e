import { ApiProperty } from '@nestjs/swagger';
import type { Hex } from '#libs/kernel';

/** Answer to an upload: the artifact is in custody. */
export class ArtifactCustodyDto {
  @ApiProperty({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description: 'SHA-256 of the bytes, as computed over what arrived.',
    example: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  artifact_hash!: Hex;

  @ApiProperty({
    type: String,
    maxLength: 512,
    description:
      'Opaque proof for `submitDelivery` that this account brought this artifact. It is good while the artifact is in custody.',
    example: 'q2m4t8v6w0y2z4a6c8e0g2h4j6k8m0n2p4r6s8t0v2w4x6y8z0',
  })
  custody_receipt!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Bytes of the artifact.', example: 48213 })
  bytes!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description:
      'The artifact may be deleted after this unless a delivery needs it. The same upload again moves it on.',
    example: '2026-12-04T12:00:00.000Z',
  })
  kept_until!: string;
}
