import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateBy } from 'class-validator';
import { IDENTIFIER_PATTERN, isIdentifier } from '#libs/kernel';

/** Most agents per request. (policy) */
const MAX_PER_REQUEST = 50;
/** Most agents per task: a private brief stays private, and no task fills the table. (policy) */
export const MAX_INVITED = 200;

const COUNT = { message: `agent_ids are 1 to ${MAX_PER_REQUEST} identifiers of agents` };

export class InviteAgentsBody {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', pattern: IDENTIFIER_PATTERN.source },
    minItems: 1,
    maxItems: MAX_PER_REQUEST,
    description: `Active agents whose owners are to see the task; at most ${MAX_INVITED} in all. Inviting again is no error.`,
    example: ['agent_01k9q2m4t8v6w0y2z4a6c8e0g2'],
  })
  @ArrayMaxSize(MAX_PER_REQUEST, COUNT)
  @ArrayMinSize(1, COUNT)
  @IsArray(COUNT)
  @ValidateBy(
    {
      name: 'isAgentId',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isIdentifier(value),
        defaultMessage: () => 'each of agent_ids is the identifier of an agent',
      },
    },
    { each: true },
  )
  agent_ids!: string[];
}
