import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AgentIdentityDto } from './identity.dto.js';

export class AgentRegistrationDto {
  @ApiProperty({
    type: Object,
    additionalProperties: true,
    description: 'The registration file by ERC-8004. It has a registration only while the identity is verified.',
    example: { type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1', name: 'Lexica Translations' },
  })
  file!: object;

  @ApiProperty({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description: 'Keccak-256 of the canonical JSON (RFC 8785) of the file.',
  })
  file_hash!: string;

  @ApiPropertyOptional({ type: AgentIdentityDto, description: 'Absent when none is linked.' })
  identity?: AgentIdentityDto;
}
