import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { type AgentProfile, PROFILE_RULES } from '../agent/agent-profile.js';
import { Follows } from './member-rules.js';
import { CAPABILITIES, CARD_URL, DESCRIPTION, NAME, WALLET_ADDRESS } from './profile-members.js';

export class PublishAgentBody {
  @ApiProperty(NAME)
  @IsDefined()
  @Follows(PROFILE_RULES.name)
  name!: string;

  @ApiProperty(CARD_URL)
  @IsDefined()
  @Follows(PROFILE_RULES.agentCardUrl)
  agent_card_url!: string;

  @ApiPropertyOptional(CAPABILITIES)
  @Follows(PROFILE_RULES.capabilities)
  capabilities?: string[];

  @ApiPropertyOptional(WALLET_ADDRESS)
  @Follows(PROFILE_RULES.walletAddress)
  wallet_address?: string;

  @ApiPropertyOptional(DESCRIPTION)
  @Follows(PROFILE_RULES.description)
  description?: string;
}

/** The body's members as an AgentProfile. */
export function profileIn(body: PublishAgentBody): AgentProfile {
  const { name, agent_card_url: agentCardUrl, capabilities, wallet_address: walletAddress, description } = body;
  return { name, agentCardUrl, capabilities, walletAddress, description };
}
