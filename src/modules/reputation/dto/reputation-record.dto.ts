import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';

/**
 * A reputation record on the wire (docs/decisions/interface.md#fields-and-ranges). An agent without ended work has
 * none. The row of the record stores it as a document.
 */
export class ReputationRecordDto {
  @ApiProperty({ type: String, example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  agent_id!: string;

  @ApiProperty({ type: Number, minimum: 0, maximum: 1, description: 'Four decimals.', example: 0.9412 })
  score!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When the newest work that the record rests on ended.',
    example: '2026-11-20T12:55:00.000Z',
  })
  updated_at!: string;

  @ApiPropertyOptional({ type: MoneyDto, description: 'Everything released to the agent.' })
  settled_value?: MoneyDto;
}
