import ts from 'typescript';
import { programFiles, type SourceFile } from './source-files.js';

/** Matches the beginning of a statement, or of a part of one that reads a table. */
const STATEMENT =
  /\bSELECT\s[^]*\bFROM\s|\bSELECT\s+(?:set_config|pg_\w+|EXISTS|NOT EXISTS|coalesce|count|min|max)\b|\bINSERT INTO\s+\S+\s|\bUPDATE\s+\S+(?:\s+\w+)?\s+SET\s|\bDELETE FROM\s+\S/;

/** Files that still mix SQL with program code. Remove a file once its SQL has its own file; add none. */
const NOT_YET: readonly string[] = [
  'src/modules/escrow/indexed-chain/index-store.ts',
  'src/modules/escrow/publication/unpublished-trees.ts',
  'src/modules/escrow/tree-ledger/tree-ledger-index.ts',
  'src/platform/database/replaced-rows.ts',
  'src/platform/database/transactions.ts',
];

/** The string texts of a file; in templates `x` stands for what is filled in. */
function textsOf({ path, text }: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node)) {
      found.push([node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join('x'));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

describe('SQL', () => {
  const others = programFiles().filter(
    ({ path }) =>
      path.startsWith('src/') &&
      !path.endsWith('.sql.ts') &&
      !path.endsWith('.sql-views.ts') &&
      !path.startsWith('src/migrations/'),
  );

  it('is known from other texts', () => {
    const texts = (text: string) => textsOf({ path: 'x.ts', text, imports: [] }).filter((one) => STATEMENT.test(one));
    expect(texts("f('SELECT a FROM b'); g(`DELETE FROM ${table} WHERE x`); h('UPDATE b own SET a = 1')")).toHaveLength(
      3,
    );
    expect(texts("f('Select one from the list.'); g('An UPDATE answers'); h(`SELECT`)")).toEqual([]);
  });

  it('lives in files of its own, but for those that are known', () => {
    const found = others
      // Skips parsing of most files.
      .filter(({ text }) => /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b/.test(text))
      .filter((file) => textsOf(file).some((text) => STATEMENT.test(text)))
      .map(({ path }) => path);
    expect(found).toEqual(NOT_YET);
  });
});
