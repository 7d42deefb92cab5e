import type { Marketplace, Pages } from '#libs/sdk';
import type { Column } from '../output/text-table.js';
import type { CommandContext } from './command-context.js';

/** What a list command can be given. */
export interface ListOptions {
  /** Rows at most, from 1. */
  readonly limit: number;
}

const LARGEST_PAGE = 100;

/**
 * Shows the first rows of a list, and says when there are more.
 * @param pages is given the query's `limit`: one row more than is shown, so that what follows is known.
 */
export async function showList<T>(
  context: CommandContext,
  { limit }: ListOptions,
  pages: (limit: number, market: Marketplace, signal: AbortSignal) => Pages<T>,
  columns: readonly Column<T>[],
): Promise<void> {
  const { out, signal } = context;
  const rows = await pages(Math.min(LARGEST_PAGE, limit + 1), context.market(), signal).toArray({ limit: limit + 1 });
  out.table(rows.slice(0, limit), columns);
  if (rows.length > limit) out.note(`There are more: --limit ${limit * 5}`);
}
