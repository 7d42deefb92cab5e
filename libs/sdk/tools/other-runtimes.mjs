// The programs that run JavaScript elsewhere, as npm carries them for this machine. They are installed beside the packages
// that are tried with them, and thrown away with them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';

/** Packages of programs: in each, the path of the program, and what stands before the name of a module that it runs. */
const RUNTIMES = {
  'Node 22': { npm: `node-${platform()}-${arch()}@22`, program: 'bin/node', before: [] },
  'Node 24': { npm: `node-${platform()}-${arch()}@24`, program: 'bin/node', before: [] },
  'Bun 1.4': { npm: `@oven/bun-${platform()}-${arch()}@1.4.5`, program: 'bin/bun', before: [] },
  'Deno 2.9': {
    npm: `@deno/${platform()}-${arch()}${platform() === 'linux' ? '-glibc' : ''}@2.9.6`,
    program: 'deno',
    before: ['run', '--quiet', '--allow-all', '--node-modules-dir=manual'],
  },
};

/**
 * Installs each runtime by itself, because not every machine has all of them.
 * @param {string} folder a folder of their own is made in it
 * @returns {{ name: string, command?: string[], missing?: string }[]} the words to which the path of a module is added, or
 *   why there is none
 */
export function otherRuntimes(folder) {
  return Object.entries(RUNTIMES).map(([name, { npm, program, before }], place) => {
    const own = join(folder, `runtime-${place}`);
    mkdirSync(own);
    writeFileSync(join(own, 'package.json'), '{"private":true}');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
    const { status, stderr } = spawnSync('npm', ['install', ...options, `runtime@npm:${npm}`], {
      cwd: own,
      encoding: 'utf8',
    });
    if (status === 0) return { name, command: [join(own, 'node_modules/runtime', program), ...before] };
    return { name, missing: (stderr.match(/^npm error (?!code)(.*)$/m) ?? stderr.match(/\S.*/))?.[1] ?? 'npm failed' };
  });
}
