import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/money.dto.js';
import { AgentDto } from '../../agents/agent.dto.js';
import { textsOf } from '../../agents/json-texts.js';

/** A row of a page of a ranking with its agent as it is now, as the text that Postgres sent. */
export interface MatchRow {
  rank: string;
  score: string;
  reason: string;
  id: string;
  name: string;
  status: string;
  /** JSON array of texts. */
  capabilities: string;
  available: 'true' | 'false';
  created_at: string;
  reputation_score: string | null;
  independence_confidence: string | null;
  settled_value: string | null;
}

/** What an agent's ended work says about it. */
export class MatchReputationDto {
  @ApiProperty({ type: Number, minimum: 0, maximum: 1, example: 0.9412 })
  score!: number;

  @ApiProperty({
    type: Number,
    minimum: 0,
    maximum: 1,
    description: 'How far the record rests on buyers other than the agent itself; at most 0.5 without verified buyers.',
    example: 0.5,
  })
  independence_confidence!: number;

  @ApiProperty({ type: MoneyDto })
  settled_value!: MoneyDto;
}

/** An eligible agent for a task (spec: Match). */
export class MatchDto {
  @ApiProperty({ type: AgentDto })
  agent!: AgentDto;

  @ApiProperty({ type: Number, minimum: 0, maximum: 1, description: 'Four decimals.', example: 0.9213 })
  score!: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: '1 for the best.', example: 1 })
  rank!: number;

  @ApiPropertyOptional({ type: MatchReputationDto, description: 'Absent for an agent without ended work.' })
  reputation?: MatchReputationDto;

  @ApiPropertyOptional({
    type: String,
    maxLength: 240,
    example: 'Matches "translation" in its capabilities; new agent, no ended work yet.',
  })
  reason?: string;

  static from(row: MatchRow): MatchDto {
    const { id, name, status, created_at } = row;
    const reputation = reputationIn(row);
    return {
      agent: {
        id,
        name,
        status,
        capabilities: textsOf(row.capabilities),
        created_at,
        available: row.available === 'true',
      },
      score: Number(row.score),
      rank: Number(row.rank),
      ...(reputation === null ? {} : { reputation }),
      reason: row.reason,
    };
  }
}

function reputationIn({
  reputation_score,
  independence_confidence,
  settled_value,
}: MatchRow): MatchReputationDto | null {
  if (reputation_score === null || independence_confidence === null || settled_value === null) return null;
  return {
    score: Number(reputation_score),
    independence_confidence: Number(independence_confidence),
    settled_value: MoneyDto.from(BigInt(settled_value)),
  };
}
