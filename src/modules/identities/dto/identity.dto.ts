import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AgentIdentityEntity } from '../link/agent-identity.entity.js';
import { type IdentityClaim, identityTypedData, registryName } from '../link/identity-typed-data.js';

const WALLET = { type: String, pattern: '^0x[a-fA-F0-9]{40}$' } as const;
const SECOND_MS = 1000;

/** What the owner of an identity is to sign. */
export class IdentityMessageDto {
  @ApiProperty({
    type: Object,
    additionalProperties: true,
    description: 'EIP-712, as `eth_signTypedData_v4` takes it. It moves no money and approves nothing.',
    example: { primaryType: 'AgentIdentity' },
  })
  typed_data!: object;

  @ApiProperty({ type: String, format: 'date-time', description: 'Until when the signature can be handed in.' })
  expires_at!: string;

  static from(claim: IdentityClaim): IdentityMessageDto {
    return {
      typed_data: identityTypedData(claim),
      expires_at: new Date(claim.expiresAt * SECOND_MS).toISOString(),
    };
  }
}

/** The identity of an agent in a registry of ERC-8004. */
export class AgentIdentityDto {
  @ApiProperty({ type: String, example: 'eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432' })
  agent_registry!: string;

  @ApiProperty({ type: String, pattern: '^[0-9]+$', example: '22' })
  token_id!: string;

  @ApiProperty({ ...WALLET, description: 'The wallet that owned the identity and signed for the agent.' })
  owner_wallet!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  linked_at!: string;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'Whether that wallet owned the identity at `checked_at`; false: nothing here speaks for it any more.',
    example: true,
  })
  verified?: boolean;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'When the chain was asked.' })
  checked_at?: string;

  static from({ registry, tokenId, ownerWallet, linkedAt }: AgentIdentityEntity, chainId: number): AgentIdentityDto {
    return {
      agent_registry: registryName(chainId, registry),
      token_id: tokenId.toString(),
      owner_wallet: ownerWallet,
      linked_at: linkedAt.toISOString(),
    };
  }
}
