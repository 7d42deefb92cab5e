import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import { programFiles, ROOT, sourceFiles } from './source-files.js';

/** The most files that may lie directly in one folder. */
const MOST_FILES = 14;

/** Folders whose files are all of one kind (one for each DTO, kind of action or migration) may hold more. */
const ROOM_OF_ONE_KIND = /\/(?:dto|kinds|migrations)$/;

const files = programFiles();

/** The folders that each folder imports. Files that put modules together (`*.module.ts`, `*.main.ts`) do not count. */
function imported(): Map<string, Set<string>> {
  const next = new Map<string, Set<string>>();
  const counts = (path: string): boolean => !/\.(?:module|main)\.ts$/.test(path);
  for (const { path, imports } of files.filter((file) => counts(file.path))) {
    const from = dirname(path);
    for (const { file } of imports) {
      if (file === undefined || !counts(file) || dirname(file) === from) continue;
      next.set(from, (next.get(from) ?? new Set()).add(dirname(file)));
    }
  }
  return next;
}

/** Import cycles between folders: sets of two or more folders that each reach all others of the set. */
function circles(next: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...next.keys()].map((folder) => [folder, reachedFrom(folder, next)]));
  const leads = (from: string, to: string): boolean => reached.get(from)?.has(to) === true;
  const known = new Set<string>();
  return [...next.keys()].sort().flatMap((folder) => {
    if (known.has(folder) || !leads(folder, folder)) return [];
    const circle = [...next.keys()].filter((other) => leads(folder, other) && leads(other, folder)).sort();
    for (const one of circle) known.add(one);
    return [circle];
  });
}

function reachedFrom(folder: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const waiting = [folder];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    for (const target of next.get(one) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      waiting.push(target);
    }
  }
  return reached;
}

/**
 * Folders of `test/integration` that are not named after a module: for parts of the platform with many specs, and for
 * the commands.
 */
const OTHER_ROOMS: Readonly<Record<string, string>> = {
  platform: 'src/platform',
  database: 'src/platform/database',
  tools: 'src/tools',
};

describe('folders', () => {
  it('import each other in no circle, in which none of them could be read without the others', () => {
    expect(imported().size).toBeGreaterThan(100);
    expect(circles(imported())).toEqual([]);
  });

  it('a circle is found wherever it closes', () => {
    const next = new Map([
      ['a', new Set(['b', 'd'])],
      ['b', new Set(['c'])],
      ['c', new Set(['a'])],
      ['d', new Set<string>()],
    ]);
    expect(circles(next)).toEqual([['a', 'b', 'c']]);
    next.get('c')?.delete('a');
    expect(circles(next)).toEqual([]);
  });

  it(`have at most ${MOST_FILES} files, but for the rooms of one kind`, () => {
    const counts = new Map<string, number>();
    for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const crowded = [...counts].filter(([folder, count]) => count > MOST_FILES && !ROOM_OF_ONE_KIND.test(folder));
    expect(crowded).toEqual([]);
  });

  it('hold no two files of one name, but for the entrances of the libs', () => {
    const folders = new Map<string, string[]>();
    for (const { path } of sourceFiles(['src', 'libs'])) {
      folders.set(basename(path), [...(folders.get(basename(path)) ?? []), dirname(path)]);
    }
    folders.delete('index.ts');
    expect([...folders].filter(([, inFolders]) => inFolders.length > 1)).toEqual([]);
    const shared = sourceFiles(['test']).filter(({ path }) => folders.has(basename(path)));
    expect(shared.map(({ path }) => path)).toEqual([]);
  });

  it('of specs have the name of the module that is tested, and no spec lies outside of one', () => {
    const integration = sourceFiles(['test/integration']).map(({ path }) => path.split('/').slice(2));
    expect(integration.filter((names) => names.length !== 2)).toEqual([]);
    const rooms = [...new Set(integration.map(([room = '']) => room))];
    const homes = rooms.map((room) => OTHER_ROOMS[room] ?? `src/modules/${room}`);
    expect(homes.filter((home) => !existsSync(join(ROOT, home)))).toEqual([]);
    const endToEnd = sourceFiles(['test/e2e']).map(({ path }) => path.split('/').slice(2));
    expect(endToEnd.filter((names) => names.length !== 2)).toEqual([]);
  });

  it('of specs have what they alone need, and `test/support` what several of them do', () => {
    const users = new Map<string, Set<string>>();
    for (const { path, imports } of sourceFiles(['src', 'libs', 'test'])) {
      for (const { file = '' } of imports.filter((one) => one.file?.startsWith('test/support/'))) {
        users.set(file, (users.get(file) ?? new Set()).add(path));
      }
    }
    expect(users.size).toBeGreaterThan(50);
    const misplaced = [...users.keys()].flatMap((file) => {
      const rooms = new Set([...reachedFrom(file, users)].filter((user) => !users.has(user)).map(dirname));
      const [room = ''] = rooms;
      return rooms.size === 1 && room.startsWith('test/') ? [{ file, room }] : [];
    });
    expect(misplaced).toEqual([]);
  });
});
