import { formatUsdc } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import type { ActionIntent, CheckedAction } from '../action/prepared-kind.js';

/**
 * Refuses a payment above the cap that the person has set for the application. An API key has no cap.
 * @throws ApiError `funding_cap_exceeded`.
 */
export function refuseAboveCap(
  { fundingCap }: Pick<ActionIntent, 'fundingCap'>,
  { ownMoney }: Pick<CheckedAction, 'ownMoney'>,
): void {
  if (fundingCap === undefined || ownMoney <= fundingCap) return;
  throw new ApiError(
    'funding_cap_exceeded',
    `This application may prepare payments of at most ${formatUsdc(fundingCap)} USDC each; this one is ` +
      `${formatUsdc(ownMoney)} USDC.`,
    'Connect the application again with a higher cap, or prepare this payment with an API key.',
  );
}
