import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import type { MemberRule } from '../agent-profile.js';
import { Follows } from './member-rules.js';

const UTC_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,3}))?Z$/;

const UNTIL_RULE: MemberRule<Date> = {
  text: 'until is a time in UTC such as 2026-11-20T12:55:00Z',
  clean: (value) => (typeof value === 'string' ? utcTime(value) : null),
};

export class AgentAvailabilityBody {
  @ApiProperty({ type: Boolean, description: 'Whether the agent takes new work.', example: false })
  @IsBoolean()
  available!: boolean;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Until when; then the opposite holds by itself. In UTC, in the future, at most 365 days ahead.',
    example: '2026-12-01T08:00:00Z',
  })
  @Follows(UNTIL_RULE)
  until?: string;
}

/** The time a body names, or null. */
export function untilIn({ until }: AgentAvailabilityBody): Date | null {
  return until === undefined ? null : UNTIL_RULE.clean(until);
}

/** The instant, or null for text that names none: the 30th of February is not the 2nd of March. */
function utcTime(text: string): Date | null {
  const [, seconds, milliseconds = ''] = UTC_TIME.exec(text) ?? [];
  const time = new Date(text);
  if (seconds === undefined || Number.isNaN(time.getTime())) return null;
  return time.toISOString() === `${seconds}.${milliseconds.padEnd(3, '0')}Z` ? time : null;
}
