const UNITS = 1_000_000n;

/** The id, checked to be one that a path can carry. @throws TypeError when it is not. */
export function identifier(id: unknown): string {
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,128}$/.test(id)) throw new TypeError('no identifier');
  return id;
}

/** Base units of a decimal amount. */
export function unitsOf(amount: string): bigint {
  const [whole = '', part = ''] = amount.split('.');
  return BigInt(whole) * UNITS + BigInt(part.padEnd(6, '0'));
}

/** Decimal amount of base units, with at least two decimal places. */
export function amountOf(units: bigint): string {
  return `${units / UNITS}.${(units % UNITS).toString().padStart(6, '0').replace(/0+$/, '').padEnd(2, '0')}`;
}

/** RFC 3339 text of unix seconds. */
export function utc(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
