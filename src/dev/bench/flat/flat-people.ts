import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Wallet } from 'ethers';
import { type Scope, SCOPES } from '../../../modules/credentials/scope.js';
import { newBrowserSecret } from '../../../modules/accounts/sessions/browser-cookies.js';
import type { Participant } from '../../sample-market/seeds/participant.js';
import { SeedServices } from '../../sample-market/seeds/seed-services.js';
import { type TemporaryMarket, variablesOf } from '../../local-market/temporary-market.js';
import { FIRST_OF_OWNER, type FlatPeople, ORDINARY_AGENT, WHALE_AGENT } from './flat-data.sql.js';
import { INSERT_SESSION, PLACES } from './flat-people.sql.js';
import { LivePeople } from './live/live-people.js';

const KEY_DAYS = 1;

/** An account that the bench sends requests as, with its API keys and its browser session. */
export interface FlatCaller {
  name: string;
  accountId: string;
  /** The agent that the account asks about: one of its own, or another account's when it has none. */
  agentId: string;
  /** An agent that the account owns; null when it owns none. */
  ownAgentId: string | null;
  /** Signs the actions that the account prepares; null when the account has no wallet key. */
  wallet: Wallet | null;
  keys: Record<Scope, string>;
  /** `Cookie` header of a browser in which the account is signed in. */
  cookie: string;
}

/** Those who have most, who are people of the sample market, an ordinary account, one that has just begun, and a new one. */
export async function flatPeople(
  market: TemporaryMarket,
  client: pg.Client,
): Promise<{ people: FlatPeople; callers: FlatCaller[] }> {
  const { rows } = await client.query<{ buyer: string; worker: string; owner: string }>(PLACES);
  const [places] = rows;
  if (!places) throw new Error('The sample market has nobody');
  const services = await SeedServices.open(variablesOf(market));
  const live = new LivePeople(services, market.file);
  try {
    const buyer = await live.known(places.buyer);
    const worker = await live.known(places.worker);
    const owner = await live.known(places.owner);
    const ordinary = await live.settle('ordinary');
    const begun = await live.settle('begun');
    await live.live([buyer, worker, owner, ordinary, begun]);
    const walletAddress = `0x${createHash('sha256').update('new').digest('hex').slice(0, 40)}`;
    const { id: nobody } = await services.accounts.create({ name: 'new', walletAddress });
    const caller = async (
      name: string,
      { account: { id: accountId }, wallet, agents }: Pick<Participant, 'agents'> & Who,
      agentId: string,
    ): Promise<FlatCaller> => {
      const keys = await services.keys.createKeySet({ id: accountId }, { name: 'bench', days: KEY_DAYS });
      const token = newBrowserSecret();
      await client.query(INSERT_SESSION, [accountId, createHash('sha256').update(token).digest()]);
      const own = Object.fromEntries(SCOPES.map((scope) => [scope, keys[scope]])) as Record<Scope, string>;
      const cookie = `tasktree_session=${token}`;
      return { name, accountId, agentId, ownAgentId: agents[0]?.id ?? null, wallet, keys: own, cookie };
    };
    const callers = [
      await caller('whale buyer', buyer, WHALE_AGENT),
      { ...(await caller('whale worker', worker, WHALE_AGENT)), ownAgentId: WHALE_AGENT },
      { ...(await caller('owner of many', owner, FIRST_OF_OWNER)), ownAgentId: FIRST_OF_OWNER },
      { ...(await caller('ordinary', ordinary, ORDINARY_AGENT)), ownAgentId: ORDINARY_AGENT },
      await caller('begun', begun, ORDINARY_AGENT),
      await caller('new', { account: { id: nobody }, wallet: null, agents: [] }, ORDINARY_AGENT),
    ];
    return { people: { ...places, ordinary: ordinary.account.id }, callers };
  } finally {
    live.close();
    await services.close();
  }
}

/** The part of a participant that a caller is made of. */
interface Who {
  account: { id: string };
  wallet: Wallet | null;
}
