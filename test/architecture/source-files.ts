import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

export const ROOT = join(__dirname, '..', '..');

/** One import of a source file: what it names, and the file of ours that this is, if it is one. */
export interface Import {
  specifier: string;
  /** Path from the root of the repository; undefined for packages and built-ins. */
  file: string | undefined;
  typeOnly: boolean;
  /** Whether it hands on what it names (`export … from`). */
  handsOn: boolean;
  /** The values that it names, by the name that the other file gives them; undefined where it takes whatever is there. */
  names: string[] | undefined;
}

export interface SourceFile {
  /** Path from the root of the repository, with `/`. */
  path: string;
  text: string;
  imports: Import[];
}

const STATEMENT = /^\s*(import|export)\s+(type\s+)?(?:([^'";]*?)\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

/** Every TypeScript file below these folders, without generated ones. */
export function sourceFiles(folders: readonly string[], keep: (path: string) => boolean = () => true): SourceFile[] {
  return folders
    .flatMap((folder) => [...walk(join(ROOT, folder))])
    .map((path) => relative(ROOT, path).split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !path.includes('/generated/') && keep(path))
    .sort()
    .map((path) => sourceFile(path, readFileSync(join(ROOT, path), 'utf8')));
}

/** A file of this text. */
export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, imports: importsOf(path, text) };
}

/** The program's own sources: no specs. */
export function programFiles(): SourceFile[] {
  return sourceFiles(['src', 'libs'], (path) => !path.endsWith('.spec.ts'));
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'solidity') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else yield path;
  }
}

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(STATEMENT)].map(([, word, type, clause, from, dynamic]) => {
    const specifier = from ?? dynamic ?? '';
    const names = namesOf(clause);
    // What a bundler and the compiler leave out: every name in the braces is a type's.
    const typeOnly = type !== undefined || names?.length === 0;
    return { specifier, file: resolve(path, specifier), typeOnly, handsOn: word === 'export', names };
  });
}

/** Values that `{ a, b as c, type D }` names; undefined for a default, for `*`, and where there is no clause at all. */
function namesOf(clause: string | undefined): string[] | undefined {
  const inside = /^\{([^}]*)\}$/.exec(clause?.trim() ?? '')?.[1];
  return inside
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(' as ')[0]!.trim());
}

function resolve(path: string, specifier: string): string | undefined {
  const lib = /^#libs\/([^/]+)$/.exec(specifier)?.[1];
  if (lib !== undefined) return `libs/${lib}/src/index.ts`;
  if (!specifier.startsWith('.')) return undefined;
  return normalize(join(dirname(path), specifier))
    .split(sep)
    .join('/')
    .replace(/\.js$/, '.ts');
}
