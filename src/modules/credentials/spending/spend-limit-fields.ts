import { readAddressText } from '#libs/contracts';
import { formatUsdc, MAX_REQUESTED_UNITS, parseUsdc } from '#libs/kernel';
import { MAX_COUNTERPARTIES, type SpendLimits } from './spend-limits.js';

/** The fields of limits, as a person types them; empty: no limit. */
export interface TypedLimits {
  per_payment: string;
  per_day: string;
  total: string;
  /** Wallets with blanks, commas or semicolons between them. */
  counterparties: string;
}

export type LimitField = keyof TypedLimits;

export const NO_TYPED_LIMITS: TypedLimits = { per_payment: '', per_day: '', total: '', counterparties: '' };
export const LIMIT_FIELDS: readonly LimitField[] = ['per_payment', 'per_day', 'total', 'counterparties'];

/** What one field is wrong with. */
export class LimitRefused extends Error {
  constructor(
    readonly field: LimitField,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/**
 * Reads the fields of a form. One that comes twice is kept with both values, which is no amount: a limit is never lost by
 * sending it twice.
 */
export function typedLimits(form: URLSearchParams): TypedLimits {
  const text = (field: LimitField) => form.getAll(field).join(' ').trim();
  return {
    per_payment: text('per_payment'),
    per_day: text('per_day'),
    total: text('total'),
    counterparties: text('counterparties'),
  };
}

/** The limits that the fields mean. Zero is a limit. @throws LimitRefused for the first field that is wrong. */
export function limitsIn(typed: TypedLimits): SpendLimits {
  return {
    perPayment: amountOf('per_payment', typed),
    perDay: amountOf('per_day', typed),
    inTotal: amountOf('total', typed),
    counterparties: walletsOf(typed),
  };
}

/** The fields as they are filled in for limits. */
export function limitTexts({ perPayment, perDay, inTotal, counterparties }: SpendLimits): TypedLimits {
  const amount = (units: bigint | null) => (units === null ? '' : formatUsdc(units));
  return {
    per_payment: amount(perPayment),
    per_day: amount(perDay),
    total: amount(inTotal),
    counterparties: counterparties?.join(' ') ?? '',
  };
}

function amountOf(field: Exclude<LimitField, 'counterparties'>, typed: TypedLimits): bigint | null {
  const text = typed[field];
  if (text === '') return null;
  try {
    const units = parseUsdc(text);
    if (units <= MAX_REQUESTED_UNITS) return units;
  } catch {
    // Refused below, as an amount that is too large is.
  }
  throw new LimitRefused(
    field,
    'Write the amount as digits with at most six decimals, such as 250.00; at most 1000000000000.',
  );
}

function walletsOf({ counterparties }: TypedLimits): string[] | null {
  const given = counterparties.split(/[\s,;]+/).filter((part) => part !== '');
  if (given.length === 0) return null;
  if (given.length > MAX_COUNTERPARTIES) {
    throw new LimitRefused('counterparties', `Give at most ${MAX_COUNTERPARTIES} wallets.`);
  }
  return [...new Set(given.map(walletOf))];
}

/** In mixed case the checksum of EIP-55 must hold, because a mistyped digit would name nobody. */
function walletOf(text: string, index: number): string {
  const address = readAddressText(text);
  if (address !== null) return address;
  throw new LimitRefused('counterparties', `Number ${index + 1} is not the address of a wallet (0x and 40 digits).`);
}
