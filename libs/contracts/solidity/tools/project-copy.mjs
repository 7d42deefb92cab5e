// A copy of the forge project outside the repository's tree of sources: the tools that write beside what they read, or
// need the sources changed, work there.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forgeExecutable } from './forge-executable.mjs';

const require = createRequire(import.meta.url);

/** The solidity project, `libs/contracts/solidity`. */
export const PROJECT = join(dirname(fileURLToPath(import.meta.url)), '..');

const NODE_MODULES = join(dirname(require.resolve('@openzeppelin/contracts/package.json')), '..', '..');

/** Folder for everything the audit makes and may lose. */
export const AUDIT_CACHE = join(NODE_MODULES, '.cache', 'contracts-audit');

/** Where a tool of PyPI finds its own commands and, before any other, forge itself: npm's starter hides failures. */
export function searchPath(bin) {
  return [dirname(forgeExecutable()), bin, process.env.PATH].join(delimiter);
}

/**
 * Makes the folder anew with the project's configuration and some of its folders.
 * @param {string} folder is emptied first
 * @param {string[]} parts folders of the project to copy
 * @param {(configuration: string) => string} [adapt] changes the text of foundry.toml, whose paths are absolute by then
 */
export function copyProject(folder, parts, adapt = (text) => text) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const configuration = readFileSync(join(PROJECT, 'foundry.toml'), 'utf8')
    .replaceAll('../../../node_modules', NODE_MODULES)
    .replace('"./tools/solc.cjs"', JSON.stringify(join(PROJECT, 'tools', 'solc.cjs')));
  writeFileSync(join(folder, 'foundry.toml'), adapt(configuration));
  for (const part of parts) cpSync(join(PROJECT, part), join(folder, part), { recursive: true });
}
