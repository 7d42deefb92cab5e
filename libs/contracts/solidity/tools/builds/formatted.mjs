import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { PROJECT } from '../project-copy.mjs';

const OPTIONS = join(PROJECT, '..', '..', '..', '.oxfmtrc.json');

/**
 * A text that a tool writes, formatted as the rest of the repository is; the file's ending names the language. Throws
 * Error when it is none of that language.
 */
export async function formatted(file, text) {
  const { code, errors } = await format(file, text, JSON.parse(readFileSync(OPTIONS, 'utf8')));
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`);
  return code;
}
