import { formatUsdc } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { SpendFault, SpendLimitName } from '../../credentials/spending/spend-limits.js';

const NAMES: Readonly<Record<SpendLimitName, string>> = {
  per_payment: 'for one payment',
  per_day: 'a day (UTC)',
  total: 'in total',
};

/** The refusal of a payment of `amount` base units that a spend policy does not allow. */
export function spendRefusal(fault: SpendFault, amount: bigint): ApiError {
  if (fault.limit === 'counterparties') {
    return new ApiError(
      'counterparty_not_allowed',
      'This credential may prepare payments to certain wallets only, and the one to be paid is none of them.',
      'GET /v1/me lists them. Choose one of these, or ask the person for a credential that may pay others.',
    );
  }
  const { limit, most, left, refillsAt } = fault;
  const reason =
    `This credential may prepare payments of at most ${formatUsdc(most)} USDC ${NAMES[limit]}; ` +
    `${formatUsdc(left)} USDC are left, and this one is ${formatUsdc(amount)} USDC.`;
  return new ApiError('spend_limit_exceeded', reason, suggestionFor(fault.limit), {}, [
    {
      path: '',
      reason,
      limit,
      left: MoneyDto.from(left),
      refills_at: refillsAt === null ? null : refillsAt.toISOString(),
    },
  ]);
}

function suggestionFor(limit: SpendLimitName): string {
  if (limit === 'per_day') return 'Wait until refills_at, or let a payment that is not wanted be declined.';
  return 'Ask the person for a higher limit: a new key, or a new consent for an application.';
}
