import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { Holds, IsIntegerBetween } from '../http/input/value-rules.js';

/** Number of records on a page: at most, and where the request names none (docs/decisions/interface.md#pagination). */
export const MAX_PAGE_SIZE = 100;
export const DEFAULT_PAGE_SIZE = 25;

/** Longest cursor the service makes, with room to spare; anything longer is not one. */
const MAX_CURSOR_LENGTH = 2048;
const DECIMAL = /^[0-9]{1,9}$/;

/** Query parameters of every list. */
export class PageQuery {
  /** `next_page` of the previous page. */
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_CURSOR_LENGTH,
    description: 'Opaque cursor: `next_page` of the previous page.',
  })
  @IsOptional()
  @Holds('is the next_page of another page', isCursorText)
  cursor?: string;

  /** Records on a page, 1 to 100. */
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
    description: 'Records on a page.',
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value,
  )
  @IsIntegerBetween(1, MAX_PAGE_SIZE)
  limit: number = DEFAULT_PAGE_SIZE;
}

function isCursorText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_CURSOR_LENGTH;
}
