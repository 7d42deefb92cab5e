import type { SourceFile } from './source-files.js';

/**
 * Counts the files that one must know to follow a call: the file itself, and every file of `src` and `libs` from which
 * it, or one of those, imports a value. Not counted are type imports (`import type`, `{ type A }`), which describe data
 * and not behaviour, packages, and the generated bindings. The index of a lib only re-exports, so it is skipped: the
 * files that declare the imported values count, not the whole lib. Imports of the files in `stops` are not followed: a
 * list of all kinds leads one intent to one kind, so callers pass that kind as another starting file.
 */
export class Reach {
  private readonly files: ReadonlyMap<string, SourceFile>;

  constructor(
    files: readonly SourceFile[],
    private readonly stops: readonly string[] = [],
  ) {
    this.files = new Map(files.map((file) => [file.path, file]));
  }

  /** Paths of all files that can be reached from these, including these. */
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

  /** The files from which this file imports a value. */
  private next(path: string): string[] {
    if (this.stops.includes(path)) return [];
    return this.files.get(path)!.imports.flatMap(({ file: target, typeOnly, names }) => {
      if (typeOnly || target === undefined) return [];
      if (!this.files.has(target) || !isIndex(target) || names === undefined) return [target];
      return names.map((name) => this.home(target, name));
    });
  }

  /** The file that declares a value which the index of a lib exports. */
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

/** True when the file declares the name. False for generated bindings, which are not among the files. */
function declares(file: SourceFile | undefined, name: string): boolean {
  const declaration = `^export (?:abstract |async )*(?:class|function\\*?|const|enum) ${name}\\b`;
  return file !== undefined && new RegExp(declaration, 'm').test(file.text);
}
