import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { MAX_CARD_URL, type MemberRule, PROFILE_RULES } from '../agent/agent-profile.js';
import { Follows } from './member-rules.js';

/** The same form as the address of a card. */
const URL_RULE: MemberRule<string> = {
  text: `url is an https URL of at most ${MAX_CARD_URL} characters without credentials and fragment`,
  clean: PROFILE_RULES.agentCardUrl.clean,
};

export class AgentEndpointBody {
  @ApiProperty({
    type: String,
    format: 'uri',
    maxLength: MAX_CARD_URL,
    description: 'https URL of the endpoint, as the card names it.',
    example: 'https://agents.example/lexica/a2a',
  })
  @IsDefined()
  @Follows(URL_RULE)
  url!: string;
}

/** The body's address, normalised. */
export function endpointIn({ url }: AgentEndpointBody): string {
  return URL_RULE.clean(url) ?? url;
}
