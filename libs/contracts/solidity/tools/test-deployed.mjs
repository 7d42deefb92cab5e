#!/usr/bin/env node
// Runs the Foundry tests against the code that is deployed (via-IR), and compares its gas with the committed snapshots, so
// that what is deployed is what was tested. The tests themselves are compiled without via-IR, in a fraction of the time,
// and take the contracts' code from the artifacts.
//
//   node tools/test-deployed.mjs                            all tests, then the gas
//   node tools/test-deployed.mjs --path 'test/unit/**'      these tests
//
// Exit status: 0 if all passed.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCompiler, readSources } from './mutation/compiler.mjs';
import { INSTALLED, Workspace } from './mutation/workspace.mjs';
import { AUDIT_CACHE } from './project-copy.mjs';

function main() {
  const { values } = parseArgs({ options: { path: { type: 'string' } } });
  // Where the mutants are tried too, so that the tests are compiled once for both.
  const workspace = new Workspace(join(AUDIT_CACHE, 'mutation', 'workspace-0'));
  workspace.prepare();
  const { code, error } = loadCompiler().code(readSources(Object.keys(INSTALLED)), 'deployed', INSTALLED);
  if (error !== undefined) throw new Error(error);
  workspace.install(code);
  if (values.path !== undefined) return workspace.runAll(values.path);
  const tested = workspace.runAll('test/**');
  return tested === 0 ? workspace.compareGas() : tested;
}

process.exitCode = main();
