import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsIn, IsObject, ValidateBy, ValidateNested } from 'class-validator';
import { parsePositiveUsdc } from '#libs/kernel';

const AMOUNT_RULE = 'amount is a decimal text greater than zero with at most six decimals, such as "250.00"';

/** An amount as a request names it (spec: Money): never a number, never rounded, never zero. */
export class MoneyBody {
  @ApiProperty({
    type: String,
    pattern: '^[0-9]+(\\.[0-9]{1,6})?$',
    description: 'Greater than zero; more than six decimals are an error.',
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
    IsDefined({ message: ({ property }) => `${property} is required` }),
    IsObject({ message: ({ property }) => `${property} is an object with amount and currency` }),
    ValidateNested(),
    Type(() => MoneyBody),
  );
}

/** Base units of a checked body: 1 to 2^96 − 1. */
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
