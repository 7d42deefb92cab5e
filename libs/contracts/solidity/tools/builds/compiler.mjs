// The npm compiler in this process: loading it takes half a second, so a run loads it once.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { PROJECT } from '../project-copy.mjs';

const require = createRequire(import.meta.url);

/** Contracts whose code the tests deploy, by source name. */
export const DEPLOYED = {
  'src/TaskEscrow.sol': 'TaskEscrow',
  'src/TaskEscrowFactory.sol': 'TaskEscrowFactory',
  'src/LocalUsdc.sol': 'LocalUsdc',
  'src/offchain/UndeployedWalletCheck.sol': 'UndeployedWalletCheck',
};

/** Where an imported package lies. */
function packageFile(name) {
  const [scope, pkg, ...rest] = name.split('/');
  return join(dirname(require.resolve(`${scope}/${pkg}/package.json`)), ...rest);
}

/**
 * All sources that contracts are made of, by source name.
 * @param {string[]} [roots] sources of the contracts, {@link DEPLOYED} if none are named
 * @returns {Record<string, { content: string }>}
 */
export function readSources(roots = Object.keys(DEPLOYED)) {
  const sources = {};
  const add = (name) => {
    if (sources[name] !== undefined) return;
    const content = readFileSync(name.startsWith('@') ? packageFile(name) : join(PROJECT, name), 'utf8');
    sources[name] = { content };
    importsOf(name, content).forEach(add);
  };
  roots.forEach(add);
  return sources;
}

/** Names of the sources that a source imports. */
function importsOf(name, content) {
  return [...content.matchAll(/^import[^;]*?["']([^"']+)["']/gm)].map(([, target]) =>
    target.startsWith('@') ? target : posix.join(posix.dirname(name), target),
  );
}

/**
 * The deployed contracts that are made of a source, among others; the code of the rest does not depend on it.
 * @returns {Record<string, string>} a part of {@link DEPLOYED}
 */
export function deployedFrom(sources, file) {
  const reaches = (name, seen = new Set()) => {
    if (name === file) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return importsOf(name, sources[name].content).some((target) => reaches(target, seen));
  };
  return Object.fromEntries(Object.entries(DEPLOYED).filter(([name]) => reaches(name)));
}

/** `plain` compiles in less than half a second; `deployed` is how the bindings are built. */
const PIPELINES = {
  plain: { optimizer: { enabled: false }, viaIR: false },
  optimized: { optimizer: { enabled: true, runs: 10_000 }, viaIR: false },
  deployed: { optimizer: { enabled: true, runs: 10_000 }, viaIR: true },
};

/** Standard-JSON input of the compiler, which explorers take to verify a source too. */
export function standardInput(sources, pipeline, outputSelection) {
  const metadata = { bytecodeHash: 'none', appendCBOR: false };
  const settings = { ...PIPELINES[pipeline], evmVersion: 'cancun', metadata, outputSelection };
  return { language: 'Solidity', sources, settings };
}

/** Loads the compiler. Returns its version and two functions: one gives syntax trees, the other code. */
export function loadCompiler() {
  const solc = require('solc');
  const errorsOf = (output) => (output.errors ?? []).filter(({ severity }) => severity === 'error');
  return {
    version: solc.version(),
    /** Syntax trees by source name. */
    asts(sources) {
      const output = JSON.parse(
        solc.compile(JSON.stringify(standardInput(sources, 'plain', { '*': { '': ['ast'] } }))),
      );
      const [error] = errorsOf(output);
      if (error !== undefined) throw new Error(error.formattedMessage);
      return Object.fromEntries(Object.entries(output.sources).map(([name, { ast }]) => [name, ast]));
    },
    /**
     * Creation and runtime code by contract name, or the first error.
     * @param {Record<string, string>} [contracts] the part of {@link DEPLOYED} that is wanted
     * @returns {{ error: string } | { code: Record<string, { creation: string, runtime: string }> }}
     */
    code(sources, pipeline = 'plain', contracts = DEPLOYED) {
      const wanted = ['evm.bytecode.object', 'evm.deployedBytecode.object'];
      const selection = Object.fromEntries(Object.entries(contracts).map(([file, name]) => [file, { [name]: wanted }]));
      const output = JSON.parse(solc.compile(JSON.stringify(standardInput(sources, pipeline, selection))));
      const [error] = errorsOf(output);
      if (error !== undefined) return { error: error.formattedMessage };
      const code = {};
      for (const [file, name] of Object.entries(contracts)) {
        const { bytecode, deployedBytecode } = output.contracts[file][name].evm;
        code[name] = { creation: `0x${bytecode.object}`, runtime: `0x${deployedBytecode.object}` };
      }
      return { code };
    },
  };
}
