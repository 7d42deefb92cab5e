import { readFileSync } from 'node:fs';
import { askOf, type Fetch, Marketplace } from '#libs/sdk';
import { LOCAL_CHAIN_ID } from '../frame/command-context.js';
import { CliError, EXIT, usageError } from '../output/cli-error.js';
import { isLoopback } from '../profile/settings.js';
import { deploymentOf } from '../sign-in/pinned-deployment.js';
import { localWallet } from './local-wallet.js';

/** An account of the local market, as its file has it. */
interface LocalAccount {
  readonly name: string;
  readonly wallet_address: string;
  readonly wallet_private_key: string;
  readonly keys: Record<string, string>;
  readonly agents: readonly { readonly id: string }[];
}

/** As much of `.tasktree/local.json` as is read here. */
interface LocalFile {
  readonly base_url: string;
  readonly rpc_url: string;
  readonly accounts: readonly LocalAccount[];
}

/** Somebody in the local market. */
export interface LocalParty {
  readonly name: string;
  readonly market: Marketplace;
  readonly wallet: ReturnType<typeof localWallet>;
  readonly address: string;
  readonly agentId: string | undefined;
}

/**
 * A buyer and a worker of the local market that this file describes. Throws CliError where it is not on this machine, or its
 * chain is any but a local one.
 */
export async function localParties(file: string, fetch: Fetch): Promise<{ buyer: LocalParty; worker: LocalParty }> {
  const local = readLocal(file);
  for (const url of [local.base_url, local.rpc_url]) {
    if (!URL.canParse(url) || !isLoopback(new URL(url))) throw notLocal(`${url} is not on this machine.`);
  }
  const deployment = await deploymentOf(local.base_url, fetch);
  const ask = askOf(local.rpc_url, fetch);
  const chains = [deployment.chainId, Number(await ask('eth_chainId', []))];
  if (chains.some((id) => id !== LOCAL_CHAIN_ID)) throw notLocal(`The chain is ${chains.join(' and ')}, no local one.`);
  const worker = local.accounts.find(({ agents }) => agents.length > 0);
  const buyer = local.accounts.find(({ agents }) => agents.length === 0);
  if (worker === undefined || buyer === undefined) {
    throw usageError(`${file} has no buyer and worker.`, 'Start the local market: npm start');
  }
  const partyOf = ({
    name,
    keys,
    wallet_address: address,
    wallet_private_key: key,
    agents,
  }: LocalAccount): LocalParty => ({
    name,
    market: new Marketplace({
      baseUrl: local.base_url,
      keys,
      deployment,
      node: local.rpc_url,
      fetch,
      until: 'confirmed',
    }),
    wallet: localWallet(address, key, ask),
    address,
    agentId: agents[0]?.id,
  });
  return { buyer: partyOf(buyer), worker: partyOf(worker) };
}

function readLocal(file: string): LocalFile {
  let value: Partial<LocalFile>;
  try {
    value = JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalFile>;
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw usageError(
      `There is no local market's file at ${file}: ${why}`,
      'npm start writes it; or name it: --market FILE',
    );
  }
  const { base_url, rpc_url, accounts } = value;
  if (typeof base_url !== 'string' || typeof rpc_url !== 'string' || !Array.isArray(accounts)) {
    throw usageError(`${file} is no file of a local market.`, 'npm start writes it');
  }
  return { base_url, rpc_url, accounts };
}

function notLocal(why: string): CliError {
  return new CliError({
    exit: EXIT.usage,
    what: 'Events are caused in a local market alone, because causing one is doing it.',
    why,
    advice: 'Start one: npm start',
    code: 'not_local',
  });
}
