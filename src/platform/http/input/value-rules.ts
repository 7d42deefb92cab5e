import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min, ValidateBy, ValidateIf } from 'class-validator';
import { BYTES32_PATTERN, isIdentifier } from '#libs/kernel';

/** The member may be absent, and is checked when it is not: `null` is a value like any other. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_body: object, value: unknown) => value !== undefined);
}

/** The member follows a rule of its own. @param says the rule in words that follow the member's name, without a full stop. */
export function Holds(says: string, holds: (value: unknown) => boolean): PropertyDecorator {
  return ValidateBy({
    name: 'holds',
    validator: { validate: holds, defaultMessage: (member) => `${member?.property} ${says}` },
  });
}

/** The member is an Identifier (docs/decisions/interface.md#types-on-the-wire). */
export function IsIdentifier(): PropertyDecorator {
  return Holds(
    'is an identifier: 1 to 128 letters, digits, "_" or "-"',
    (value) => typeof value === 'string' && isIdentifier(value),
  );
}

/** The member is a Bytes32 (docs/decisions/interface.md#types-on-the-wire). */
export function IsBytes32(): PropertyDecorator {
  return Holds(
    'is 32 bytes: "0x" and 64 hexadecimal digits',
    (value) => typeof value === 'string' && BYTES32_PATTERN.test(value),
  );
}

/** The member is a whole number in a range. @param unit what it counts, such as `seconds`. */
export function IsIntegerBetween(minimum: number, maximum: number, unit?: string): PropertyDecorator {
  const message = ({ property }: { property: string }) =>
    `${property} is an integer between ${minimum} and ${maximum}${unit === undefined ? '' : ` ${unit}`}`;
  return applyDecorators(IsInt({ message }), Min(minimum, { message }), Max(maximum, { message }));
}

/** Request enumerations are closed (docs/decisions/interface.md#enumerations). */
export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return Holds(`is ${namedOne(values)}`, (value) => values.some((one) => one === value));
}

/** `a`, `a or b`, `one of a, b, c` */
function namedOne(values: readonly string[]): string {
  return values.length <= 2 ? values.join(' or ') : `one of ${values.join(', ')}`;
}
