import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';

/** A row of the list, as the text that Postgres sent. */
export interface ReputationRow {
  agent_id: string;
  score: string;
  settled_value: string;
  updated_at: string;
}

/**
 * A reputation record on the wire (docs/decisions/interface.md#fields-and-ranges). An agent without ended work has
 * none.
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

  static from(row: ReputationRow): ReputationRecordDto {
    const { agent_id, updated_at } = row;
    const settled_value = MoneyDto.from(BigInt(row.settled_value));
    return { agent_id, score: Number(row.score), updated_at, settled_value };
  }
}
