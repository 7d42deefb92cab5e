// Copies the forge project out of the source tree, for tools that write beside their input or need changed sources.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forgeExecutable } from './forge-executable.mjs';

const require = createRequire(import.meta.url);

/** The solidity project, `libs/contracts/solidity`. */
export const PROJECT = join(dirname(fileURLToPath(import.meta.url)), '..');

const NODE_MODULES = join(dirname(require.resolve('@openzeppelin/contracts/package.json')), '..', '..');

/** Folder for the audit's generated files, which can be deleted at any time. */
export const AUDIT_CACHE = join(NODE_MODULES, '.cache', 'contracts-audit');

/**
 * `PATH` for a tool from PyPI: first forge's own executable, because npm's starter hides failures, then the tool's
 * folder.
 */
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
