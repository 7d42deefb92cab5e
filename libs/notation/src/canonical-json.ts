/** Deepest nesting that is canonicalised; a request body that nests deeper is hostile. */
const MAX_DEPTH = 256;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Canonical JSON text of a value (RFC 8785): members sorted by UTF-16 code units, no blanks, numbers as ECMAScript
 * writes them. Members whose value is `undefined` are left out, as `JSON.stringify` does. Throws RangeError on a
 * number that is not finite, TypeError on lone surrogates and on anything that JSON has no form for, RangeError when
 * nested deeper than 256.
 */
export function jcs(value: unknown): string {
  return canonical(value, 0);
}

function canonical(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new RangeError(`JSON nested deeper than ${MAX_DEPTH}`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('JSON has no form for a number that is not finite');
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw new TypeError(`JSON has no form for ${typeof value}`);
  if (!Array.isArray(value)) return canonicalObject(value, depth);
  return `[${Array.from(value, (item) => canonical(item, depth + 1)).join(',')}]`;
}

function canonicalObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('JSON objects are plain objects');
  const members: string[] = [];
  // The default order of `sort` is that of UTF-16 code units, which RFC 8785 asks for.
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, member] of entries) {
    if (member !== undefined) members.push(`${canonicalString(name)}:${canonical(member, depth + 1)}`);
  }
  return `{${members.join(',')}}`;
}

function canonicalString(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new TypeError('JSON text must not hold lone surrogates');
  return JSON.stringify(text);
}
