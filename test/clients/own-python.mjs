import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './commands.mjs';
import { installPython } from './installs.mjs';

const CLIENT = join(import.meta.dirname, '../../libs/python-client');
const PROGRAM = join(import.meta.dirname, 'programs/own-python.py');
const [, version] = /^version = "(.*)"$/m.exec(readFileSync(join(CLIENT, 'pyproject.toml'), 'utf8'));

/** Installs what the client of libs/python-client and its tests need. */
export const installOwnPython = (folder) => installPython(folder, join(CLIENT, 'requirements.txt'));

/**
 * Our own client in Python, which is written by hand: it is built as it is published, its types are checked because it
 * publishes them (`py.typed`), it is tested with the vectors of libs/prepared-action, and its samples play a job on the
 * market. Tested here because the same Python and market do.
 */
export const OWN_PYTHON = {
  name: 'python-client',
  version,
  needs: ['ownPython'],
  generate: ({ ownPython, folder }) => {
    // The build leaves files beside the sources.
    const source = join(folder, 'source');
    cpSync(CLIENT, source, { recursive: true, filter: (path) => !/__pycache__|\.egg-info|build$/.test(path) });
    const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--no-build-isolation', '--no-index'];
    return run('python3', ['-m', 'pip', 'install', ...options, '--target', join(folder, 'built'), source], {
      env: { PYTHONPATH: ownPython },
    });
  },
  compile: async ({ ownPython, folder }) => {
    const options = { cwd: CLIENT, env: { PYTHONPATH: ownPython } };
    await run('python3', ['-s', '-B', '-m', 'mypy', '--cache-dir', join(folder, 'mypy')], options);
    return run('python3', ['-s', '-B', '-m', 'pytest'], options);
  },
  call: ({ ownPython, folder, facts }) =>
    run('python3', ['-s', PROGRAM, facts, join(CLIENT, 'README.md')], {
      cwd: folder,
      env: { PYTHONPATH: [join(folder, 'built'), ownPython].join(':') },
    }),
};
