import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** An agent on the wire (spec: Agent). */
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
}
