import { ValidateBy } from 'class-validator';

/** rule: RFC 3339 §5.6, where T and Z may be lower case. */
const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const SECOND_MS = 1000;

/** The member is an RFC 3339 instant. It may be absent, but null is a value like any other. */
export function IsInstant(): PropertyDecorator {
  return ValidateBy({
    name: 'isInstant',
    validator: {
      validate: (value: unknown) => value === undefined || (typeof value === 'string' && instantOf(value) !== null),
      defaultMessage: (member) => `${member?.property} is a time such as 2026-11-27T12:55:00Z`,
    },
  });
}

/**
 * The instant that a text names, in whole seconds as the chain counts (a fraction is dropped); null for text that names
 * none: the 30th of February is not the 2nd of March.
 */
export function instantOf(text: string): Date | null {
  const [, ...parts] = INSTANT.exec(text) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const named = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const isReal =
    parts.length > 0 &&
    named.getUTCMonth() === month - 1 &&
    named.getUTCDate() === day &&
    named.getUTCHours() === hour &&
    named.getUTCMinutes() === minute &&
    named.getUTCSeconds() === second;
  if (!isReal) return null;
  return new Date(Math.floor(Date.parse(text.toUpperCase()) / SECOND_MS) * SECOND_MS);
}

/** As `instantOf`, for a member that was checked; undefined stays undefined. Throws TypeError otherwise. */
export function checkedInstant(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const instant = instantOf(text);
  if (instant === null) throw new TypeError('A checked member is not an instant');
  return instant;
}
