import type { ValueTransformer } from 'typeorm';
import { pathText, readPathText } from '#libs/kernel';

const transformer: ValueTransformer = {
  to: (path: bigint | null | undefined): string | null | undefined =>
    path === null || path === undefined ? path : pathText(path),
  from: (text: string | null): bigint | null => (text === null ? null : storedPath(text)),
};

/**
 * Column options of a node's path: `bigint` in the program, `1-2-1` in Postgres. Compared byte by byte, a node comes
 * before those below it, and these before the node beside it.
 */
export const nodePath = { type: 'text', collation: 'C', transformer } as const;

/** The path in a column that was read by plain SQL. Throws RangeError when the text is none. */
export function storedPath(text: string): bigint {
  const path = readPathText(text);
  if (path === null) throw new RangeError('The database holds a text that is no path of a node');
  return path;
}
