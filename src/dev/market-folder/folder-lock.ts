import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stopLeftover } from '../processes/child-process.js';
import { LocalFault, systemCode } from '../processes/local-fault.js';
import type { MarketFolder } from './market-folder.js';
import { identityOf, isProcessIdentity, isRunning, type ProcessIdentity } from '../processes/process-identity.js';

interface LockFile {
  owner: ProcessIdentity;
  children: ProcessIdentity[];
}

/** Allows one market per folder, with a file that names the market's process and the processes that it started. */
export class FolderLock {
  private readonly children: ProcessIdentity[] = [];

  private constructor(private readonly path: string) {}

  /**
   * Locks the folder. If an earlier market died (killed, power cut), its child processes may still run; they are
   * stopped first with SIGINT, so that the chain still saves its state. Throws LocalFault when a running market has the
   * folder.
   */
  static async take(folder: MarketFolder, onLeftover: (text: string) => void): Promise<FolderLock> {
    const lock = new FolderLock(folder.lock);
    if (lock.create()) return lock;
    const found = readLock(folder.lock);
    if (found && isRunning(found.owner)) {
      throw new LocalFault(
        `A market is already running in ${folder.path} (pid ${found.owner.pid}): use it (its addresses and keys are in ` +
          `${folder.localFile}), stop it with Ctrl-C there, or start another one with \`npm start -- --data-dir OTHER_FOLDER\`.`,
      );
    }
    // The order of starting was Postgres, chain, service; stop in the reverse order.
    for (const child of (found?.children ?? []).toReversed()) {
      if (await stopLeftover(child, 'SIGINT'))
        onLeftover(`Stopped pid ${child.pid}, left over from a market that was killed`);
    }
    rmSync(folder.lock, { force: true });
    if (!lock.create()) throw new LocalFault(`Another market is starting in ${folder.path} at this moment.`);
    return lock;
  }

  /** Records a started process, so that a later start can stop it if this process dies first. */
  add(child: ProcessIdentity): void {
    this.children.push(child);
    writeFileSync(this.path, this.json());
  }

  release(): void {
    if (existsSync(this.path)) rmSync(this.path, { force: true });
  }

  private create(): boolean {
    try {
      writeFileSync(this.path, this.json(), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false;
      throw error;
    }
  }

  private json(): string {
    return `${JSON.stringify({ owner: identityOf(process.pid), children: this.children } satisfies LockFile)}\n`;
  }
}

function readLock(path: string): LockFile | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null || !('owner' in value) || !isProcessIdentity(value.owner))
      return null;
    const children =
      'children' in value && Array.isArray(value.children) ? value.children.filter(isProcessIdentity) : [];
    return { owner: value.owner, children };
  } catch {
    return null;
  }
}
