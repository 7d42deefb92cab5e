import { randomBytes } from 'node:crypto';
import { Interface, Wallet } from 'ethers';
import { localUsdcAbi } from '#libs/contracts';
import type { LocalChain } from '../local-chain.js';
import type { LocalAccount } from '../local-file.js';
import type { Backstage } from './backstage.js';
import type { CastAgent, CastMember } from './cast.js';
import type { Participant } from './participant.js';
import { usdc } from './scene.js';

const token = new Interface(localUsdcAbi);
/** What everybody begins with. */
const USDC_EACH = usdc(25_000);
const WEI_EACH = 10n ** 19n;

/** A new account of the service with a wallet of its own, some local USDC and ether for gas. */
export async function settle(
  backstage: Backstage,
  chain: LocalChain,
  usdcAddress: string,
  member: CastMember,
): Promise<Participant> {
  const wallet = new Wallet(`0x${randomBytes(32).toString('hex')}`);
  const account = await backstage.accounts.create({ name: member.name, walletAddress: wallet.address });
  const participant: Participant = { account, wallet, agents: [] };
  for (const agent of member.agents) participant.agents.push(await publish(backstage, participant, agent));
  await chain.giveEther(wallet.address, WEI_EACH);
  await chain.send(chain.relayer, usdcAddress, token.encodeFunctionData('mint', [wallet.address, USDC_EACH]));
  return participant;
}

/** The lines of `local.json` about a participant, with a fresh set of API keys. */
export async function localAccount(
  backstage: Backstage,
  { account, wallet, agents }: Participant,
): Promise<LocalAccount> {
  return {
    name: account.name,
    account_id: account.id,
    wallet_address: wallet.address,
    wallet_private_key: wallet.privateKey,
    keys: await backstage.keys.createKeySet(account, { name: 'local market' }),
    agents: agents.map(({ id, name }) => ({ id, name })),
  };
}

function publish(
  backstage: Backstage,
  owner: Participant,
  { name, description, capabilities }: CastAgent,
): Promise<Participant['agents'][number]> {
  const page = name.toLowerCase();
  return backstage.agents.publish(owner.account, {
    name,
    description,
    capabilities,
    agentCardUrl: `https://agents.example/${page}/agent-card.json`,
  });
}
