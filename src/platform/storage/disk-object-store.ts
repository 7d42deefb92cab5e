import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  checkedKey,
  isKey,
  type ListedObject,
  type ObjectKey,
  ObjectStore,
  type OpenObject,
  type StagedObject,
  sweepEach,
} from './object-store.js';
import { ofStorage, StorageUnavailableError } from './storage-unavailable.error.js';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const INCOMING = 'incoming';
const OBJECTS = 'sha256';

/**
 * Objects as files of one folder that only the service's user can read: `sha256/9f/9f86…`, and `incoming/` for what is
 * still arriving. A file gets its name by `rename` after its bytes are on the disk, so that no name ever stands for a
 * part of them.
 */
export class DiskObjectStore extends ObjectStore {
  private readonly root: string;

  /** @param folder made when the first object comes. */
  constructor(folder: string) {
    super();
    this.root = resolve(folder);
  }

  async stage(key: ObjectKey, source: AsyncIterable<Uint8Array>): Promise<StagedObject> {
    const target = this.pathOf(key);
    const path = join(this.root, INCOMING, randomUUID());
    await ofStorage(mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER }));
    const file = await ofStorage(open(path, 'wx', PRIVATE_FILE));
    try {
      await writeAll(file, source);
    } catch (error) {
      await removeQuietly(path);
      throw error;
    }
    return new StagedFile(path, target);
  }

  async open(key: ObjectKey, first?: number): Promise<OpenObject | null> {
    const file = await ofStorage(existing(open(this.pathOf(key), 'r')));
    if (!file) return null;
    try {
      const { size } = await ofStorage(file.stat());
      const stream = file.createReadStream(first === undefined ? {} : { start: 0, end: first - 1 });
      return { bytes: size, stream };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async sizeOf(key: ObjectKey): Promise<number | null> {
    const found = await ofStorage(existing(stat(this.pathOf(key))));
    return found && found.size;
  }

  async remove(key: ObjectKey): Promise<void> {
    await ofStorage(rm(this.pathOf(key), { force: true }));
  }

  async list(behind: ObjectKey, most: number): Promise<ListedObject[]> {
    const listed: ListedObject[] = [];
    const root = join(this.root, OBJECTS);
    for (const folder of (await namesIn(root)).filter((name) => name >= behind.slice(0, 2))) {
      for (const key of (await namesIn(join(root, folder))).filter((name) => isKey(name) && name > behind)) {
        if (listed.length === most) return listed;
        const file = await ofStorage(existing(stat(join(root, folder, key))));
        if (file) listed.push({ key, since: file.mtime });
      }
    }
    return listed;
  }

  async sweep(before: Date): Promise<number> {
    const folder = join(this.root, INCOMING);
    const names = await namesIn(folder);
    return sweepEach(names, async (name) => {
      const path = join(folder, name);
      const file = await ofStorage(existing(stat(path)));
      if (!file || file.mtime >= before) return false;
      await ofStorage(rm(path, { force: true }));
      return true;
    });
  }

  private pathOf(key: ObjectKey): string {
    const name = checkedKey(key);
    return join(this.root, OBJECTS, name.slice(0, 2), name);
  }
}

class StagedFile implements StagedObject {
  private isEnded = false;

  constructor(
    private readonly path: string,
    private readonly target: string,
  ) {}

  async publish(): Promise<void> {
    if (this.isEnded) throw new StorageUnavailableError(new Error('What was staged is gone'));
    this.isEnded = true;
    try {
      await ofStorage(this.place());
    } catch (error) {
      await removeQuietly(this.path);
      throw error;
    }
  }

  async discard(): Promise<void> {
    if (this.isEnded) return;
    this.isEnded = true;
    await removeQuietly(this.path);
  }

  private async place(): Promise<void> {
    const folder = dirname(this.target);
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
    await rename(this.path, this.target);
    // The name, too, must survive a power cut: a receipt is given for it.
    await syncFolder(folder);
    await syncFolder(dirname(folder));
  }
}

async function writeAll(file: FileHandle, source: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of source) await ofStorage(file.appendFile(chunk));
    await ofStorage(file.sync());
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Names in a folder, sorted; none when there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await ofStorage(existing(readdir(folder)));
  return (names ?? []).toSorted();
}

/** Null instead of the error that there is no such file. */
async function existing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function removeQuietly(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}
