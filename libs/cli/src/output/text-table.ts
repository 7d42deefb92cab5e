import { plain } from './plain-text.js';

/** A column: its heading, and the value of a row, which may be text of others. */
export type Column<T> = readonly [heading: string, value: (row: T) => unknown];

const GAP = '  ';
const ELLIPSIS = '…';
const LEAST_WIDTH = 16;

/** Rows below headings. Only the last column is cut to fit: ids in the others are there to be copied. */
export function textTable<T>(rows: readonly T[], columns: readonly Column<T>[], width: number): string[] {
  const cells = [
    columns.map(([heading]) => heading),
    ...rows.map((row) => columns.map(([, value]) => plain(value(row)))),
  ];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => lengthOf(line[at]))));
  const last = widths.pop() ?? 0;
  const before = widths.reduce((sum, one) => sum + one + GAP.length, 0);
  widths.push(Math.min(last, Math.max(LEAST_WIDTH, width - before)));
  return cells.map((line) =>
    line
      .map((cell, at) => fitted(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** Names and values below each other; what is absent is left out. */
export function textRecord(entries: readonly (readonly [name: string, value: unknown])[]): string[] {
  const shown = entries.filter(([, value]) => value !== undefined && value !== null && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}${GAP}${plain(value)}`);
}

function lengthOf(text = ''): number {
  return Array.from(text).length;
}

function fitted(text: string, width: number): string {
  const characters = Array.from(text);
  if (characters.length > width) return characters.slice(0, width - 1).join('') + ELLIPSIS;
  return text + ' '.repeat(width - characters.length);
}
