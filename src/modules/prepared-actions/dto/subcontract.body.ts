import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IDENTIFIER_PATTERN } from '#libs/kernel';
import { IsIdentifier, IsIntegerBetween, IsOneOf, MayBeAbsent } from '../../../platform/http/input/value-rules.js';
import { FUNDING_MODES, type FundingModeName } from '../money/funding-source.js';
import { FUNDING_MODE, fundingIn } from './funding.body.js';

/** 48 hours and 90 days. rule: docs/decisions/interface.md#fields-and-ranges */
const MIN_ACCEPT_WINDOW = 172_800;
const MAX_ACCEPT_WINDOW = 7_776_000;

export class SubcontractBody {
  @ApiProperty({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: 'A submitted quote for a node under this one.',
    example: 'quote_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  @IsIdentifier()
  quote_id!: string;

  @ApiProperty({
    type: 'integer',
    minimum: MIN_ACCEPT_WINDOW,
    maximum: MAX_ACCEPT_WINDOW,
    description: 'Seconds that you have to answer a delivery; as the quote was signed for.',
    example: 259_200,
  })
  @IsIntegerBetween(MIN_ACCEPT_WINDOW, MAX_ACCEPT_WINDOW, 'seconds')
  accept_window_seconds!: number;

  @ApiPropertyOptional({
    ...FUNDING_MODE,
    description: `Only for a quote that the hirer pays from its own wallet. ${FUNDING_MODE.description}`,
  })
  @MayBeAbsent()
  @IsOneOf(FUNDING_MODES)
  funding_mode?: FundingModeName;
}

/** The members of a checked body under the program's own names. */
export function subcontractIn(body: SubcontractBody): {
  quoteId: string;
  acceptWindowSeconds: number;
  fundingMode?: FundingModeName;
} {
  const { quote_id: quoteId, accept_window_seconds: acceptWindowSeconds } = body;
  return { quoteId, acceptWindowSeconds, ...fundingIn(body) };
}
