import { ApiProperty } from '@nestjs/swagger';
import { formatUsdc } from '#libs/kernel';

/**
 * An amount on the wire: a decimal string with two to six decimals, never a float
 * (docs/decisions/interface.md#types-on-the-wire).
 */
export class MoneyDto {
  @ApiProperty({ type: String, pattern: '^[0-9]+(\\.[0-9]{1,6})?$', example: '250.00' })
  amount!: string;

  @ApiProperty({ type: String, example: 'USDC', description: 'Currency code; value: USDC.' })
  currency!: string;

  /** @param units USDC base units (6 decimals). */
  static from(units: bigint): MoneyDto {
    return { amount: formatUsdc(units), currency: 'USDC' };
  }
}
