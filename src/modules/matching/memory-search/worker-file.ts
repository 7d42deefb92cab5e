import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built files. Specs run the TypeScript sources, which a worker thread cannot load. */
const BUILT = new URL('../../../../dist/src/modules/matching/memory-search/', import.meta.url);

/** Path of a program for a worker thread. @param name built name of a file of this folder. */
export function workerFile(name: string): string {
  const beside = fileURLToPath(new URL(name, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL(name, BUILT));
}
