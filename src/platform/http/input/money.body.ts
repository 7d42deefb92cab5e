import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsObject, ValidateBy } from 'class-validator';
import { MAX_AMOUNT_LENGTH, parsePositiveUsdc, POSITIVE_AMOUNT_PATTERN } from '#libs/kernel';
import { HasShape } from './input-shape.js';

const AMOUNT_RULE =
  'amount is a decimal text greater than zero, at most 1000000000000 (10^12), with at most six decimals, such as "250.00"';

/**
 * An amount as a request names it (docs/decisions/interface.md#types-on-the-wire): never a number, never rounded, never
 * zero.
 */
export class MoneyBody {
  @ApiProperty({
    type: String,
    pattern: POSITIVE_AMOUNT_PATTERN,
    maxLength: MAX_AMOUNT_LENGTH,
    description: 'Greater than zero, at most 1000000000000 (10^12 USDC); more than six decimals are an error.',
    example: '250.00',
  })
  @ValidateBy({ name: 'isAmount', validator: { validate: isAmount, defaultMessage: () => AMOUNT_RULE } })
  amount!: string;

  @ApiProperty({ enum: ['USDC'], example: 'USDC' })
  @IsIn(['USDC'], { message: 'currency is USDC' })
  currency!: 'USDC';
}

/** A required member of a body that is money: one object, checked by the rules of `MoneyBody`. */
export function MoneyMember(description: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: MoneyBody, description }),
    IsObject({ message: ({ property }) => `${property} is an object with amount and currency` }),
    HasShape(MoneyBody),
  );
}

/** Base units of a checked body: 1 to 10^18. */
export function unitsOf({ amount }: MoneyBody): bigint {
  return parsePositiveUsdc(amount);
}

function isAmount(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return parsePositiveUsdc(value) > 0n;
  } catch {
    return false;
  }
}
