import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** What the databases, chains and browsers of a whole run take at most, with room to spare. */
const NEEDED_BYTES = 6 * 1024 ** 3;

/**
 * The folder for what a run writes and throws away: one in memory where the machine has room for it, because some
 * hundred databases are made in a run and a disk would be what it waits for. Removed when this process ends.
 */
export function temporaryFolder() {
  if (!hasRoom(MEMORY)) return tmpdir();
  const folder = mkdtempSync(join(MEMORY, 'tasktree-'));
  // As root, Postgres runs as another user, who must be able to enter it.
  chmodSync(folder, 0o711);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
