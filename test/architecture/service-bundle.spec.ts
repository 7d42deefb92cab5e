import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { join } from 'node:path';
import { programFiles, ROOT } from './source-files.js';

const BUNDLE = join(ROOT, 'dist/service');
/** The threads of the service: `new URL('./….worker.js', …)` or `workerFile('….worker.js')`. */
const THREAD = /\(\s*'(?:\.\/)?(\w[\w/-]*\.worker\.js)'/g;
/**
 * What a file of the bundle asks Node for: `from "x"`, `import "x"`, `import("x")`, `require$1("x")`. In a template it is
 * part of a program that ajv could print.
 */
const ASKED = /(?<![.`])\b(?:from |import |import\(|_*require(?:\$\d+)?\()"([^"]+)"/g;

/** Nest asks for the first three by their names while the service runs, and TypeORM for the fourth. */
const LEFT_OUTSIDE = ['class-transformer', 'class-validator', 'pg', 'typeorm'];
/** Its files are served, not run. */
const SERVED = ['swagger-ui-dist'];

/** The package of a name that is asked for: `pg` for `pg/lib/defaults.js`. */
const packageOf = (name: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;

const installed = createRequire(join(ROOT, 'package.json'));
function isInstalled(name: string): boolean {
  return installed.resolve.paths(name)!.some((folder) => existsSync(join(folder, name)));
}

describe('the bundle of the service (run `npm run build` first)', () => {
  const files = readdirSync(BUNDLE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  const asked = files.flatMap((file) =>
    [...readFileSync(join(BUNDLE, file), 'utf8').matchAll(ASKED)].map(([, name]) => name!),
  );

  it('has the program of each thread where the file that starts it looks for it', () => {
    const threads = programFiles()
      .filter(({ path }) => path.startsWith('src/modules/') || path.startsWith('src/platform/'))
      .flatMap(({ text }) => [...text.matchAll(THREAD)].map(([, file]) => file!));
    expect(threads.length).toBeGreaterThan(2);
    expect(threads.filter((file) => !files.includes(file))).toEqual([]);
  });

  // A package that is in the bundle and loaded beside it is there twice: what one copy keeps, as the transformations of
  // a class, the other does not know.
  it('asks Node for no package that it has in itself', () => {
    const packages = asked
      .filter((name) => !/^(?:\.|node:)/.test(name) && !builtinModules.includes(name))
      .map(packageOf)
      .filter(isInstalled);
    expect([...new Set(packages)].sort()).toEqual([...LEFT_OUTSIDE, ...SERVED].sort());
  });

  it('is made of files that are there', () => {
    const chunks = asked.filter((name) => name.startsWith('./'));
    expect(chunks.length).toBeGreaterThan(0);
    expect(chunks.map((name) => name.slice(2)).filter((file) => !files.includes(file))).toEqual([]);
  });
});
