import { formatUsdc } from '#libs/kernel';
import type { SpendLimits } from './spend-limits.js';

/** What limits allow, as the end of a sentence: "at most 25.00 USDC per payment and 100.00 USDC a day (UTC)". */
export function limitsCopy({ perPayment, perDay, inTotal, counterparties }: SpendLimits): string {
  const amounts = [
    amount(perPayment, 'per payment'),
    amount(perDay, 'a day (UTC)'),
    amount(inTotal, 'in total'),
  ].filter((part) => part !== null);
  const most = amounts.length === 0 ? null : `at most ${listed(amounts)}`;
  const whom = counterparties === null ? null : walletsCopy(counterparties);
  return [most, whom].filter((part) => part !== null).join(', ') || 'any amount to anybody';
}

function amount(units: bigint | null, of: string): string | null {
  return units === null ? null : `${formatUsdc(units)} USDC ${of}`;
}

function walletsCopy(wallets: readonly string[]): string {
  return wallets.length === 1 ? 'only to one wallet' : `only to ${wallets.length} wallets`;
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
