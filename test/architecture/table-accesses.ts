import type { SourceFile } from './source-files.js';

/** A table that the SQL of a source file names. */
export interface TableAccess {
  /** Path of the file. */
  path: string;
  table: string;
  isWrite: boolean;
}

const NAME = '"?([a-z_][a-z_0-9]*)"?';
const READS = new RegExp(
  `\\b(?:FROM|JOIN|USING)\\s+(?:ONLY\\s+|LATERAL\\s+)?${NAME}((?:\\s+(?:AS\\s+)?[a-z]\\w*)?(?:,\\s*${NAME}\\s+\\w+)*)`,
  'g',
);
const MORE_OF_A_LIST = new RegExp(`,\\s*${NAME}`, 'g');
/**
 * Matches written tables. A table name passed to deleteBatch or ReplacedRows counts, because those build the statement
 * that writes it.
 */
const WRITES = [
  new RegExp(`(?<!\\bFOR )\\b(?:INTO|UPDATE|DELETE FROM|COPY)\\s+(?:ONLY\\s+)?${NAME}`, 'g'),
  /\bdeleteBatch\(\s*'([a-z_]+)'/g,
  /\bnew ReplacedRows<\w+>\(\{\s*table: '([a-z_]+)'/g,
];

/** The module, or the part of the platform, that a file belongs to; undefined for the files above all of them. */
export function partOf(path: string): string | undefined {
  const [, kind, name] = /^src\/(modules|platform)\/([^/]+)\//.exec(path) ?? [];
  return kind === 'platform' ? `platform/${name}` : name;
}

/** The part that owns each table, which is the part that has its entity. */
export function ownersOf(files: readonly SourceFile[]): Map<string, string> {
  return new Map(
    files.flatMap(({ path, text }) =>
      [...text.matchAll(/@Entity\('([a-z_]+)'/g)].map(([, table = '']) => [table, partOf(path) ?? ''] as const),
    ),
  );
}

/** Every table that the SQL of a file names, at most once for reading and once for writing. */
export function accessesOf({ path, text }: SourceFile, tables: ReadonlySet<string>): TableAccess[] {
  const sql = text
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^\s*--.*$/gm, '')
    .replaceAll(/^import .*$/gm, '');
  const read = [...sql.matchAll(READS)].flatMap(([, first = '', rest = '']) => [
    first,
    ...[...rest.matchAll(MORE_OF_A_LIST)].map(([, name = '']) => name),
  ]);
  const written = WRITES.flatMap((pattern) => [...sql.matchAll(pattern)].map(([, name = '']) => name));
  const named = (names: readonly string[], isWrite: boolean) =>
    [...new Set(names)].filter((table) => tables.has(table)).map((table) => ({ path, table, isWrite }));
  // The `FROM` of `DELETE FROM` also matches as a read, so a written table does not count as read.
  return [
    ...named(
      read.filter((table) => !written.includes(table)),
      false,
    ),
    ...named(written, true),
  ];
}
