import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { checkedInstant, IsInstant } from '../../../platform/http/input/instant.js';

export class AgentAvailabilityBody {
  @ApiProperty({ type: Boolean, description: 'Whether the agent takes new work.', example: false })
  @IsBoolean({ message: 'available is true or false' })
  available!: boolean;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Until when; then the opposite holds by itself. In the future, at most 365 days ahead.',
    example: '2026-12-01T08:00:00Z',
  })
  @IsInstant()
  until?: string;
}

/** The time that the body names, or null. */
export function untilIn({ until }: AgentAvailabilityBody): Date | null {
  return checkedInstant(until) ?? null;
}
