import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AgentEntity } from './agent.entity.js';
import { isAvailableAt } from './agent.lifecycle.js';
import { textsOf } from './json-strings.js';

/** What is known of an endpoint that an owner has named. */
export interface EndpointState {
  readonly url: string;
  readonly checkedAt: Date;
  readonly failedSince: Date | null;
  /** True while the agent's card shows it. */
  readonly isShown: boolean;
}

/** How the A2A endpoint of an agent stands, for its owner. */
export class AgentEndpointStateDto {
  @ApiProperty({ type: String, format: 'uri', example: 'https://agents.example/lexica/a2a' })
  url!: string;

  @ApiProperty({
    type: Boolean,
    description:
      'Whether the card of the agent shows it. It does not while `agent_card_url` is another one than it was found at, nor ' +
      'once three looks have failed over two days, until one finds it again.',
    example: true,
  })
  shown!: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When the card at `agent_card_url` was last found to name it. It is looked at about once a day.',
    example: '2026-11-20T12:55:00.000Z',
  })
  checked_at!: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Since when looks fail: that card cannot be had, or does not name it. Absent: the last look found it.',
    example: '2026-11-21T13:10:00.000Z',
  })
  failing_since?: string;

  static from({ url, checkedAt, failedSince, isShown }: EndpointState): AgentEndpointStateDto {
    return {
      url,
      shown: isShown,
      checked_at: checkedAt.toISOString(),
      ...(failedSince === null ? {} : { failing_since: failedSince.toISOString() }),
    };
  }
}

/** A row of the list, as the text that Postgres sent. */
export interface AgentRow {
  id: string;
  name: string;
  description: string;
  agent_card_url: string;
  status: string;
  /** JSON array of texts. */
  capabilities: string;
  available: 'true' | 'false';
  /** Null when there is no such time or it has passed. */
  available_until: string | null;
  created_at: string;
}

/** A row of the list of own agents. */
export interface OwnAgentRow extends AgentRow {
  wallet_address: string;
  suspension_reason: string | null;
}

/**
 * An agent on the wire (docs/decisions/interface.md#fields-and-ranges). It stands outside `dto/` because matches show
 * agents too.
 */
export class AgentDto {
  @ApiProperty({ type: String, example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  id!: string;

  @ApiProperty({ type: String, minLength: 1, maxLength: 120, example: 'Lexica Translations' })
  name!: string;

  @ApiProperty({
    type: String,
    description: 'Values: active, inactive, retired, suspended. Open enumeration.',
    example: 'active',
  })
  status!: string;

  @ApiProperty({ type: [String], maxItems: 100, example: ['translation', 'proofreading'] })
  capabilities!: string[];

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T12:55:00.000Z' })
  created_at!: string;

  @ApiPropertyOptional({ type: Boolean, description: 'Whether the agent takes new work now.', example: true })
  available?: boolean;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Until when its owner has said so; then the opposite holds. Absent: for good.',
    example: '2026-12-01T08:00:00.000Z',
  })
  available_until?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'uri',
    description: "The owner's URL of the agent's own card: what is there is the owner's word.",
    example: 'https://agents.example/lexica/agent-card.json',
  })
  agent_card_url?: string;

  @ApiPropertyOptional({ type: String, maxLength: 4_000, description: 'Absent when there is none.' })
  description?: string;

  @ApiPropertyOptional({
    type: String,
    pattern: '^0x[a-fA-F0-9]{40}$',
    description: 'Shown to its owner alone: it is a claim until the agent has signed a quote.',
  })
  wallet_address?: string;

  @ApiPropertyOptional({
    type: String,
    maxLength: 500,
    description: 'Why the operator suspended the agent. Shown to its owner alone; absent without a reason.',
  })
  suspension_reason?: string;

  @ApiPropertyOptional({
    type: AgentEndpointStateDto,
    description: 'Its A2A endpoint. Shown to its owner alone, where one agent is read; absent when none was named.',
  })
  endpoint?: AgentEndpointStateDto;

  /**
   * The agent as `accountId` sees it at `now`.
   * @param endpoint absent where it is not read; null when there is none to show.
   */
  static from(agent: AgentEntity, accountId: string, now: Date, endpoint?: EndpointState | null): AgentDto {
    const { id, name, description, agentCardUrl, status, capabilities, availableUntil, createdAt } = agent;
    const { suspensionReason } = agent;
    const isOwner = agent.accountId === accountId;
    const isLimited = availableUntil !== null && availableUntil > now;
    return {
      id,
      name,
      status,
      capabilities,
      created_at: createdAt.toISOString(),
      available: isAvailableAt(agent, now),
      ...(isLimited ? { available_until: availableUntil.toISOString() } : {}),
      agent_card_url: agentCardUrl,
      ...(description === '' ? {} : { description }),
      ...(isOwner ? { wallet_address: agent.walletAddress } : {}),
      ...(isOwner && suspensionReason ? { suspension_reason: suspensionReason } : {}),
      ...(isOwner && endpoint ? { endpoint: AgentEndpointStateDto.from(endpoint) } : {}),
    };
  }

  /** The agent of a list, as everybody sees it. */
  static fromRow(row: AgentRow): AgentDto {
    const { id, name, status, created_at, available_until, agent_card_url, description } = row;
    return {
      id,
      name,
      status,
      capabilities: textsOf(row.capabilities),
      created_at,
      available: row.available === 'true',
      ...(available_until === null ? {} : { available_until }),
      agent_card_url,
      ...(description === '' ? {} : { description }),
    };
  }

  /** The agent of a list, as its owner sees it: with the same members as `from` gives the owner. */
  static fromOwnRow(row: OwnAgentRow): AgentDto {
    const { wallet_address, suspension_reason } = row;
    const reason = suspension_reason ? { suspension_reason } : {};
    return Object.assign(AgentDto.fromRow(row), { wallet_address }, reason);
  }
}
