/** JSON whose objects inherit nothing, so that a member called `constructor` or `__proto__` is only ever its own. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

const MAX_DEPTH = 32;
const MAX_VALUES = 10_000;
/** Characters of all texts together: room for a bundle of calls with the long signatures of contract wallets. */
const MAX_TEXT = 1_000_000;

/**
 * Copies any value as JSON and reads each of its members once. A part that is not JSON (a function, a number that is
 * not finite) becomes null. The whole is null when a member throws, or when it is deeper or larger than what an honest
 * service sends.
 */
export function plainJson(value: unknown): Json {
  try {
    return copy(value, 0, { values: 0, text: 0 });
  } catch {
    return null;
  }
}

/** Narrows to an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object with their values. */
export function membersOf(value: JsonObject): [string, Json][] {
  return Object.entries(value);
}

function copy(value: unknown, depth: number, spent: { values: number; text: number }): Json {
  spent.values += 1;
  if (depth > MAX_DEPTH || spent.values > MAX_VALUES) throw new RangeError('Too deep or too many values');
  if (typeof value === 'string') {
    spent.text += value.length;
    if (spent.text > MAX_TEXT) throw new RangeError('Too much text');
    return value;
  }
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => copy(item, depth + 1, spent));
  const object: Record<string, Json> = Object.create(null);
  for (const [name, member] of Object.entries(value)) {
    spent.text += name.length;
    if (member !== undefined) object[name] = copy(member, depth + 1, spent);
  }
  return object;
}
