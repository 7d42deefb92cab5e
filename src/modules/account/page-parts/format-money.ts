import { formatUsdc } from '#libs/kernel';

/** An amount for a person: two decimals, and more only where it has more. @param baseUnits of USDC. */
export function formatMoney(baseUnits: bigint): string {
  return withTwoDecimals(formatUsdc(baseUnits));
}

/** The same for an amount as the interface writes it. @param amount decimal USDC. */
export function withTwoDecimals(amount: string): string {
  const [whole = '0', decimals = ''] = amount.split('.');
  return `${whole}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`;
}
