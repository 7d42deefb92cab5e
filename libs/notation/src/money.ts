/** Decimal places of USDC: one unit shown is 10^6 base units. */
export const USDC_DECIMALS = 6;

/** Largest amount of base units the escrow can hold in one node (uint64). */
export const MAX_USDC_UNITS = (1n << 64n) - 1n;

/** Largest amount that a request may name: 10^12 USDC, in base units. Far above any budget, below what a node can hold. */
export const MAX_REQUESTED_UNITS = 10n ** 18n;

/**
 * The amounts that `parsePositiveUsdc` accepts, as a pattern for validators that cannot call it: above zero, at most
 * 10^12, at most six decimals. The pattern uses no look-around, because not every engine has it.
 */
export const POSITIVE_AMOUNT_PATTERN =
  '^0*(?:[1-9][0-9]{0,11}(?:\\.[0-9]{1,6})?|1000000000000(?:\\.0{1,6})?|' +
  '0\\.(?:[1-9][0-9]{0,5}|0[1-9][0-9]{0,4}|00[1-9][0-9]{0,3}|000[1-9][0-9]{0,2}|0000[1-9][0-9]?|00000[1-9]))$';

/** Money on the wire (docs/decisions/interface.md#types-on-the-wire). */
export interface MoneyJson {
  /** Canonical decimal text, see `formatUsdc`. */
  amount: string;
  currency: 'USDC';
}

/** An amount, of nothing too: digits with at most six decimals. */
export const AMOUNT_PATTERN = /^([0-9]+)(?:\.([0-9]{1,6}))?$/;
const UNITS_PER_USDC = 10n ** BigInt(USDC_DECIMALS);
/** Longest text worth converting: no amount within uint64 needs more digits, and BigInt of a huge text is slow. */
export const MAX_AMOUNT_LENGTH = 64;

/**
 * Base units of a decimal text such as "12.5". Nothing is rounded: more than six decimals, signs, exponents and blanks
 * are a SyntaxError; more than uint64 holds is a RangeError. Zero is allowed, see `parsePositiveUsdc`.
 */
export function parseUsdc(text: string): bigint {
  const match = text.length <= MAX_AMOUNT_LENGTH ? AMOUNT_PATTERN.exec(text) : null;
  const whole = match?.[1];
  if (whole === undefined) throw new SyntaxError('An amount is digits with at most six decimals, such as "12.50"');
  const units = BigInt(whole) * UNITS_PER_USDC + BigInt((match?.[2] ?? '').padEnd(USDC_DECIMALS, '0'));
  if (units > MAX_USDC_UNITS) throw new RangeError('The amount is larger than the escrow can hold');
  return units;
}

/** An amount that a request names: as `parseUsdc`, and a RangeError on zero and above `MAX_REQUESTED_UNITS`. */
export function parsePositiveUsdc(text: string): bigint {
  const units = parseUsdc(text);
  if (units === 0n) throw new RangeError('The amount must be greater than zero');
  if (units > MAX_REQUESTED_UNITS) throw new RangeError('The amount must be at most 1,000,000,000,000 USDC');
  return units;
}

/**
 * Canonical decimal text of base units: at least two decimals and no superfluous zeros beyond them ("250.00",
 * "1.234", "0.000001"). Throws RangeError on a negative number.
 */
export function formatUsdc(units: bigint): string {
  if (units < 0n) throw new RangeError('An amount of money is never negative');
  const digits = units.toString().padStart(USDC_DECIMALS + 1, '0');
  return `${digits.slice(0, -USDC_DECIMALS)}.${digits.slice(-USDC_DECIMALS).replace(/0{1,4}$/, '')}`;
}

/** Money as it appears in a response body. */
export function moneyJson(units: bigint): MoneyJson {
  return { amount: formatUsdc(units), currency: 'USDC' };
}
