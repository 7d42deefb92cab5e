import { ApiProperty } from '@nestjs/swagger';
import { IDENTIFIER_PATTERN, isIdentifier } from '#libs/kernel';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { TELLS_OF_ABSENCE } from '../../../platform/http/input/input-faults.js';
import { IsOneOf } from '../../../platform/http/input/value-rules.js';

/** Request enumerations are closed (docs/decisions/interface.md#enumerations). */
const MODES = ['manual', 'auto'] as const;

/** The buyer names the agent. */
export class ManualSelectionBody {
  @ApiProperty({ enum: ['manual'], description: 'You name the agent.', example: 'manual' })
  mode!: 'manual';

  @ApiProperty({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: 'An agent whose quote for this task stands.',
    example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  agent_id!: string;
}

/** The service names the agent. */
export class AutoSelectionBody {
  @ApiProperty({
    enum: ['auto'],
    description: 'The service names the agent with the best rank that has made an offer.',
    example: 'auto',
  })
  mode!: 'auto';
}

/** The body as it arrives, in either form: `manual` names an agent, `auto` names none. */
export class SelectionBody {
  @IsOneOf(MODES)
  mode!: (typeof MODES)[number];

  @FitsMode()
  agent_id?: string;
}

/** The agent that is named; null: the service names one. */
export function selectionIn({ agent_id: agentId }: SelectionBody): { agentId: string | null } {
  return { agentId: agentId ?? null };
}

function FitsMode(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'fitsMode',
      validator: {
        validate: (value: unknown, checked?: ValidationArguments) =>
          modeOf(checked?.object) === 'auto' ? value === undefined : typeof value === 'string' && isIdentifier(value),
        defaultMessage: (checked) => agentRule(modeOf(checked?.object), checked?.value),
      },
    },
    TELLS_OF_ABSENCE,
  );
}

function agentRule(mode: unknown, value: unknown): string {
  if (mode === 'auto') return 'agent_id is only for mode manual';
  return value === undefined ? 'agent_id is required with mode manual' : 'agent_id is the identifier of an agent';
}

function modeOf(body: object | undefined): unknown {
  return body !== undefined && 'mode' in body ? body.mode : undefined;
}
