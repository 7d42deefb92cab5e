import { Wallet } from 'ethers';
import type { LocalAccount, LocalFile } from '../local-file.js';
import type { Backstage } from '../market/backstage.js';
import type { Participant } from '../market/participant.js';
import { expectThat } from './teller.js';

/** Somebody of the running market, as the demo plays them: wallet and keys come from `local.json`. */
export interface Player {
  local: LocalAccount;
  participant: Participant;
}

/** The account of this name, with its wallet and its agents. Throws DemoMismatch when the market has nobody like that. */
export async function player(backstage: Backstage, file: LocalFile, name: string): Promise<Player> {
  const local = file.accounts.find((one) => one.name === name);
  expectThat(
    local !== undefined,
    `The market has no account called ${name}: start one with its sample data (npm start -- --reset).`,
  );
  const account = await backstage.accounts.find(local.account_id);
  const found = await Promise.all(local.agents.map(({ id }) => backstage.agents.findById(id)));
  const agents = found.flatMap((agent) => (agent ? [agent] : []));
  return { local, participant: { account, wallet: new Wallet(local.wallet_private_key), agents } };
}
