import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Specs run the sources, which a thread cannot load; the build is beside them. */
const BUILT = new URL('../../../../dist/src/modules/matching/memory-search/', import.meta.url);

/** Path of a program for a thread. @param name of a file of this folder, as it is built. */
export function workerFile(name: string): string {
  const beside = fileURLToPath(new URL(name, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL(name, BUILT));
}
