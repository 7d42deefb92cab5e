import { writeSync } from 'node:fs';
import { basename } from 'node:path/posix';
import { Reach } from './reach.js';
import { programFiles, sourceFile } from './source-files.js';

const files = programFiles();
const LIST = 'src/modules/tasks/tasks.service.ts';
const MATCHES = 'src/modules/matching/matching.service.ts';
const INTENT = 'src/modules/prepared-actions/prepared-actions.service.ts';
const REGISTRY = 'src/modules/prepared-actions/registry/kind-registry.ts';
const kinds = files
  .map(({ path }) => path)
  .filter((path) => path.startsWith('src/modules/prepared-actions/kinds/'))
  .filter((path) => files.find((file) => file.path === REGISTRY)!.imports.some(({ file }) => file === path));

describe('files that are reached by', () => {
  it.each([
    ['a list of tasks', 35, [LIST]],
    // When a file is no longer reached, lower this number.
    ['the matches of a task', 60, [MATCHES]],
    ...kinds.map((kind): [string, number, string[]] => [`an intent, ${basename(kind)}`, 120, [INTENT, kind]]),
  ])('%s: at most %d', (what, most, begin) => {
    const reached = new Reach(files, [REGISTRY]).from(...begin);
    writeSync(1, `${String(reached.length).padStart(4)} of ${most} files reached by ${what}\n`);
    expect(reached.length > most ? reached : []).toEqual([]);
  });

  it('an intent of every kind', () => {
    expect(kinds.length).toBeGreaterThan(10);
  });
});

describe('of made-up files', () => {
  const reach = (texts: Record<string, string>, stops: string[] = []): string[] =>
    new Reach(
      Object.entries(texts).map(([path, text]) => sourceFile(path, text)),
      stops,
    ).from('src/a.ts');

  it('what is imported is reached, over any number of files, and a circle ends', () => {
    const texts = {
      'src/a.ts': "import { b } from './b.js';",
      'src/b.ts': "import c from './c.js';",
      'src/c.ts': "import './a.js';\nconst later = await import('./d.js');",
      'src/d.ts': '',
      'src/e.ts': '',
    };
    expect(reach(texts)).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts']);
    expect(reach(texts, ['src/b.ts'])).toEqual(['src/a.ts', 'src/b.ts']);
  });

  it.each(["import type { B } from './b.js';", "import { type B, type C } from './b.js';", "import a from 'b';"])(
    'nothing is reached by %s',
    (text) => {
      expect(reach({ 'src/a.ts': text, 'src/b.ts': '' })).toEqual(['src/a.ts']);
    },
  );

  it('a value beside a type is reached', () => {
    const text = "import {\n  b,\n  type C,\n} from './b.js';";
    expect(reach({ 'src/a.ts': text, 'src/b.ts': '' })).toEqual(['src/a.ts', 'src/b.ts']);
  });

  it('of a lib the files of the named values are reached, through the index of another lib too', () => {
    const texts = {
      'src/a.ts': "import { far, near as close } from '#libs/kernel';",
      'libs/kernel/src/index.ts':
        "export { far, wide } from '#libs/notation';\nexport { near } from './near.js';\nexport { other } from './other.js';",
      'libs/kernel/src/near.ts': '',
      'libs/kernel/src/other.ts': '',
      'libs/notation/src/index.ts': "export * from './wide.js';\nexport * from './far.js';",
      'libs/notation/src/far.ts': 'export const far = 1;',
      'libs/notation/src/wide.ts': 'export function wide() {}',
    };
    expect(reach(texts)).toEqual(['libs/kernel/src/near.ts', 'libs/notation/src/far.ts', 'src/a.ts']);
  });
});
