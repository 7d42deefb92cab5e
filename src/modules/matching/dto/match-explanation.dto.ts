import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PageOf } from '../../../platform/operations/page.dto.js';
import type { RankedMatch } from '../ranking/agent-ranking.js';
import type { EligibilityRefusal } from '../ranking/eligibility.js';
import { BLEND } from '../relevance/matching-constants.js';
import { MatchDto } from './match.dto.js';

const share = (part: keyof typeof BLEND, description: string) =>
  ({
    type: Number,
    minimum: 0,
    maximum: 1,
    description: `${description} Counts ${BLEND[part]} of the score.`,
  }) as const;

/** A reason why an agent cannot be hired for a task. */
export class MatchRefusalDto {
  @ApiProperty({
    type: String,
    description:
      'Values: not_active, not_available, same_cluster, hirer_above, refused_before, nothing_in_common. More may follow.',
    example: 'not_available',
  })
  code!: string;

  @ApiProperty({ type: String, example: 'The agent takes no new work at the moment.' })
  reason!: string;
}

/** The components of a score. */
export class MatchComponentsDto {
  @ApiProperty({ ...share('relevance', 'Texts and settled tasks, as a share of the best candidate.'), example: 0.8731 })
  relevance!: number;

  @ApiProperty({ ...share('score', 'Of the reputation record; 0.8 without one.'), example: 0.8 })
  score!: number;

  @ApiProperty({ ...share('independence', 'Of the reputation record; 0 without one.'), example: 0 })
  independence!: number;

  @ApiProperty({ ...share('priceFit', 'Agents declare no minimum price, so every budget fits.'), example: 1 })
  price_fit!: number;

  @ApiProperty({ ...share('idle', '1 without running work, 0 from ten nodes on.'), example: 1 })
  idle!: number;

  @ApiProperty({
    type: Number,
    minimum: 0,
    maximum: 1,
    description: 'How like the task the most similar one is that the agent has settled. A part of `relevance`.',
    example: 0.41,
  })
  similarity!: number;
}

/** Why an agent is where it is among the matches of a task, or is not among them. */
export class MatchExplanationDto {
  @ApiProperty({ type: String, example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  agent_id!: string;

  @ApiProperty({ type: Boolean, description: 'Whether it may be hired for the task now.', example: true })
  eligible!: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'Its place now. Absent when it may not be hired, and when it is not among the best 1,000.',
    example: 3,
  })
  rank?: number;

  @ApiProperty({
    type: MatchRefusalDto,
    isArray: true,
    maxItems: 6,
    description: 'Everything that keeps it from being hired; empty when it may be.',
  })
  refusals!: MatchRefusalDto[];

  @ApiPropertyOptional({ type: MatchComponentsDto, description: 'What its score is made of; present with `rank`.' })
  components?: MatchComponentsDto;

  static from(agentId: string, refusals: EligibilityRefusal[], match: RankedMatch | undefined): MatchExplanationDto {
    const eligible = refusals.length === 0;
    if (match === undefined) return { agent_id: agentId, eligible, refusals };
    return { agent_id: agentId, eligible, rank: match.rank, refusals, components: componentsOf(match) };
  }
}

/** A page of matches; with `explain` it contains the explanation of one agent. */
export class MatchPageDto extends PageOf(MatchDto) {
  declare data: MatchDto[];

  @ApiPropertyOptional({ type: MatchExplanationDto, description: 'Present with `explain`.' })
  explanation?: MatchExplanationDto;
}

function componentsOf({ parts, candidate }: RankedMatch): MatchComponentsDto {
  return {
    relevance: fourDecimals(parts.relevance),
    score: fourDecimals(parts.score),
    independence: fourDecimals(parts.independence),
    price_fit: fourDecimals(parts.priceFit),
    idle: fourDecimals(parts.idle),
    similarity: fourDecimals(candidate.similarity),
  };
}

function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
