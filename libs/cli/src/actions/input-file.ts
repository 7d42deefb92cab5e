import { readFile } from 'node:fs/promises';
import type { Host } from '../frame/host.js';
import { usageError } from '../output/cli-error.js';

/** The bytes of a file, or of standard input for `-`. Throws CliError. */
export async function readBytes(host: Pick<Host, 'readStdin'>, file: string): Promise<Buffer> {
  if (file === '-') return host.readStdin();
  try {
    return await readFile(file);
  } catch (error) {
    throw usageError(`${file} cannot be read.`, (error as Error).message);
  }
}

/** The value of a JSON file, or of standard input for `-`. Throws CliError. */
export async function readJson(host: Pick<Host, 'readStdin'>, file: string): Promise<unknown> {
  const text = (await readBytes(host, file)).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usageError(`${file === '-' ? 'Standard input' : file} is not JSON.`);
  }
}
