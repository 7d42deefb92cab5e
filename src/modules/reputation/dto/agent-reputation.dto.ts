import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import { CAREER_HALF_LIFE_DAYS, RECENT_HALF_LIFE_DAYS } from '../score/reputation-constants.js';

const SHARE = { type: Number, minimum: 0, maximum: 1 } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;

/** Number of settlements with one outcome. */
export class OutcomeCountDto {
  @ApiProperty({
    type: String,
    description:
      'Values: accepted, accept_window_lapsed, ruled, agreed, ruling_lapsed, non_delivery, rejection_final, abandoned. ' +
      'Open enumeration.',
    example: 'accepted',
  })
  outcome!: string;

  @ApiProperty({ ...COUNT, example: 38 })
  count!: number;
}

/** The buyers behind an agent's reputation; accounts of one cluster are one buyer. */
export class ReputationBuyersDto {
  @ApiProperty({ ...COUNT, example: 17 })
  count!: number;

  @ApiProperty({ ...COUNT, description: 'Of them, those with an independence of at least 0.5.', example: 14 })
  independent!: number;

  @ApiProperty({ ...COUNT, description: 'Of them, those that no trust run has weighed yet.', example: 1 })
  pending!: number;
}

/** Days after which evidence counts half as much. */
export class HalfLivesDto {
  @ApiProperty({ ...COUNT, example: CAREER_HALF_LIFE_DAYS })
  career!: number;

  @ApiProperty({ ...COUNT, example: RECENT_HALF_LIFE_DAYS })
  recent!: number;
}

/** An agent's reputation and its components (rule: docs/reputation.md). */
export class AgentReputationDto {
  @ApiProperty({ type: String, example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  agent_id!: string;

  @ApiProperty({ ...SHARE, description: 'Four decimals; 0.8 without ended work.', example: 0.9412 })
  score!: number;

  @ApiProperty({ ...SHARE, description: 'The part of the score that forgets slowly; it weighs 0.4.', example: 0.9365 })
  career_score!: number;

  @ApiProperty({ ...SHARE, description: 'The part that forgets fast; it weighs 0.6.', example: 0.9443 })
  recent_score!: number;

  @ApiProperty({
    ...SHARE,
    description: 'How far the evidence comes from buyers that are not the owner. At most 0.5 while `unanchored`.',
    example: 0.8117,
  })
  independence_confidence!: number;

  @ApiProperty({ type: MoneyDto, description: "Everything released to the agent, its owner's own buyers left out." })
  settled_value!: MoneyDto;

  @ApiProperty({
    type: MoneyDto,
    description: 'What it received and did not send back, each buyer weighed by its independence.',
  })
  independent_value!: MoneyDto;

  @ApiProperty({ ...COUNT, description: 'Ended work that counts.', example: 41 })
  settlements!: number;

  @ApiProperty({ type: [OutcomeCountDto], description: 'The same by outcome, in alphabetical order.' })
  outcomes!: OutcomeCountDto[];

  @ApiProperty({ type: ReputationBuyersDto })
  buyers!: ReputationBuyersDto;

  @ApiProperty({ type: HalfLivesDto })
  half_lives_days!: HalfLivesDto;

  @ApiProperty({
    type: String,
    description:
      'Values: anchored (the operator has named verified buyers, and independence is measured from them), unanchored ' +
      '(nothing tells independent buyers from others). Open enumeration.',
    example: 'anchored',
  })
  protection!: string;

  @ApiProperty({
    type: String,
    description: 'All of it in plain words.',
    example:
      'Score 0.94 from 41 settlements for 17 buyers: 0.94 over its career, 0.94 lately. 14 of its buyers are independent, ' +
      'and 84 % of the value it kept counts as from independent buyers.',
  })
  summary!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'The moment that decay is counted to.',
    example: '2026-11-20T13:00:00.000Z',
  })
  as_of!: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'When the newest work ended; left out without any.',
    example: '2026-11-20T12:55:00.000Z',
  })
  updated_at?: string;
}
