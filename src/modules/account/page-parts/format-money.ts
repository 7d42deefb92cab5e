import { formatUsdc } from '#libs/kernel';

/** Formats an amount with two decimals, or more when the amount has more. @param baseUnits of USDC. */
export function formatMoney(baseUnits: bigint): string {
  return withTwoDecimals(formatUsdc(baseUnits));
}

/** As `formatMoney`, for a decimal text of the interface. @param amount decimal USDC. */
export function withTwoDecimals(amount: string): string {
  const [whole = '0', decimals = ''] = amount.split('.');
  return `${whole}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`;
}
