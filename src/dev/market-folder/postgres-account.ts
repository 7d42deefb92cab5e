import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LocalFault } from '../processes/local-fault.js';

/** Who runs Postgres and where it lives. */
export interface PostgresPlace {
  /** Another user than the current one: Postgres refuses to run as root. */
  user: { uid: number; gid: number } | undefined;
  initdb: string;
  postgres: string;
  data: string;
  /** Note for the person about the place; empty for none. */
  note: string;
}

/** Users that may stand in for root; the second exists on every Linux. */
const STAND_INS = ['postgres', 'nobody'];
/** Survives a restart of the machine, unlike /tmp. */
const SHARED_FOLDER = '/var/tmp';

/**
 * Chooses the user and the folders for Postgres. Started by root, Postgres runs as the user `postgres` (or `nobody`);
 * when that user cannot reach the program or the data because a folder above them is closed to it (a clone below
 * /root), both move to /var/tmp.
 */
export function placePostgres(binaries: { initdb: string; postgres: string }, data: string): PostgresPlace {
  if (process.getuid?.() !== 0) return { ...binaries, data, user: undefined, note: '' };
  const user = standIn();
  mkdirSync(data, { recursive: true, mode: 0o700 });
  if (canReach(user, binaries.postgres) && canReach(user, dirname(data))) return { ...binaries, data, user, note: '' };
  const folder = folderElsewhere(data);
  const native = dirname(dirname(binaries.postgres));
  const copied = join(folder, 'native');
  if (!existsSync(join(copied, 'bin', 'postgres'))) cpSync(native, copied, { recursive: true, verbatimSymlinks: true });
  chmodSync(folder, 0o755);
  const bin = join(copied, 'bin');
  return {
    initdb: join(bin, basename(binaries.initdb)),
    postgres: join(bin, basename(binaries.postgres)),
    data: join(folder, 'postgres'),
    user,
    note: `in ${folder}: root may not run Postgres, and others cannot reach this folder`,
  };
}

/** Folder that `placePostgres` uses when the Postgres user cannot reach the data's own folder; one per market. */
export function folderElsewhere(data: string): string {
  return join(SHARED_FOLDER, `tasktree-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`);
}

function standIn(): { uid: number; gid: number } {
  for (const name of STAND_INS) {
    try {
      const ask = (flag: string): number =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: ask('-u'), gid: ask('-g') };
    } catch {
      // This user does not exist here.
    }
  }
  throw new LocalFault(
    'Postgres does not run as root, and this machine has no user `postgres` or `nobody`: start as another user.',
  );
}

function canReach(user: { uid: number; gid: number }, path: string): boolean {
  // The test runs as the stand-in, because root can reach folders that the stand-in cannot.
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], { ...user, cwd: '/' }).status === 0;
}
