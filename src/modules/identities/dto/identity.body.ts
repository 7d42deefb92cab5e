import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import type { Hex } from '#libs/kernel';
import { checkedInstant, IsInstant } from '../../../platform/http/input/instant.js';
import { Holds } from '../../../platform/http/input/value-rules.js';
import type { NamedIdentity, SignedClaim } from '../link/agent-identities.service.js';

const REGISTRY = /^eip155:[1-9][0-9]{0,15}:0x[a-fA-F0-9]{40}$/;
const TOKEN = /^(?:0|[1-9][0-9]{0,77})$/;
const MAX_TOKEN = 2n ** 256n - 1n;
/** Of a contract wallet that is not deployed yet (ERC-6492), as 0x-hex. */
const MAX_SIGNATURE_LENGTH = 2 + 2 * 8_192;
const SIGNATURE = /^0x(?:[a-fA-F0-9]{2})+$/;
const SECOND_MS = 1000;

/** An identity in a registry of ERC-8004. */
export class IdentityMessageBody {
  @ApiProperty({
    type: String,
    pattern: REGISTRY.source,
    description: 'The registry by its name in ERC-8004: chain and address.',
    example: 'eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
  })
  @IsDefined()
  @Holds('is eip155:CHAIN:ADDRESS', (value) => typeof value === 'string' && REGISTRY.test(value))
  agent_registry!: string;

  @ApiProperty({
    type: String,
    pattern: TOKEN.source,
    description: '`agentId` of ERC-8004: the number of the token, in decimal digits, below 2^256.',
    example: '22',
  })
  @IsDefined()
  @Holds('is a number below 2^256 in decimal digits', isToken)
  token_id!: string;
}

/** An identity, and the claim that its owner has signed. */
export class LinkIdentityBody extends IdentityMessageBody {
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: '`expires_at` of the message that was signed.',
    example: '2026-11-20T13:55:00Z',
  })
  @IsDefined()
  @IsInstant()
  expires_at!: string;

  @ApiProperty({
    type: String,
    pattern: SIGNATURE.source,
    maxLength: MAX_SIGNATURE_LENGTH,
    description: "Over the message's `typed_data` (EIP-712; of a key or, by ERC-1271 or ERC-6492, of a contract).",
    example: `0x${'1b'.repeat(65)}`,
  })
  @IsDefined()
  @Holds('is 1 to 8192 bytes: "0x" and hexadecimal digits', isSignature)
  signature!: Hex;
}

/** The identity that a body names. */
export function identityIn({ agent_registry: agentRegistry, token_id }: IdentityMessageBody): NamedIdentity {
  return { agentRegistry, tokenId: BigInt(token_id) };
}

/** The signed claim in a body. */
export function signedClaimIn(body: LinkIdentityBody): SignedClaim {
  const expiresAt = Number(checkedInstant(body.expires_at)) / SECOND_MS;
  return { ...identityIn(body), expiresAt, signature: body.signature };
}

function isToken(value: unknown): boolean {
  return typeof value === 'string' && TOKEN.test(value) && BigInt(value) <= MAX_TOKEN;
}

function isSignature(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_SIGNATURE_LENGTH && SIGNATURE.test(value);
}
