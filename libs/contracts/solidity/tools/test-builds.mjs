#!/usr/bin/env node
// Runs the Foundry tests on both builds of the contracts, without and with via-IR, then measures the gas of the deployed
// one: what is deployed is what was tested. The tests themselves are compiled once, without via-IR in a fraction of the
// time, and take the contracts' code from the artifacts.
//
//   node tools/test-builds.mjs                            all tests on both builds, then the gas
//   node tools/test-builds.mjs --path 'test/unit/**'      these tests on both builds
//   node tools/test-builds.mjs --gas                      the gas alone
//   node tools/test-builds.mjs --gas --write              writes test/gas/snapshots
//
// Exit status: 0 if all passed.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCompiler, readSources } from './builds/compiler.mjs';
import { INSTALLED, Workspace } from './builds/workspace.mjs';
import { AUDIT_CACHE } from './project-copy.mjs';

/** What the compiler makes of the unchanged sources. Throws when they do not compile. */
function compile(pipeline) {
  const { code, error } = loadCompiler().code(readSources(Object.keys(INSTALLED)), pipeline, INSTALLED);
  if (error !== undefined) throw new Error(error);
  return code;
}

function main() {
  const { values } = parseArgs({
    options: {
      gas: { type: 'boolean', default: false },
      path: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  // From there the folders of the mutants are copied, too, so that the tests are compiled once for both.
  const compiled = new Workspace(join(AUDIT_CACHE, 'mutation', 'workspace-0'));
  compiled.prepare();
  const workspace = compiled.copyTo(join(AUDIT_CACHE, 'test-builds'));
  // The gas is measured on what is there last, the deployed build.
  for (const pipeline of values.gas ? ['deployed'] : ['optimized', 'deployed']) {
    workspace.install(compile(pipeline));
    if (values.gas) continue;
    process.stdout.write(`Tests on the ${pipeline} build\n`);
    const status = workspace.runAll(values.path ?? 'test/**');
    if (status !== 0) return status;
  }
  return values.path === undefined ? workspace.measureGas(values.write) : 0;
}

process.exitCode = main();
