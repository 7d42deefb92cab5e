import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AMOUNT_PATTERN, MAX_AMOUNT_LENGTH, MAX_REQUESTED_UNITS, parseUsdc } from '#libs/kernel';
import { IsObject } from 'class-validator';
import { HasShape } from '../../../platform/http/input/input-shape.js';
import { Holds, IsOneOf, MayBeAbsent } from '../../../platform/http/input/value-rules.js';

/** An amount that may be nothing, unlike one that is paid. */
export class FloorBody {
  @ApiProperty({
    type: String,
    pattern: AMOUNT_PATTERN.source,
    maxLength: MAX_AMOUNT_LENGTH,
    description:
      'From nothing up to the price; more than six decimals are an error. With `0` a dispute without a ruling gives all of ' +
      'the money back, and nobody can be hired out of it.',
    example: '125.00',
  })
  @Holds('is a decimal text with at most six decimals, such as "125.00"', isAmount)
  amount!: string;

  @ApiProperty({ enum: ['USDC'], example: 'USDC' })
  @IsOneOf(['USDC'])
  currency!: 'USDC';
}

/** The optional floor of an offer. */
export function FloorMember(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: FloorBody,
      description:
        "What your side has if the arbiter stays silent in a dispute, helpers' parts included, and the most that you may " +
        'promise to helpers out of the price. Where the task has no arbiter, only the second counts. Absent: half the ' +
        'price, rounded down to the smallest unit.',
    }),
    MayBeAbsent(),
    IsObject({ message: 'floor is an object with amount and currency' }),
    HasShape(FloorBody),
  );
}

function isAmount(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return parseUsdc(value) <= MAX_REQUESTED_UNITS;
  } catch {
    return false;
  }
}
