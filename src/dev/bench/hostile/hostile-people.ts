import { randomBytes } from 'node:crypto';
import { Wallet } from 'ethers';
import { type Scope, SCOPES } from '../../../modules/credentials/scope.js';
import { SeedServices } from '../../sample-market/seeds/seed-services.js';

/** An account with enough API keys of each scope to use the account's whole rate limit. */
export interface Caller {
  accountId: string;
  agentId: string;
  keys: Record<Scope, string[]>;
}

/** Number of key sets: a key may write 30 times a minute, an account 120 times. */
const SETS = 5;
const KEY_DAYS = 1;

/** Creates `count` new accounts, each with one agent, as anybody can for free. */
export async function newCallers(services: SeedServices, count: number): Promise<Caller[]> {
  const made: Caller[] = [];
  for (let n = 0; n < count; n += 1) {
    const { address } = new Wallet(`0x${randomBytes(32).toString('hex')}`);
    const account = await services.accounts.create({ name: `Free ${n}`, walletAddress: address });
    const { id: agentId } = await services.agents.publish(account, {
      name: `Free ${n}`,
      agentCardUrl: 'https://agents.example/free/agent-card.json',
      capabilities: [],
    });
    made.push({ accountId: account.id, agentId, keys: await moreKeys(services, account.id) });
  }
  return made;
}

/** Creates `SETS` sets of keys for an existing account. */
export async function moreKeys(services: SeedServices, accountId: string): Promise<Record<Scope, string[]>> {
  const keys: Record<Scope, string[]> = { read: [], buyer: [], worker: [], 'agent-owner': [] };
  for (let set = 0; set < SETS; set += 1) {
    const more = await services.keys.createKeySet({ id: accountId }, { name: `bench ${set}`, days: KEY_DAYS });
    for (const scope of SCOPES) keys[scope].push(more[scope]);
  }
  return keys;
}
