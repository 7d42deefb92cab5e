/** What the wallet of an account may be asked to pay. Amounts are USDC base units; null: no limit. */
export interface SpendLimits {
  /** Most of one payment. */
  readonly perPayment: bigint | null;
  /** Most of all payments that are prepared on one day in UTC. */
  readonly perDay: bigint | null;
  /** Most of all payments since the limits were first set. It never refills. */
  readonly inTotal: bigint | null;
  /** EIP-55 wallets that may be paid. */
  readonly counterparties: readonly string[] | null;
}

/** What was prepared and can still be paid, and what was paid, in base units. */
export interface Spent {
  readonly today: bigint;
  readonly inTotal: bigint;
}

/** A payment that somebody asks to prepare. */
export interface Spending {
  /** Base units of the account's own money. */
  readonly amount: bigint;
  /** EIP-55 wallet that gets it. */
  readonly to: string;
}

/** The limits by their names on the wire. */
export type SpendLimitName = 'per_payment' | 'per_day' | 'total';

/** Why a payment is refused. */
export type SpendFault =
  | { readonly limit: 'counterparties' }
  | {
      readonly limit: SpendLimitName;
      readonly most: bigint;
      /** What a payment may still be. */
      readonly left: bigint;
      /** When `left` grows again; null: never. */
      readonly refillsAt: Date | null;
    };

export const NO_LIMITS: SpendLimits = { perPayment: null, perDay: null, inTotal: null, counterparties: null };
/** Most wallets that one policy names: all stand in the message that a wallet signs, and that fits in one QR code. */
export const MAX_COUNTERPARTIES = 20;

const DAY_MS = 86_400_000;

/**
 * The rule of docs/spend-limits.md: the first limit that keeps the payment from being prepared, the one that refills
 * latest first; null: none does.
 * @param spent without this payment, however often it was prepared before.
 */
export function spendFault(
  limits: SpendLimits,
  spent: Spent,
  { amount, to }: Spending,
  nowMs: number,
): SpendFault | null {
  const { perPayment, perDay, inTotal, counterparties } = limits;
  if (counterparties !== null && !counterparties.includes(to)) return { limit: 'counterparties' };
  if (perPayment !== null && amount > perPayment) {
    return { limit: 'per_payment', most: perPayment, left: perPayment, refillsAt: null };
  }
  // By what is left, so that a payment of nothing is allowed also where a limit was lowered below what was spent.
  if (inTotal !== null && amount > leftOf(inTotal, spent.inTotal)) {
    return { limit: 'total', most: inTotal, left: leftOf(inTotal, spent.inTotal), refillsAt: null };
  }
  if (perDay !== null && amount > leftOf(perDay, spent.today)) {
    return { limit: 'per_day', most: perDay, left: leftOf(perDay, spent.today), refillsAt: nextDay(nowMs) };
  }
  return null;
}

/** What is left of a limit; nothing where a limit was lowered below what was spent. */
export function leftOf(most: bigint, spent: bigint): bigint {
  return spent >= most ? 0n : most - spent;
}

/** The day in UTC as `YYYY-MM-DD`. */
export function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

/** The next midnight in UTC. */
export function nextDay(nowMs: number): Date {
  return new Date((Math.floor(nowMs / DAY_MS) + 1) * DAY_MS);
}

/** The limits of an application whose consents have a cap and no policy, as those of before there were policies. */
export function limitsOfCap(fundingCap: bigint | null): SpendLimits {
  return { ...NO_LIMITS, perPayment: fundingCap };
}

/** True when nothing is limited. */
export function isUnlimited({ perPayment, perDay, inTotal, counterparties }: SpendLimits): boolean {
  return perPayment === null && perDay === null && inTotal === null && counterparties === null;
}

/** True when `after` allows nothing that `before` does not. */
export function isNoWider(before: SpendLimits, after: SpendLimits): boolean {
  const { counterparties: named } = before;
  return (
    isAtMost(after.perPayment, before.perPayment) &&
    isAtMost(after.perDay, before.perDay) &&
    isAtMost(after.inTotal, before.inTotal) &&
    (named === null || (after.counterparties !== null && after.counterparties.every((each) => named.includes(each))))
  );
}

function isAtMost(after: bigint | null, before: bigint | null): boolean {
  return before === null || (after !== null && after <= before);
}
