import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { Holds } from '../../../platform/http/input/value-rules.js';
import { PageQuery } from '../../../platform/operations/page.query.js';

/** Characters of a search (docs/decisions/interface.md#fields-and-ranges). */
const MAX_QUERY = 256;

export class ListAgentsQuery extends PageQuery {
  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_QUERY,
    description:
      'Words to find in name, capabilities and description; the best first. "a phrase", or, and -excluded as in a web ' +
      'search. Text without a word to search for, such as "the" or exclusions alone, gives an empty page; ' +
      'empty is no filter. A page of a search may have fewer records than asked for, or none, and yet a `next_page`.',
    example: 'contract audit',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_QUERY)
  query?: string;

  @ApiPropertyOptional({
    type: Boolean,
    description:
      "`true`: only the caller's own agents, whatever their status, each as its owner sees it. Not together with a " +
      '`query`. `false` is no filter.',
    example: true,
  })
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsOptional()
  @Holds('is true or false', (value) => typeof value === 'boolean')
  mine?: boolean;
}
