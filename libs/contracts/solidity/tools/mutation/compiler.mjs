// The npm compiler in this process: loading it takes half a second, so a run loads it once.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { PROJECT } from '../project-copy.mjs';

const require = createRequire(import.meta.url);

/** Contracts whose code the tests deploy, by source name. */
export const DEPLOYED = { 'src/TaskEscrow.sol': 'TaskEscrow', 'src/TaskEscrowFactory.sol': 'TaskEscrowFactory' };

/** Where an imported package lies. */
function packageFile(name) {
  const [scope, pkg, ...rest] = name.split('/');
  return join(dirname(require.resolve(`${scope}/${pkg}/package.json`)), ...rest);
}

/**
 * All sources that the deployed contracts are made of, by source name.
 * @returns {Record<string, { content: string }>}
 */
export function readSources() {
  const sources = {};
  const add = (name) => {
    if (sources[name] !== undefined) return;
    const content = readFileSync(name.startsWith('@') ? packageFile(name) : join(PROJECT, name), 'utf8');
    sources[name] = { content };
    for (const [, target] of content.matchAll(/^import[^;]*?["']([^"']+)["']/gm))
      add(target.startsWith('@') ? target : posix.join(posix.dirname(name), target));
  };
  for (const name of Object.keys(DEPLOYED)) add(name);
  return sources;
}

/** `plain` compiles in less than half a second; `deployed` is how the bindings are built. */
const PIPELINES = {
  plain: { optimizer: { enabled: false }, viaIR: false },
  optimized: { optimizer: { enabled: true, runs: 10_000 }, viaIR: false },
  deployed: { optimizer: { enabled: true, runs: 10_000 }, viaIR: true },
};

function standardInput(sources, pipeline, outputSelection) {
  const metadata = { bytecodeHash: 'none', appendCBOR: false };
  const settings = { ...PIPELINES[pipeline], evmVersion: 'cancun', metadata, outputSelection };
  return JSON.stringify({ language: 'Solidity', sources, settings });
}

/** Loads the compiler. Returns its version and two functions: one gives syntax trees, the other code. */
export function loadCompiler() {
  const solc = require('solc');
  const errorsOf = (output) => (output.errors ?? []).filter(({ severity }) => severity === 'error');
  return {
    version: solc.version(),
    /** Syntax trees by source name. */
    asts(sources) {
      const output = JSON.parse(solc.compile(standardInput(sources, 'plain', { '*': { '': ['ast'] } })));
      const [error] = errorsOf(output);
      if (error !== undefined) throw new Error(error.formattedMessage);
      return Object.fromEntries(Object.entries(output.sources).map(([name, { ast }]) => [name, ast]));
    },
    /**
     * Creation and runtime code by contract name, or the first error.
     * @returns {{ error: string } | { code: Record<string, { creation: string, runtime: string }> }}
     */
    code(sources, pipeline = 'plain') {
      const wanted = ['evm.bytecode.object', 'evm.deployedBytecode.object'];
      const selection = Object.fromEntries(Object.entries(DEPLOYED).map(([file, name]) => [file, { [name]: wanted }]));
      const output = JSON.parse(solc.compile(standardInput(sources, pipeline, selection)));
      const [error] = errorsOf(output);
      if (error !== undefined) return { error: error.formattedMessage };
      const code = {};
      for (const [file, name] of Object.entries(DEPLOYED)) {
        const { bytecode, deployedBytecode } = output.contracts[file][name].evm;
        code[name] = { creation: `0x${bytecode.object}`, runtime: `0x${deployedBytecode.object}` };
      }
      return { code };
    },
  };
}
