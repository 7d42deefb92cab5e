import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

export const ROOT = join(__dirname, '..', '..');

/** One import of a source file: its specifier, and the file of this repository that it resolves to, if any. */
export interface Import {
  specifier: string;
  /** Path from the root of the repository; undefined for packages and built-in modules. */
  file: string | undefined;
  typeOnly: boolean;
  /** True when it is a re-export (`export … from`). */
  handsOn: boolean;
  /**
   * The imported values, by their names in the other file; undefined when the import takes the default or everything.
   */
  names: string[] | undefined;
}

export interface SourceFile {
  /** Path from the root of the repository, with `/` as separator. */
  path: string;
  text: string;
  imports: Import[];
}

const STATEMENT = /^\s*(import|export)\s+(type\s+)?(?:([^'";]*?)\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

/** Every TypeScript file below these folders for which `keep` is true, without generated ones. */
export function sourceFiles(folders: readonly string[], keep: (path: string) => boolean = () => true): SourceFile[] {
  return folders
    .flatMap((folder) => [...walk(join(ROOT, folder))])
    .map((path) => relative(ROOT, path).split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !path.includes('/generated/') && keep(path))
    .sort()
    .map((path) => sourceFile(path, readFileSync(join(ROOT, path), 'utf8')));
}

/** A source file with this text, and its imports. */
export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, imports: importsOf(path, text) };
}

/** The program's own source files, without specs. */
export function programFiles(): SourceFile[] {
  return sourceFiles(['src', 'libs'], (path) => !path.endsWith('.spec.ts'));
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // `dist` is what is made of a library for those who install it.
    if (['node_modules', 'solidity', 'dist'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else yield path;
  }
}

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(STATEMENT)].map(([, word, type, clause, from, dynamic]) => {
    const specifier = from ?? dynamic ?? '';
    const names = namesOf(clause);
    // Types alone, which bundlers and the compiler drop: `import type`, or only types in the braces.
    const typeOnly = type !== undefined || names?.length === 0;
    return { specifier, file: resolve(path, specifier), typeOnly, handsOn: word === 'export', names };
  });
}

/**
 * The values that `{ a, b as c, type D }` names; undefined for a default import, for `*`, and for an import without a
 * clause.
 */
function namesOf(clause: string | undefined): string[] | undefined {
  const inside = /^\{([^}]*)\}$/.exec(clause?.trim() ?? '')?.[1];
  return inside
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(' as ')[0]!.trim());
}

function resolve(path: string, specifier: string): string | undefined {
  const [, lib, entry = 'index'] = /^#libs\/([^/]+)(?:\/([^/]+))?$/.exec(specifier) ?? [];
  if (lib !== undefined) return `libs/${lib}/src/${entry}.ts`;
  if (!specifier.startsWith('.')) return undefined;
  return normalize(join(dirname(path), specifier))
    .split(sep)
    .join('/')
    .replace(/\.js$/, '.ts');
}
