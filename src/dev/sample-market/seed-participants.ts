import { randomBytes } from 'node:crypto';
import { Interface, Wallet } from 'ethers';
import { localUsdcAbi } from '#libs/contracts';
import { AgentEntity, type AgentStatus } from '../../modules/agents/agent/agent.entity.js';
import type { LocalChain } from '../local-chain/local-chain.js';
import type { LocalAccount } from '../market-folder/local-file.js';
import type { SeedServices } from './seeds/seed-services.js';
import type { SeedAgent, SeedAccount } from './seeds/seed-accounts.js';
import type { Participant } from './seeds/participant.js';
import { usdc } from './scenarios/scenario-context.js';

const token = new Interface(localUsdcAbi);
/** What every participant starts with. */
const USDC_EACH = usdc(25_000);
const WEI_EACH = 10n ** 19n;
/** The longest lifetime of a key, because every demo moves the market's clock forward by a day. */
const KEY_DAYS = 365;

/** Creates an account of the service with a new wallet, its agents, local USDC, and ether for gas. */
export async function settle(
  services: SeedServices,
  chain: LocalChain,
  usdcAddress: string,
  member: SeedAccount,
): Promise<Participant> {
  const wallet = new Wallet(`0x${randomBytes(32).toString('hex')}`);
  const account = await services.accounts.create({ name: member.name, walletAddress: wallet.address });
  const participant: Participant = { account, wallet, agents: [] };
  for (const agent of member.agents) {
    const published = await publish(services, participant, agent);
    if (agent.status !== undefined) await take(services, published, agent.status);
    participant.agents.push(published);
  }
  await chain.giveEther(wallet.address, WEI_EACH);
  await chain.send(chain.relayer, usdcAddress, token.encodeFunctionData('mint', [wallet.address, USDC_EACH]));
  return participant;
}

/** A participant's entry in `local.json`, with new API keys. */
export async function localAccount(
  services: SeedServices,
  { account, wallet, agents }: Participant,
): Promise<LocalAccount> {
  return {
    name: account.name,
    account_id: account.id,
    wallet_address: wallet.address,
    wallet_private_key: wallet.privateKey,
    keys: await services.keys.createKeySet(account, { name: 'local market', days: KEY_DAYS }),
    agents: agents.map(({ id, name }) => ({ id, name })),
  };
}

/** Gives an agent this status: `suspended` directly, as the operator would; the others as its owner. */
async function take(
  services: SeedServices,
  { id, accountId }: AgentEntity,
  status: Exclude<AgentStatus, 'active'>,
): Promise<void> {
  if (status === 'suspended') await services.transactions.manager.update(AgentEntity, { id }, { status });
  else await services.agents.update({ id: accountId, walletAddress: null }, id, { status });
}

function publish(
  services: SeedServices,
  owner: Participant,
  { name, description, capabilities }: SeedAgent,
): Promise<Participant['agents'][number]> {
  const page = name.toLowerCase();
  return services.agents.publish(owner.account, {
    name,
    description,
    capabilities,
    agentCardUrl: `https://agents.example/${page}/agent-card.json`,
  });
}
