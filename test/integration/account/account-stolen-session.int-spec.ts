import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { AccountSite } from '../../support/oauth/account-site.js';
import { PlainClient } from '../../support/oauth/oauth-client.js';
import { Person, shown } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';

let site: AccountSite;

beforeAll(async () => {
  site = await AccountSite.start({ chain: true });
});
afterAll(() => site?.close());

/** A person who has signed in, and a thief who has their cookies and another wallet. */
async function robbed() {
  const { person, accountId } = await site.signedIn();
  const second = randomWallet();
  await site.oauth.rows(
    `INSERT INTO account_wallets (address, chain_id, account_id, linked_at) VALUES ($1, 0, $2, now())`,
    [second.address, accountId],
  );
  const thief = new Person(site.oauth.url, randomWallet(), person.jar.copy());
  const wallets = async () =>
    (
      await site.oauth.rows<{ address: string }>('SELECT address FROM account_wallets WHERE account_id = $1', [
        accountId,
      ])
    ).map(({ address }) => address);
  return { person, accountId, second, thief, wallets };
}

/** Signs with the thief's own wallet everything that the pages ask for, as long as they ask. */
async function insist(thief: Person, page: Awaited<ReturnType<AccountSite['open']>>) {
  let current = page;
  for (let step = 0; step < 3 && current.html.includes('name="signature"'); step += 1) {
    if (!current.html.includes('wants you to sign in')) break;
    current = shown(await thief.answer(current, await thief.sign(current.message)));
  }
  return current;
}

describe('with a stolen session and without the wallet', () => {
  it('no wallet is linked', async () => {
    const { thief, person, second, wallets } = await robbed();
    const page = await site.open(thief, '/account/wallets');
    await insist(thief, await thief.challenge(page));
    expect((await wallets()).toSorted()).toEqual([person.wallet.address, second.address].toSorted());
  });

  it('no other wallet signs', async () => {
    const { thief, person, accountId } = await robbed();
    await insist(thief, await site.send(thief, '/account/wallets', '/wallets/use'));
    expect((await site.oauth.get(AccountsService).find(accountId)).walletAddress).toBe(person.wallet.address);
  });

  it('no wallet is unlinked, nor about to be', async () => {
    const { thief, second, wallets } = await robbed();
    const page = await insist(thief, await site.send(thief, '/account/wallets', '/wallets/unlink'));
    expect(await wallets()).toContain(second.address);
    expect((await site.open(thief, '/account')).text).not.toContain('will be removed');
    expect(page.text).not.toContain('will be removed');
  });

  it('no key is made, alone or in a set', async () => {
    const { thief, accountId } = await robbed();
    for (const form of ['/account/keys', '/account/keys/create']) {
      const page = await site.send(thief, '/account/keys', form, { name: 'thief' });
      expect((await insist(thief, page)).html).not.toContain('mkt_test_');
    }
    expect(await site.keysOf(accountId)).toEqual([]);
  });

  it('no key is replaced by one that the thief would see', async () => {
    const { thief, accountId } = await robbed();
    await site.oauth.get(ApiKeysService).create(accountId, { scope: 'buyer', name: 'bot' });
    const [key] = await site.keysOf(accountId);
    const page = await site.send(thief, '/account/keys', `${key!.id}/roll`);
    await insist(thief, page);
    expect(await site.keysOf(accountId)).toHaveLength(1);
  });

  it('no application is connected, on the page or by a page that was opened before', async () => {
    const { thief, accountId } = await robbed();
    const client = await PlainClient.register(site.oauth.url, 'http://127.0.0.1:61234/callback', {
      client_name: 'Thief',
    });
    const early = shown(await thief.open(client.authorization('read buyer').url));
    expect(early.has('/consent')).toBe(true);
    // Ten minutes after the wallet's signature, the session alone allows nothing here.
    await site.oauth.rows(
      `UPDATE browser_sessions SET created_at = created_at - interval '10 minutes' WHERE account_id = $1`,
      [accountId],
    );
    const late = shown(await thief.open(client.authorization('read buyer').url));
    expect([late.has('/consent'), late.has('/challenge')]).toEqual([false, true]);
    const refused = shown(await thief.allow(early));
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Sign once more')]);
    expect(await site.oauth.rows('SELECT 1 FROM oauth_grants WHERE account_id = $1', [accountId])).toEqual([]);
  });

  it('the owner still takes things back with one click', async () => {
    const { person, accountId } = await robbed();
    await site.oauth.get(ApiKeysService).create(accountId, { scope: 'buyer', name: 'bot' });
    const [key] = await site.keysOf(accountId);
    await site.send(person, '/account/keys', `${key!.id}/revoke`);
    expect((await site.keysOf(accountId))[0]!.revokedAt).not.toBeNull();
  });
});
