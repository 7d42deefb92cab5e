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

/** Its files are served, not run. */
const SERVED = 'swagger-ui-dist/absolute-path.js';

const installed = createRequire(join(ROOT, 'package.json'));
/** True for a package, and for a file of one. */
function isInstalled(name: string): boolean {
  const folders = installed.resolve.paths(name) ?? [];
  return folders.some((folder) => ['', '.js'].some((ending) => existsSync(join(folder, name + ending))));
}

describe('the bundle of the service (run `npm run build` first)', () => {
  const files = readdirSync(BUNDLE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  const asked = files.flatMap((file) =>
    [...readFileSync(join(BUNDLE, file), 'utf8').matchAll(ASKED)].map(([, name]) => ({ file, name: name! })),
  );

  it('has the program of each thread where the file that starts it looks for it', () => {
    const threads = programFiles()
      .filter(({ path }) => path.startsWith('src/modules/') || path.startsWith('src/platform/'))
      .flatMap(({ text }) => [...text.matchAll(THREAD)].map(([, file]) => file!));
    expect(threads.length).toBeGreaterThan(2);
    expect(threads.filter((file) => !files.includes(file))).toEqual([]);
  });

  it('has what the commands of package.json run of it', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const commands = Object.values(scripts).flatMap((line: string) => /dist\/service\/(\S+)/.exec(line)?.[1] ?? []);
    expect(commands.length).toBeGreaterThan(10);
    expect(commands.filter((file) => !files.includes(file))).toEqual([]);
  });

  // A package that is in the bundle and loaded beside it is there twice, and what one copy keeps, the transformations of
  // a class for example, the other does not know. Names of packages that are not installed may stay.
  it('asks Node for no package that it has in itself', () => {
    const names = asked.map(({ name }) => name);
    const others = names.filter((name) => !/^(?:\.|node:)/.test(name) && !builtinModules.includes(name));
    expect(others.filter(isInstalled)).toEqual([SERVED]);
    expect(others.length).toBeGreaterThan(1);
  });

  it('is made of files that are there', () => {
    const chunks = asked.filter(({ name }) => name.startsWith('.')).map(({ file, name }) => join(file, '..', name));
    expect(chunks.length).toBeGreaterThan(0);
    expect(chunks.filter((file) => !files.includes(file))).toEqual([]);
  });
});
