import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes the file whole or not at all, and never for a moment readable for more than the mode says. */
export function replaceFile(file: string, text: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, text, { mode, flag: 'wx' });
  // What the process masks away when it makes a file.
  chmodSync(draft, mode);
  renameSync(draft, file);
}
