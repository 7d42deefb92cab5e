// What is deployed, compiled anew from the sources by one call of the compiler, with the input that explorers take.
import { createRequire } from 'node:module';
import { readSources } from '../mutation/compiler.mjs';

const require = createRequire(import.meta.url);
const FACTORY = ['src/TaskEscrowFactory.sol', 'TaskEscrowFactory'];
const ESCROW = ['src/TaskEscrow.sol', 'TaskEscrow'];
const IMMUTABLE_NAMES = { _IMPLEMENTATION: 'implementation', _FACTORY: 'factory' };

/** The settings of foundry.toml's profile `ir`; with others the bindings' code does not come out. */
export const COMPILER_SETTINGS = {
  viaIR: true,
  optimizer: { enabled: true, runs: 10_000 },
  evmVersion: 'cancun',
  metadata: { bytecodeHash: 'none', appendCBOR: false },
};

/** Standard-JSON input as an explorer wants it. */
export function standardInput() {
  return { language: 'Solidity', sources: readSources(), settings: { ...COMPILER_SETTINGS, outputSelection: {} } };
}

/** Version of the compiler, as `0.8.37+commit.f401782d`. */
export function compilerVersion() {
  return require('solc').version().replace('.Emscripten.clang', '');
}

/**
 * Compiles both contracts; takes about half a minute. Throws when the sources do not compile.
 * @returns {{ creation: string, storageLayout: object, runtime: (addresses: { factory: string, implementation: string, token: string }) => { factory: string, implementation: string } }}
 *   creation code of the factory without its argument, and what is on the chain with these addresses
 */
export function compileDeployment() {
  const input = standardInput();
  const outputs = ['evm.bytecode.object', 'evm.deployedBytecode', 'storageLayout'];
  input.settings.outputSelection = { '*': { '': ['ast'], '*': outputs } };
  const output = JSON.parse(require('solc').compile(JSON.stringify(input)));
  const failure = (output.errors ?? []).find(({ severity }) => severity === 'error');
  if (failure !== undefined) throw new Error(failure.formattedMessage);
  const names = new Map();
  for (const { ast } of Object.values(output.sources)) collectImmutables(ast, names);
  const contract = ([file, name]) => output.contracts[file][name];
  const filled = (which, addresses) => fillIn(contract(which).evm.deployedBytecode, names, addresses);
  return {
    creation: `0x${contract(FACTORY).evm.bytecode.object}`,
    storageLayout: contract(ESCROW).storageLayout,
    runtime: (addresses) => ({ factory: filled(FACTORY, addresses), implementation: filled(ESCROW, addresses) }),
  };
}

function collectImmutables(node, names) {
  if (node.nodeType === 'VariableDeclaration' && node.mutability === 'immutable')
    names.set(String(node.id), IMMUTABLE_NAMES[node.name] ?? node.name);
  for (const child of node.nodes ?? []) collectImmutables(child, names);
}

/** Puts the addresses where the compiler says that immutables are. */
function fillIn({ object, immutableReferences }, names, addresses) {
  const code = Buffer.from(object, 'hex');
  for (const [declaration, places] of Object.entries(immutableReferences)) {
    const address = addresses[names.get(declaration)];
    if (address === undefined) throw new Error(`the immutable ${names.get(declaration) ?? declaration} has no value`);
    const word = Buffer.from(address.slice(2).padStart(64, '0'), 'hex');
    for (const { start } of places) word.copy(code, start);
  }
  return `0x${code.toString('hex')}`;
}
