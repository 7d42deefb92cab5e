import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import { AgentDto } from '../../agents/agent/agent.dto.js';
import { textsOf } from '../../agents/agent/json-strings.js';
import type { MatchReputation } from '../ranking/reputation-row.js';

/** A match to show: its place in the ranking, with the agent and its reputation as they are now. */
export interface ShownMatch {
  rank: number;
  score: number;
  reason: string;
  reputation: MatchReputation | null;
  agent: MatchedAgentRow;
}

/** The agent of a match, as the text that Postgres sent. */
export interface MatchedAgentRow {
  id: string;
  name: string;
  status: string;
  /** JSON array of texts. */
  capabilities: string;
  available: 'true' | 'false';
  created_at: string;
}

/** Reputation of an agent from its ended work. */
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

/** An eligible agent for a task (docs/decisions/interface.md#fields-and-ranges). */
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
    example: 'Matches "translation" in capabilities; new agent, no ended work yet.',
  })
  reason?: string;

  static from({ rank, score, reason, reputation, agent }: ShownMatch): MatchDto {
    const { id, name, status, created_at } = agent;
    return {
      agent: {
        id,
        name,
        status,
        capabilities: textsOf(agent.capabilities),
        created_at,
        available: agent.available === 'true',
      },
      score,
      rank,
      ...(reputation === null ? {} : { reputation: wireReputation(reputation) }),
      reason,
    };
  }
}

function wireReputation({ score, independenceConfidence, settledValue }: MatchReputation): MatchReputationDto {
  return {
    score,
    independence_confidence: independenceConfidence,
    settled_value: MoneyDto.from(settledValue),
  };
}
