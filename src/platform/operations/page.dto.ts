import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';

/** One page of a list (docs/decisions/interface.md#types-on-the-wire). */
export interface Page<T> {
  data: T[];
  /** Cursor of the next page; null on the last one. */
  next_page: string | null;
}

const pages = new Map<Type<unknown>, Type<Page<unknown>>>();

/** The page of these records as a named schema of the OpenAPI document (`TaskDto` → `TaskPage`). */
export function PageOf(item: Type<unknown>): Type<Page<unknown>> {
  const known = pages.get(item);
  if (known) return known;
  class PageDto implements Page<unknown> {
    @ApiProperty({ type: item, isArray: true, maxItems: 100 })
    data!: unknown[];

    @ApiProperty({
      type: String,
      nullable: true,
      description: 'Opaque cursor of the next page, valid for 72 hours; null on the last page.',
      example: null,
    })
    next_page!: string | null;
  }
  Object.defineProperty(PageDto, 'name', { value: `${item.name.replace(/Dto$/, '')}Page` });
  pages.set(item, PageDto);
  return PageDto;
}
