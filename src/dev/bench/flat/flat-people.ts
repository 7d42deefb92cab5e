import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Scope, SCOPES } from '../../../modules/credentials/scope.js';
import { newBrowserSecret } from '../../../modules/accounts/sessions/browser-cookies.js';
import { SeedServices } from '../../sample-market/seeds/seed-services.js';
import { type TemporaryMarket, variablesOf } from '../../local-market/temporary-market.js';
import { FIRST_OF_OWNER, type FlatPeople, ORDINARY_AGENT, WHALE_AGENT } from './flat-data.sql.js';

const KEY_DAYS = 1;

/** Somebody whom the bench asks as, with what opens the API and the pages of the account. */
export interface FlatCaller {
  name: string;
  accountId: string;
  /** An agent of the account; for whoever has none, another's. */
  agentId: string;
  keys: Record<Scope, string>;
  /** `Cookie` of a browser that the account is signed in with. */
  cookie: string;
}

/** Who of the sample market is in the place to buy, to work and to own: on the chain they have what can be acted on. */
const PLACES = `SELECT
    (SELECT buyer_account_id FROM tasks WHERE status = 'delivered' ORDER BY id LIMIT 1) AS buyer,
    (SELECT worker_account_id FROM escrow_nodes WHERE state = 'rejected' ORDER BY id LIMIT 1) AS worker,
    (SELECT worker_account_id FROM escrow_nodes WHERE state = 'funded' AND allocated = 0 ORDER BY id LIMIT 1) AS owner`;

const SESSION = `INSERT INTO browser_sessions (id, token_hash, account_id, wallet_address, user_agent, created_at,
    last_seen_at, expires_at)
  SELECT 'sess_' || id, $2, id, '0x' || repeat('1', 40), 'bench', now(), now(), now() + interval '8 hours'
  FROM accounts WHERE id = $1`;

/** Those who have most, who are people of the sample market, an ordinary and a new account. */
export async function flatPeople(
  market: TemporaryMarket,
  client: pg.Client,
): Promise<{ people: FlatPeople; callers: FlatCaller[] }> {
  const { rows } = await client.query<{ buyer: string; worker: string; owner: string }>(PLACES);
  const [places] = rows;
  if (!places) throw new Error('The sample market has nobody');
  const backstage = await SeedServices.open(variablesOf(market));
  try {
    const made = async (name: string): Promise<string> => {
      const walletAddress = `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
      return (await backstage.accounts.create({ name, walletAddress })).id;
    };
    const people = { ...places, ordinary: await made('ordinary') };
    const caller = async (name: string, accountId: string, agentId: string): Promise<FlatCaller> => {
      const keys = await backstage.keys.createKeySet({ id: accountId }, { name: 'bench', days: KEY_DAYS });
      const token = newBrowserSecret();
      await client.query(SESSION, [accountId, createHash('sha256').update(token).digest()]);
      const own = Object.fromEntries(SCOPES.map((scope) => [scope, keys[scope]])) as Record<Scope, string>;
      return { name, accountId, agentId, keys: own, cookie: `tasktree_session=${token}` };
    };
    const callers = [
      await caller('whale buyer', people.buyer, WHALE_AGENT),
      await caller('whale worker', people.worker, WHALE_AGENT),
      await caller('owner of many', people.owner, FIRST_OF_OWNER),
      await caller('ordinary', people.ordinary, ORDINARY_AGENT),
      await caller('new', await made('new'), ORDINARY_AGENT),
    ];
    return { people, callers };
  } finally {
    await backstage.close();
  }
}
