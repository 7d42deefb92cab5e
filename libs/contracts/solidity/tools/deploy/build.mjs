// What is deployed, compiled anew from the sources by one call of the compiler, with the input that explorers take.
import { createRequire } from 'node:module';
import { withImmutables } from '../../../../../dist/libs/contracts/src/index.js';
import { immutableGaps } from '../immutables.mjs';
import { readSources, standardInput } from '../builds/compiler.mjs';

const require = createRequire(import.meta.url);
const FACTORY = 'src/TaskEscrowFactory.sol';
const ESCROW = 'src/TaskEscrow.sol';

/** The compiler's input for what is deployed, without a wish for its output. */
export function deploymentInput() {
  return standardInput(readSources([FACTORY]), 'deployed', {});
}

/** Version of the compiler, as `0.8.37+commit.f401782d`. */
export function compilerVersion() {
  return require('solc').version().replace('.Emscripten.clang', '');
}

/**
 * Compiles both contracts; takes about half a minute. Throws when the sources do not compile.
 * @returns {{ storageLayout: object, runtime: (addresses: { factory: string, implementation: string, token: string }) => { factory: string, implementation: string } }}
 *   the layout of an escrow's storage, and what is on the chain with these addresses
 */
export function compileDeployment() {
  const input = deploymentInput();
  input.settings.outputSelection = { '*': { '': ['ast'], '*': ['evm.deployedBytecode', 'storageLayout'] } };
  const output = JSON.parse(require('solc').compile(JSON.stringify(input)));
  const failure = (output.errors ?? []).find(({ severity }) => severity === 'error');
  if (failure !== undefined) throw new Error(failure.formattedMessage);
  const asts = Object.values(output.sources).map(({ ast }) => ast);
  const [factory, escrow] = [output.contracts[FACTORY].TaskEscrowFactory, output.contracts[ESCROW].TaskEscrow];
  const filled = ({ evm: { deployedBytecode } }, addresses) =>
    withImmutables(
      `0x${deployedBytecode.object}`,
      immutableGaps(asts, deployedBytecode.immutableReferences),
      addresses,
    );
  return {
    storageLayout: escrow.storageLayout,
    runtime: (addresses) => ({ factory: filled(factory, addresses), implementation: filled(escrow, addresses) }),
  };
}
