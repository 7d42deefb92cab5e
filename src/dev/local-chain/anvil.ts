import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { JsonRpcProvider } from 'ethers';
import { MarketChild } from '../processes/child-process.js';
import { LocalFault, systemCode } from '../processes/local-fault.js';
import type { MarketFolder } from '../market-folder/market-folder.js';
import { readPrivateJson, writePrivateJson } from '../market-folder/private-json.js';

export interface RunningChain {
  child: MarketChild;
  rpcUrl: string;
  port: number;
}

/** EIP-155 id of every local market's chain. */
export const LOCAL_CHAIN_ID = 31_337;

const START_MS = 120_000;
const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/;
/**
 * Seconds between two saves of the chain's state. A regular stop saves it too; the interval limits what a kill can
 * lose.
 */
const STATE_INTERVAL = 5;
/** Hard fork that the contracts are compiled for. */
const HARDFORK = 'cancun';
/** Maps Node's name of a processor architecture to the name in anvil's npm packages. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Starts the local EVM chain (anvil of the npm package) on a port of loopback; 0 takes a free port. Its state is kept
 * in the market's folder. A new chain begins at `genesisTime` (unix seconds); a kept chain continues at the present
 * time. Throws LocalFault when anvil is not installed or does not start.
 */
export async function startAnvil(
  folder: MarketFolder,
  genesisTime: number,
  wantedPort: number,
  onStart: (child: MarketChild) => void,
): Promise<RunningChain> {
  const isNew = !existsSync(folder.chainState);
  if (isNew) writePrivateJson(folder.chainGenesis, { timestamp: genesisTime });
  const child = await MarketChild.start({
    name: 'The chain (anvil)',
    command: anvilBinary(),
    args: [
      '--host=127.0.0.1',
      `--port=${wantedPort}`,
      `--chain-id=${LOCAL_CHAIN_ID}`,
      `--hardfork=${HARDFORK}`,
      `--state=${folder.chainState}`,
      `--state-interval=${STATE_INTERVAL}`,
      // Anvil builds block 0 anew at every start; only with the same time does it build the same block.
      `--timestamp=${genesisTimeOf(folder)}`,
    ],
    env: { PATH: dirname(process.execPath), HOME: folder.path, NO_COLOR: '1' },
    logFile: folder.file('chain.log'),
    stopSignal: 'SIGTERM',
  });
  onStart(child);
  const [, port] = await child.output(LISTENING, START_MS).catch(() => {
    const state = isNew
      ? ''
      : ` If its saved state (${folder.chainState}) is damaged, begin with an empty market: \`${folder.reset}\`.`;
    throw new LocalFault(`The chain (anvil) does not start.${state} Its log: ${child.logFile}`);
  });
  const rpcUrl = `http://127.0.0.1:${port}`;
  if (!isNew) await returnToPresent(rpcUrl);
  return { child, rpcUrl, port: Number(port) };
}

function genesisTimeOf(folder: MarketFolder): number {
  const genesis = readPrivateJson(folder.chainGenesis);
  const time = typeof genesis === 'object' && genesis !== null && 'timestamp' in genesis ? genesis.timestamp : null;
  if (typeof time === 'number' && Number.isInteger(time)) return time;
  throw new LocalFault(
    `${folder.chainGenesis}, which the saved chain begins with, is missing or damaged. Begin with an empty market: \`${folder.reset}\`.`,
  );
}

/**
 * Sets the clock of a kept chain to the present. Anvil would continue from the genesis time instead. When the chain's
 * clock had been moved ahead, it continues from its newest block, because block time never goes back. The service's
 * clock follows the chain's.
 */
async function returnToPresent(rpcUrl: string): Promise<void> {
  const provider = new JsonRpcProvider(rpcUrl, LOCAL_CHAIN_ID, { staticNetwork: true });
  try {
    const newest = await provider.getBlock('latest');
    await provider.send('evm_setTime', [Math.max(Math.floor(Date.now() / 1000), newest?.timestamp ?? 0)]);
  } finally {
    provider.destroy();
  }
}

/** Path of the anvil program in this platform's package, an optional dependency of `@foundry-rs/anvil`. */
function anvilBinary(): string {
  const name = `@foundry-rs/anvil-${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`;
  try {
    const anvil = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
    const folder = dirname(createRequire(anvil).resolve(`${name}/package.json`));
    return join(folder, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
  } catch (error) {
    if (!['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes(systemCode(error))) throw error;
    throw new LocalFault(
      `There is no anvil for this machine (${name} is not installed): run \`npm ci\` without leaving optional packages out, ` +
        'or set DATABASE_URL, RPC_URL and ESCROW_FACTORY_ADDRESS to use a chain of your own.',
    );
  }
}
