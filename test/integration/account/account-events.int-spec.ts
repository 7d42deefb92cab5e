import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { SignInSweeper } from '../../../src/modules/sign-in/sign-in.sweeper.js';
import { EVENT_TYPES } from '../../../src/modules/events/catalogue/event-types.js';
import { eventually } from '../../support/eventually.js';
import { AccountSite } from '../../support/oauth/account-site.js';
import type { Person } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';
import { answersWithoutPages, OAuthDriver } from '../oauth/oauth-driver.js';

/** Events of who may act for an account, provoked as people do it, and read over HTTP. */
let site: AccountSite;
/** Types that a test of this file has provoked and read. */
const provoked = new Set<string>();

beforeAll(async () => {
  site = await AccountSite.start({ chain: true, prepare: answersWithoutPages });
});
afterAll(() => site?.close());

interface Reader {
  readonly person: Person;
  readonly accountId: string;
  readonly key: string;
}

/** A person who has signed in, and a key to read with. */
async function reader(): Promise<Reader> {
  const { person, accountId } = await site.signedIn();
  const { secret } = await site.oauth.get(ApiKeysService).create(accountId, { scope: 'read', name: 'reader' });
  return { person, accountId, key: secret };
}

/** The account's events of these types, once there are that many. */
async function told({ key }: Pick<Reader, 'key'>, types: string, count: number): Promise<any[]> {
  let events: any[] = [];
  await eventually(async () => {
    const answer = await site.call(`/v1/events?types=${types}&limit=100`, { 'X-Api-Key': key });
    expect(answer.status).toBe(200);
    ({ data: events } = (await answer.json()) as { data: any[] });
    return events.length >= count;
  }).catch(() => undefined);
  expect(events).toHaveLength(count);
  for (const { type } of events) provoked.add(type);
  return events;
}

it('a wallet that is linked and one that is removed are told to the account alone', async () => {
  const me = await reader();
  const stranger = await reader();
  const [first] = await told(me, 'wallet.linked', 1);
  expect(first).toMatchObject({
    subject: { kind: 'wallet', id: me.person.wallet.address },
    data: {},
    links: { resource: '/account/wallets' },
  });
  const second = randomWallet();
  await site.link(me.person, second);
  expect((await told(me, 'wallet.linked', 2)).map(({ subject }) => subject.id)).toEqual([
    me.person.wallet.address,
    second.address,
  ]);
  await site.confirm(me.person, '/account/wallets', '/wallets/unlink');
  // Nothing has left yet.
  await told(me, 'wallet.unlinked', 0);
  await site.oauth.rows(
    'UPDATE account_wallets SET unlink_at = now() WHERE unlink_at IS NOT NULL AND account_id = $1',
    [me.accountId],
  );
  await site.oauth.get(SignInSweeper).sweep();
  await site.oauth.get(SignInSweeper).sweep();
  expect(await told(me, 'wallet.unlinked', 1)).toMatchObject([{ subject: { kind: 'wallet', id: second.address } }]);
  const unseen = await site.call(`/v1/events/${first.id}`, { 'X-Api-Key': stranger.key });
  expect(unseen.status).toBe(404);
  await told(stranger, 'wallet.linked', 1);
});

it('keys that are made, rolled and revoked are told with what they may do, and never with a name or secret', async () => {
  const me = await reader();
  const keys = site.oauth.get(ApiKeysService);
  await site.confirm(me.person, '/account/keys', '/account/keys', { name: 'My bot', days: '30' });
  const created = await told(me, 'api_key.created', 5);
  expect(created.map(({ data }) => data.scopes)).toEqual([['read'], ['read'], ['buyer'], ['worker'], ['agent-owner']]);
  const made = await site.keysOf(me.accountId);
  expect(created.map(({ subject }) => subject)).toEqual(made.map(({ id }) => ({ kind: 'api_key', id })));
  expect(created[4].data.expires_at).toBe(made[4]!.expiresAt.toISOString());
  const rolled = await keys.rollOwn(me.accountId, made[2]!.id, 1);
  const [, , , , , replacement] = await told(me, 'api_key.created', 6);
  expect(replacement).toMatchObject({ subject: { id: rolled.key.id }, data: { replaces: made[2]!.id } });
  const lasts = Date.parse(replacement.data.replaced_until) - Date.parse(replacement.timestamp);
  expect(lasts).toBe(3_600_000);
  await keys.revokeOwn(me.accountId, made[3]!.id);
  await keys.revokeOwn(me.accountId, made[3]!.id);
  expect(await told(me, 'api_key.revoked', 1)).toMatchObject([
    {
      subject: { kind: 'api_key', id: made[3]!.id },
      data: { scopes: ['worker'] },
      links: { resource: '/account/keys' },
    },
  ]);
  const all = JSON.stringify(await told(me, 'api_key.created,api_key.revoked', 7));
  expect(all).not.toMatch(/My bot|reader|mkt_/);
});

it('an application that is allowed and one that is revoked are told without saying which it is', async () => {
  const me = await reader();
  const { client_id: clientId } = await OAuthDriver.register(site.oauth);
  const driver = new OAuthDriver(site.oauth, clientId, me.accountId);
  const tokens = await driver.exchange(await driver.code());
  expect(tokens.status).toBe(200);
  const [connected] = await told(me, 'app.connected', 1);
  const [grant] = await site.oauth.rows<{ id: string; expires_at: Date }>(
    'SELECT id, expires_at FROM oauth_grants WHERE account_id = $1',
    [me.accountId],
  );
  expect(connected).toMatchObject({
    subject: { kind: 'app', id: grant!.id },
    data: { scopes: ['read', 'buyer'], expires_at: grant!.expires_at.toISOString() },
    links: { resource: '/account/apps' },
  });
  expect(JSON.stringify(connected)).not.toContain(clientId);
  await site.send(me.person, '/account/apps', '/apps/revoke');
  expect(await told(me, 'app.revoked', 1)).toMatchObject([{ subject: { kind: 'app', id: grant!.id } }]);
  // A code that comes again ends its grant too, and tells the account so.
  const second = new OAuthDriver(site.oauth, clientId, me.accountId);
  const code = await second.code();
  expect((await second.exchange(code)).status).toBe(200);
  expect((await second.exchange(code)).status).toBe(400);
  const [, ended] = await told(me, 'app.revoked', 2);
  expect(ended.subject.id).not.toBe(grant!.id);
});

it('no type of access is in the catalogue that nothing here has provoked', () => {
  const here = EVENT_TYPES.filter((type) => /^(?:app|api_key|wallet)\./.test(type));
  expect([...provoked].sort()).toEqual(here.toSorted());
});
