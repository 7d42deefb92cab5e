import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.js';

interface PackageJson {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  /** One program of the package's own name, or several by name. */
  bin?: string | Record<string, string>;
}

const read = (...path: string[]): PackageJson => JSON.parse(readFileSync(join(ROOT, ...path, 'package.json'), 'utf8'));
const { scripts = {}, dependencies, devDependencies } = read();

/** The programs of the packages that this repository asks for by name; those of their own packages may go at any time. */
const programs = new Set(
  Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => {
    const { bin = {} } = read('node_modules', name);
    return typeof bin === 'string' ? [name.replace(/^@.*\//, '')] : Object.keys(bin);
  }),
);

/** Each command of each script, without the variables that are set for it. */
const commands = Object.entries(scripts).flatMap(([script, line]) =>
  line.split(' && ').map((command) => {
    const [program = '', ...args] = command.split(' ').filter((word) => !/^[A-Z_]+=/.test(word));
    return { script, program, args };
  }),
);

describe('the commands of package.json', () => {
  it('are programs of packages that it asks for', () => {
    expect(programs.size).toBeGreaterThan(5);
    const missing = commands.filter(({ program }) => !['node', 'npm'].includes(program) && !programs.has(program));
    expect(missing.map(({ script, program }) => `${script}: ${program}`)).toEqual([]);
  });

  it('run files that are there, or that the build makes', () => {
    const files = commands
      .filter(({ program }) => program === 'node')
      .map(({ script, args }) => ({ script, file: args.find((arg) => !arg.startsWith('-')) ?? '' }));
    expect(files.length).toBeGreaterThan(20);
    const missing = files.filter(({ file }) => !file.startsWith('dist/') && !existsSync(join(ROOT, file)));
    expect(missing).toEqual([]);
  });
});
