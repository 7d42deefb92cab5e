import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../processes/local-fault.js';
import { DataFault } from './data-fault.js';
import type { PublicSet } from './public-sets.js';

/** The files of a data set as they were read from a folder. */
export interface OpenedSet {
  /**
   * The set's name when all files are the published ones; otherwise the names of the files that differ, and their
   * folder.
   */
  name: string;
  /** One sentence for each file: its path, and whether it is the published file. */
  origins: string[];
  /** Returns the whole text of one of the set's files; empty for a name that the set does not have. */
  readonly text: (file: string) => string;
}

/**
 * Reads a data set below a folder and compares each file's SHA-256 with the published one. Files that differ are
 * returned as well; `name` and `origins` then say that they are not the published files.
 * @throws DataFault when a file is missing.
 */
export function openSet(folder: string, { name, files }: PublicSet): OpenedSet {
  const texts = new Map<string, Buffer>();
  const missing: string[] = [];
  for (const file of Object.keys(files)) {
    const content = contentOf(join(folder, file));
    if (content === null) missing.push(file);
    else texts.set(file, content);
  }
  if (missing.length > 0) {
    throw new DataFault(
      `${name} is not in ${folder}: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. ` +
        'docs/data.md says where to get it; --data FOLDER names another folder.',
    );
  }
  const found = [...texts].map(([file, content]) => {
    const sum = createHash('sha256').update(content).digest('hex');
    return { file, sum, isPublished: sum === files[file] };
  });
  const changed = found.filter(({ isPublished }) => !isPublished);
  return {
    name: changed.length === 0 ? name : `${changed.map(({ file }) => file).join(', ')} of ${folder}`,
    origins: found.map(({ file, sum, isPublished }) =>
      isPublished
        ? `${join(folder, file)}: ${name}, SHA-256 as in docs/data.md.`
        : `${join(folder, file)}: not the file of docs/data.md for ${name}. Its SHA-256 is ${sum}.`,
    ),
    text: (file) => texts.get(file)?.toString('utf8') ?? '',
  };
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}
