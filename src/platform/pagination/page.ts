import type { Page } from '../operations/page.dto.js';

/**
 * The page of these rows. Give it one row more than `limit` where there is one: it tells whether a next page exists,
 * and is not shown.
 */
export function pageOf<Row, Wire>(
  rows: readonly Row[],
  limit: number,
  toWire: (row: Row) => Wire,
  positionOf: (row: Row) => readonly string[],
  seal: (position: readonly string[]) => string,
): Page<Wire> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit && last !== undefined;
  return { data: shown.map(toWire), next_page: hasNext ? seal(positionOf(last)) : null };
}
