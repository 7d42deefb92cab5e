import type { SourceFile } from './source-files.js';

/**
 * Counts the files that one has to know in order to follow a call: the file itself and every file of `src` and `libs` from
 * which it, or one of those, takes a value. Not counted are types (`import type`, `{ type A }`), which say what is given
 * and not what happens, packages, and the generated bindings. A lib is entered through its index, which only hands on:
 * of it the files count in which the named values stand, not the index and not the whole lib. Nor is an import inside
 * `stops` followed: a list of all kinds leads an intent to one of them, so the caller begins at that one too.
 */
export class Reach {
  private readonly files: ReadonlyMap<string, SourceFile>;

  constructor(
    files: readonly SourceFile[],
    private readonly stops: readonly string[] = [],
  ) {
    this.files = new Map(files.map((file) => [file.path, file]));
  }

  /** Paths of all files that are reached from these, with themselves. */
  from(...paths: string[]): string[] {
    const missing = paths.filter((path) => !this.files.has(path));
    if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}`);
    const reached = new Set(paths);
    const waiting = [...paths];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      for (const target of this.next(path)) {
        if (reached.has(target) || !this.files.has(target)) continue;
        reached.add(target);
        waiting.push(target);
      }
    }
    return [...reached].sort();
  }

  /** The files from which this one takes a value. */
  private next(path: string): string[] {
    if (this.stops.includes(path)) return [];
    return this.files.get(path)!.imports.flatMap(({ file: target, typeOnly, names }) => {
      if (typeOnly || target === undefined) return [];
      if (!this.files.has(target) || !isIndex(target) || names === undefined) return [target];
      return names.map((name) => this.home(target, name));
    });
  }

  /** The file in which a value of a lib stands. */
  private home(index: string, name: string): string {
    for (const { file, handsOn, typeOnly, names } of this.files.get(index)!.imports) {
      if (file === undefined || !handsOn || typeOnly) continue;
      const isThere = names === undefined ? declares(this.files.get(file), name) : names.includes(name);
      if (isThere) return isIndex(file) ? this.home(file, name) : file;
    }
    return index;
  }
}

const isIndex = (path: string): boolean => /^libs\/[^/]+\/src\/index\.ts$/.test(path);

/** False for generated bindings, which are not among the files and are not counted. */
function declares(file: SourceFile | undefined, name: string): boolean {
  const declaration = `^export (?:abstract |async )*(?:class|function\\*?|const|enum) ${name}\\b`;
  return file !== undefined && new RegExp(declaration, 'm').test(file.text);
}
