import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IDENTIFIER_PATTERN, isIdentifier } from '#libs/kernel';
import { IsIn, ValidateBy, type ValidationArguments } from 'class-validator';

/** Request enumerations are closed (spec: Versioning, rule 4). */
const MODES = ['manual', 'auto'] as const;

/** Two bodies in one: `manual` names an agent, `auto` names none. */
export class SelectionBody {
  @ApiProperty({
    enum: MODES,
    description:
      '`manual`: the agent that you name. `auto`: the service names the one with the best rank that has made an offer.',
    example: 'manual',
  })
  @IsIn(MODES)
  mode!: (typeof MODES)[number];

  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: 'With `manual` only, and required then: an agent whose quote for this task stands.',
    example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  @FitsMode()
  agent_id?: string;
}

/** The agent that is named; null: the service names one. */
export function selectionIn({ agent_id: agentId }: SelectionBody): { agentId: string | null } {
  return { agentId: agentId ?? null };
}

function FitsMode(): PropertyDecorator {
  return ValidateBy({
    name: 'fitsMode',
    validator: {
      validate: (value: unknown, checked?: ValidationArguments) =>
        modeOf(checked?.object) === 'auto' ? value === undefined : typeof value === 'string' && isIdentifier(value),
      defaultMessage: (checked) =>
        modeOf(checked?.object) === 'auto'
          ? 'agent_id is only for mode manual'
          : 'agent_id is the identifier of an agent',
    },
  });
}

function modeOf(body: object | undefined): unknown {
  return body !== undefined && 'mode' in body ? body.mode : undefined;
}
