import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { Principal } from '../../../platform/http/principal.js';
import type { PrincipalLimit } from '../../../platform/rate-limit/principal-limits.js';
import type { AccountEntity } from '../../accounts/account.entity.js';
import type { LinkedWallet } from '../../accounts/wallets/account-wallets.js';
import { leftOf } from '../../credentials/spending/spend-limits.js';
import type { SpendStanding } from '../../prepared-actions/spending/spend-ledger.js';
import { AgentDto } from '../../agents/agent/agent.dto.js';

const ADDRESS = '^0x[a-fA-F0-9]{40}$';

export class MyAccountDto {
  @ApiProperty({
    type: String,
    description: 'The `principal` of its actions.',
    example: 'acct_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  id!: string;

  @ApiProperty({ type: String, minLength: 1, maxLength: 120, example: 'Ada' })
  name!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T12:55:00.000Z' })
  created_at!: string;

  static from({ id, name, createdAt }: AccountEntity): MyAccountDto {
    return { id, name, created_at: createdAt.toISOString() };
  }
}

export class MyWalletDto {
  @ApiProperty({ type: String, pattern: ADDRESS, example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  address!: string;

  @ApiProperty({
    type: Boolean,
    description: "Whether it signs the account's actions; at most one does.",
    example: true,
  })
  signs!: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'EIP-155 id of the chain on which a contract wallet was proved. Absent for a wallet with a key.',
    example: 8453,
  })
  chain_id?: number;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'When it was proved. Absent: the operator named it, and it has not signed in yet.',
    example: '2026-11-20T12:55:00.000Z',
  })
  linked_at?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'When it is removed, where that was asked for.',
    example: '2026-12-01T08:00:00.000Z',
  })
  unlink_at?: string;

  static from({ address, chainId, linkedAt, signs, unlinkAt }: LinkedWallet): MyWalletDto {
    return {
      address,
      signs,
      ...(chainId === 0 ? {} : { chain_id: chainId }),
      ...(linkedAt === null ? {} : { linked_at: linkedAt.toISOString() }),
      ...(unlinkAt === null ? {} : { unlink_at: unlinkAt.toISOString() }),
    };
  }
}

/** A limit of payments that is used up. */
export class MySpendLimitDto {
  @ApiProperty({ type: MoneyDto, description: 'Most that may be prepared.' })
  limit!: MoneyDto;

  @ApiProperty({ type: MoneyDto, description: 'Prepared and still payable, or paid.' })
  spent!: MoneyDto;

  @ApiProperty({ type: MoneyDto, description: 'Most that one more payment may be, as far as this limit goes.' })
  left!: MoneyDto;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it refills; null: never.',
    example: '2026-11-21T00:00:00.000Z',
  })
  refills_at!: string | null;

  static from(limit: bigint, spent: bigint, refillsAt: Date | null): MySpendLimitDto {
    return {
      limit: MoneyDto.from(limit),
      spent: MoneyDto.from(spent),
      left: MoneyDto.from(leftOf(limit, spent)),
      refills_at: refillsAt === null ? null : refillsAt.toISOString(),
    };
  }
}

export class MySpendPolicyDto {
  @ApiPropertyOptional({ type: MoneyDto, description: 'Most that one payment may be. Absent: no such limit.' })
  per_payment?: MoneyDto;

  @ApiPropertyOptional({
    type: MySpendLimitDto,
    description: 'Of all payments that are prepared on one day in UTC. Absent: no such limit.',
  })
  per_day?: MySpendLimitDto;

  @ApiPropertyOptional({ type: MySpendLimitDto, description: 'Of all payments ever. Absent: no such limit.' })
  total?: MySpendLimitDto;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: ADDRESS },
    description: 'The wallets that may be paid (EIP-55). Absent: any.',
    example: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  })
  counterparties?: string[];

  static from({ policy, spent, refillsAt }: SpendStanding): MySpendPolicyDto {
    const { perPayment, perDay, inTotal, counterparties } = policy;
    return {
      ...(perPayment === null ? {} : { per_payment: MoneyDto.from(perPayment) }),
      ...(perDay === null ? {} : { per_day: MySpendLimitDto.from(perDay, spent.today, refillsAt) }),
      ...(inTotal === null ? {} : { total: MySpendLimitDto.from(inTotal, spent.inTotal, null) }),
      ...(counterparties === null ? {} : { counterparties: [...counterparties] }),
    };
  }
}

export class MyCredentialDto {
  @ApiProperty({ type: String, description: 'Values: api_key, access_token. Open enumeration.', example: 'api_key' })
  type!: string;

  @ApiProperty({ type: [String], description: 'The scopes that it grants.', example: ['read'] })
  scopes!: string[];

  @ApiProperty({
    type: String,
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description: 'The version that serves its requests where they name none.',
    example: '2026-11-20',
  })
  service_version!: string;

  @ApiPropertyOptional({ type: String, description: 'Of an API key.', example: 'key_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  key_id?: string;

  @ApiPropertyOptional({ type: String, description: 'Of an access token: the application that acts for the account.' })
  client_id?: string;

  @ApiPropertyOptional({
    type: MoneyDto,
    description:
      'Of an access token: the most that one funding which the application prepares may move. Absent: no cap.',
  })
  funding_cap?: MoneyDto;

  @ApiPropertyOptional({
    type: MySpendPolicyDto,
    description:
      'What limits the payments that it may prepare, beside `funding_cap`. Keys that were made together share one, and so ' +
      'do all tokens of an application. Absent: nothing does.',
  })
  spend_policy?: MySpendPolicyDto;

  static from(
    { scopes, pinnedVersion, credentialId, clientId, fundingCap }: Principal,
    spending: SpendStanding | null,
  ): MyCredentialDto {
    return {
      // The id of a grant is no part of the interface.
      ...(clientId === undefined
        ? { type: 'api_key', key_id: credentialId }
        : { type: 'access_token', client_id: clientId }),
      scopes: [...scopes],
      service_version: pinnedVersion,
      ...(fundingCap === undefined ? {} : { funding_cap: MoneyDto.from(fundingCap) }),
      ...(spending === null ? {} : { spend_policy: MySpendPolicyDto.from(spending) }),
    };
  }
}

export class MyLimitDto {
  @ApiProperty({ type: String, description: 'As `RateLimit-Policy` and `RateLimit` name it.', example: 'reads' })
  name!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Requests in a window.', example: 120 })
  requests!: number;

  @ApiProperty({ type: 'integer', minimum: 1, example: 60 })
  window_seconds!: number;

  @ApiProperty({
    type: String,
    description:
      'Whose requests are counted together: those of this credential, or of all credentials of the account. Values: ' +
      'credential, account. Open enumeration.',
    example: 'credential',
  })
  counted_for!: string;

  static from({ name, quota, windowMs, countedFor }: PrincipalLimit): MyLimitDto {
    return { name, requests: quota, window_seconds: windowMs / 1000, counted_for: countedFor };
  }
}

/** Who is calling, and with what. */
export class MeDto {
  @ApiProperty({ type: MyAccountDto })
  account!: MyAccountDto;

  @ApiProperty({ type: [MyWalletDto], description: 'The one that signs first, then in the order of linking.' })
  wallets!: MyWalletDto[];

  @ApiProperty({ type: MyCredentialDto, description: 'What this request was sent with.' })
  credential!: MyCredentialDto;

  @ApiProperty({ type: [MyLimitDto], description: 'What is left of them is in the headers of every answer.' })
  limits!: MyLimitDto[];

  @ApiProperty({
    type: [AgentDto],
    maxItems: 25,
    description: 'The newest agents of the account, whatever their status.',
  })
  agents!: AgentDto[];

  @ApiPropertyOptional({
    type: String,
    format: 'uri',
    description: 'Lists all of them; only where there are more.',
    example: 'https://api.example.com/v1/agents?mine=true',
  })
  agents_url?: string;
}
