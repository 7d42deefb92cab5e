#!/usr/bin/env node
// Runs forge in this project and ends with forge's own exit status. The starter in the npm package always ends with 0,
// so that a failing test would pass unnoticed in CI. Use: `node tools/forge.mjs test`, from any folder.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Path of forge's executable for this machine; throws when npm has installed none. */
function executable() {
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/forge/package.json'));
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return require.resolve(`@foundry-rs/forge-${process.platform}-${architecture}/bin/forge${suffix}`);
}

/**
 * Runs forge and waits for it.
 * @param {string[]} args command line
 * @param {{ profile?: string, quiet?: boolean }} [options] profile of foundry.toml; quiet hides the standard output
 * @returns {number} exit status, 1 if a signal ended it
 */
export function forge(args, { profile, quiet = false } = {}) {
  const { status } = spawnSync(executable(), args, {
    cwd: project,
    env: profile === undefined ? process.env : { ...process.env, FOUNDRY_PROFILE: profile },
    stdio: ['inherit', quiet ? 'ignore' : 'inherit', 'inherit'],
  });
  return status ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(forge(process.argv.slice(2)));
