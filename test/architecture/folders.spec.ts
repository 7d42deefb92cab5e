import { dirname } from 'node:path/posix';
import { programFiles } from './source-files.js';

/**
 * Folders that import each other in a circle, so that none of them can be read without the others. What puts a module together
 * (`*.module.ts`, `*.main.ts`) is not counted. A circle that is cut leaves this list; none comes in.
 */
const CIRCLES: readonly (readonly string[])[] = [
  ['src/dev', 'src/dev/market', 'src/dev/test-wallet'],
  ['src/modules/account', 'src/modules/account/pages'],
  ['src/modules/agents', 'src/modules/agents/dto', 'src/modules/agents/search'],
  ['src/modules/earnings', 'src/modules/earnings/dto'],
  ['src/modules/escrow', 'src/modules/escrow/dto'],
  ['src/modules/escrow/indexer', 'src/modules/escrow/publication'],
  ['src/modules/prepared-actions', 'src/modules/prepared-actions/kinds', 'src/modules/prepared-actions/lifecycle'],
  ['src/modules/previews', 'src/modules/previews/dto'],
  ['src/modules/quotes', 'src/modules/quotes/dto'],
  [
    'src/modules/reputation',
    'src/modules/reputation/dto',
    'src/modules/reputation/evidence',
    'src/modules/reputation/records',
  ],
  ['src/modules/reputation/payouts', 'src/modules/reputation/runs'],
  ['src/modules/tasks', 'src/modules/tasks/dto'],
];

/** Files of one floor. */
const MOST_FILES = 14;

/** Folders with more, and how many they have at most. One that has room again leaves this table; none comes in. */
const CROWDED: Readonly<Record<string, number>> = {
  'libs/contracts/src': 23,
  'libs/prepared-action/src': 37,
  'src/dev': 29,
  'src/dev/bench': 27,
  'src/dev/demo': 22,
  'src/dev/eval': 30,
  'src/dev/market': 17,
  'src/modules/account': 27,
  'src/modules/account/pages': 20,
  'src/modules/agents': 16,
  'src/modules/artifacts': 22,
  'src/modules/escrow': 18,
  'src/modules/escrow/indexer': 15,
  'src/modules/prepared-actions/dto': 15,
  'src/modules/quotes': 18,
  'src/modules/reputation': 16,
  'src/modules/reputation/evidence': 15,
  'src/modules/reputation/runs': 17,
  'src/modules/signing': 25,
  'src/modules/tasks': 23,
  'src/platform/chain': 15,
  'src/platform/database': 19,
  'src/platform/rate-limit': 18,
  'src/tools': 24,
  'src/web/approval': 20,
};

const files = programFiles();

/** The folders that each folder imports. */
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

/** Folders of which each leads to all others, two or more together. */
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

describe('folders', () => {
  it('import each other in no circle but those that are known', () => {
    expect(circles(imported())).toEqual(CIRCLES);
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

  it(`have at most ${MOST_FILES} files, but those that are known`, () => {
    const counts = new Map<string, number>();
    for (const { path } of files.filter((file) => !file.path.startsWith('src/migrations/'))) {
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
    const crowded = [...counts].filter(([, count]) => count > MOST_FILES).sort(([a], [b]) => (a < b ? -1 : 1));
    expect(Object.fromEntries(crowded)).toEqual(CROWDED);
  });
});
