#!/usr/bin/env node
// Runs forge in this project and ends with forge's own exit status. The starter in the npm package always ends with 0,
// so that a failing test would pass unnoticed in CI. Use: `node tools/forge.mjs test`, from any folder.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forgeExecutable } from './forge-executable.mjs';

const project = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Runs forge and waits for it.
 * @param {string[]} args command line
 * @param {{ profile?: string, quiet?: boolean }} [options] profile of foundry.toml; quiet hides the standard output
 * @returns {number} exit status, 1 if a signal ended it
 */
export function forge(args, { profile, quiet = false } = {}) {
  const { status } = spawnSync(forgeExecutable(), args, {
    cwd: project,
    env: profile === undefined ? process.env : { ...process.env, FOUNDRY_PROFILE: profile },
    stdio: ['inherit', quiet ? 'ignore' : 'inherit', 'inherit'],
  });
  return status ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(forge(process.argv.slice(2)));
