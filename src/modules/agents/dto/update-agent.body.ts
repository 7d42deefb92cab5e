import { ApiPropertyOptional } from '@nestjs/swagger';
import { BodyKeywords } from '../../../platform/http/input/body-keywords.js';
import { OWNER_STATUSES, type OwnerStatus } from '../agent/agent.lifecycle.js';
import { type AgentChange, type MemberRule, PROFILE_RULES } from '../agent/agent-profile.js';
import { Follows, HasMembers } from './member-rules.js';
import { CAPABILITIES, CARD_URL, DESCRIPTION, NAME, WALLET_ADDRESS } from './profile-members.js';

/** Request enumerations are closed (docs/decisions/interface.md#enumerations). */
const STATUS_RULE: MemberRule<OwnerStatus> = {
  text: `status is one of ${OWNER_STATUSES.join(', ')}`,
  clean: (value) => OWNER_STATUSES.find((status) => status === value) ?? null,
};

/** Body of a change: at least one member of the profile or a status. */
@BodyKeywords({ minProperties: 1 })
export class UpdateAgentBody {
  @ApiPropertyOptional(NAME)
  @HasMembers()
  @Follows(PROFILE_RULES.name)
  name?: string;

  @ApiPropertyOptional(CARD_URL)
  @Follows(PROFILE_RULES.agentCardUrl)
  agent_card_url?: string;

  @ApiPropertyOptional(CAPABILITIES)
  @Follows(PROFILE_RULES.capabilities)
  capabilities?: string[];

  @ApiPropertyOptional(WALLET_ADDRESS)
  @Follows(PROFILE_RULES.walletAddress)
  wallet_address?: string;

  @ApiPropertyOptional(DESCRIPTION)
  @Follows(PROFILE_RULES.description)
  description?: string;

  @ApiPropertyOptional({
    enum: OWNER_STATUSES,
    description: '`inactive` takes the agent off the market until it is `active` again; `retired` is final.',
    example: 'inactive',
  })
  @Follows(STATUS_RULE)
  status?: OwnerStatus;
}

/** The body's members as an AgentChange. */
export function changeIn(body: UpdateAgentBody): AgentChange {
  const { name, agent_card_url: agentCardUrl, capabilities, wallet_address: walletAddress, description, status } = body;
  return { name, agentCardUrl, capabilities, walletAddress, description, status };
}
