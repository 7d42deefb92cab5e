import { ApiProperty } from '@nestjs/swagger';

/** A short-lived link to a delivered artifact. */
export class DeliveryArtifactDto {
  @ApiProperty({
    type: String,
    format: 'uri',
    description: 'Opens for ten minutes, and only while the caller may still have the artifact. Always a download.',
    example: 'https://api.example.com/artifacts/2jUq4mVn0Hk7s1Yb9cWd',
  })
  url!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T13:05:00.000Z' })
  expires_at!: string;

  @ApiProperty({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description: 'SHA-256 of the bytes: compare it with that of what you receive.',
    example: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  artifact_hash!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Bytes of the artifact.', example: 48213 })
  bytes!: number;

  @ApiProperty({
    type: String,
    description:
      'What the worker declared. The link itself serves anything that a browser could run as application/octet-stream.',
    example: 'text/markdown',
  })
  media_type!: string;
}
