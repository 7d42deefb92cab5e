import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOneOf, MayBeAbsent } from '../../../platform/http/input/value-rules.js';
import { FUNDING_MODES, type FundingModeName } from '../money/funding-source.js';

/** How `funding_mode` is described wherever a request takes it. Request enumerations are closed. */
export const FUNDING_MODE = {
  enum: FUNDING_MODES,
  description:
    'Where the money comes from. `authorization`: the wallet signs the one EIP-3009 payment that anyone may then send; ' +
    '`permit`: it signs an EIP-2612 permit, which names neither action nor node, and sends the call itself; `allowance`: it has approved the escrow, or sends ' +
    'approval and call itself; `refund_balance`: what came back to it in this tree. Absent: `refund_balance` where it is ' +
    'enough, else `authorization` for a wallet without code and `allowance` for one with code.',
  example: 'authorization',
};

/** Every member may be absent, and so may the body. */
export class FundingBody {
  @ApiPropertyOptional(FUNDING_MODE)
  @MayBeAbsent()
  @IsOneOf(FUNDING_MODES)
  funding_mode?: FundingModeName;
}

/** The funding mode under the program's own name. */
export function fundingIn({ funding_mode: fundingMode }: Pick<FundingBody, 'funding_mode'>): {
  fundingMode?: FundingModeName;
} {
  return fundingMode === undefined ? {} : { fundingMode };
}
