import { randomBytes } from 'node:crypto';
import { concat, getCreate2Address, hexlify, keccak256 } from 'ethers';
import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { contractWalletCode } from '../../support/contract-wallet.js';
import { AccountSite } from '../../support/oauth/account-site.js';
import { type FormValues, Person, proofForm, shown } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';

const CREATE2_FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const PAGES = ['', '/apps', '/keys', '/wallets', '/sessions', '/receipts', '/activity'].map(
  (page) => `/account${page}`,
);

let site: AccountSite;

beforeAll(async () => {
  site = await AccountSite.start({ chain: true });
});
afterAll(() => site?.close());

/** An account with two wallets, of which the first is used for signing. */
async function withTwoWallets() {
  const { person, accountId } = await site.signedIn();
  const second = randomWallet();
  await site.link(person, second);
  const other = new Person(site.oauth.url, second);
  await other.signInToAccount();
  return { person, accountId, second, other };
}

const signingWallet = async (id: string) => (await site.oauth.get(AccountsService).find(id)).walletAddress;

describe('the message to confirm an act', () => {
  it('names exactly what is done, and is good for nothing else', async () => {
    const { person, accountId } = await site.signedIn();
    const asked = await site.send(person, '/account/keys', '/create', { name: 'My bot', scope: 'read', days: '30' });
    expect(asked.message).toContain("create an API key of scope read named 'My bot' that works for 30 days");
    expect(asked.message).toContain(person.wallet.address);
    const signature = await person.sign(asked.message);
    const changes: FormValues[] = [{ name: 'My böt' }, { scope: 'buyer' }, { days: '31' }, { cidrs: '10.0.0.0/8' }];
    for (const change of changes) {
      const answer = shown(await person.answer(asked, signature, change));
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('The signature was not accepted')]);
    }
    expect(await site.keysOf(accountId)).toEqual([]);
    expect((await site.eventsOf(accountId)).filter((event) => event === 'session_refused')).toHaveLength(4);
    expect(shown(await person.answer(asked, signature)).html).toContain('mkt_test_r_');
    expect(await site.keysOf(accountId)).toMatchObject([{ name: 'My bot', scope: 'read' }]);
  });

  it('is good once, for five minutes, and in the session that asked', async () => {
    const { person, accountId, second } = await withTwoWallets();
    const asked = await site.send(person, '/account/wallets', '/wallets/use');
    const signature = await person.sign(asked.message);
    const elsewhere = new Person(site.oauth.url, person.wallet);
    await elsewhere.signInToAccount();
    const theirs = await site.send(elsewhere, '/account/wallets', '/wallets/use');
    const challenge_id = proofForm(asked).fields.find(({ name }) => name === 'challenge_id')!.value;
    expect(shown(await elsewhere.answer(theirs, signature, { challenge_id })).status).toBe(400);
    await site.oauth.rows(`UPDATE wallet_challenges SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      challenge_id,
    ]);
    expect(shown(await person.answer(asked, signature)).status).toBe(400);
    expect(await signingWallet(accountId)).toBe(person.wallet.address);

    const again = await site.send(person, '/account/wallets', '/wallets/use');
    const fresh = await person.sign(again.message);
    expect(shown(await person.answer(again, fresh)).status).toBe(200);
    expect(await signingWallet(accountId)).toBe(second.address);
    // The first wallet is used again, and the signature that was already used does nothing.
    await site.confirm(person, '/account/wallets', '/wallets/use', { address: person.wallet.address }, second);
    expect(shown(await person.answer(again, fresh)).status).toBe(400);
    expect(await signingWallet(accountId)).toBe(person.wallet.address);
  });

  it('is for the wallet that signs now: one that signed before, or that only signs in, cannot confirm', async () => {
    const { person, accountId, second, other } = await withTwoWallets();
    const early = await site.send(person, '/account/keys', '/create', { name: 'early', scope: 'read' });
    const signature = await person.sign(early.message);
    const byOther = await site.send(other, '/account/keys', '/create', { name: 'x', scope: 'read' });
    expect(byOther.message).toContain(person.wallet.address);
    expect(shown(await other.answer(byOther, await other.sign(byOther.message))).status).toBe(400);
    await site.confirm(person, '/account/wallets', '/wallets/use');
    expect(await signingWallet(accountId)).toBe(second.address);
    const late = shown(await person.answer(early, signature));
    expect([late.status, late.text]).toEqual([400, expect.stringContaining('cannot confirm this any more')]);
    expect(await site.keysOf(accountId)).toEqual([]);
  });

  it('is asked of a contract wallet too (ERC-1271)', async () => {
    const owner = randomWallet();
    const salt = hexlify(randomBytes(32));
    const code = contractWalletCode(owner.address);
    const address = getCreate2Address(CREATE2_FACTORY, salt, keccak256(code));
    await site.oauth.chain.send(CREATE2_FACTORY, concat([salt, code]));
    const wallet = { address, signMessage: (message: string) => owner.signMessage(message) };
    const person = new Person(site.oauth.url, wallet);
    await person.signInToAccount();
    const thief = randomWallet();
    const refused = await site.confirm(person, '/account/keys', '/create', { name: 'c', scope: 'read' }, thief);
    expect([refused.status, refused.html.includes('mkt_test_')]).toEqual([400, false]);
    const made = await site.confirm(person, '/account/keys', '/create', { name: 'c', scope: 'read' });
    expect(made.html).toContain('mkt_test_r_');
    expect((await site.link(person, randomWallet())).text).toContain('The wallet is added.');
  });
});

describe('adding a wallet', () => {
  it('needs both signatures, for the same wallet and in the same session', async () => {
    const { person } = await site.signedIn();
    const { person: stranger, accountId: strangerId } = await site.signedIn();
    const [mine, theirs] = [randomWallet(), randomWallet()];
    const proved = await site.prove(person, mine);
    const foreign = await site.prove(stranger, theirs);
    const proof = proofForm(proved).fields.find(({ name }) => name === 'proof')!.value;
    const signature = await stranger.sign(foreign.message);
    expect(shown(await stranger.answer(foreign, signature, { proof })).status).toBe(400);
    const unproved = proofForm(foreign).fields.find(({ name }) => name === 'challenge_id')!.value;
    expect(shown(await stranger.answer(foreign, signature, { proof: unproved })).status).toBe(400);
    expect(await site.oauth.rows('SELECT 1 FROM account_wallets WHERE account_id = $1', [strangerId])).toHaveLength(1);
    expect(shown(await stranger.answer(foreign, signature)).text).toContain('The wallet is added.');
  });
});

describe('removing a wallet', () => {
  it('is told on every page with when and what, and is undone by the wallet itself in a session of its own', async () => {
    const { person, accountId, second, other } = await withTwoWallets();
    await site.confirm(person, '/account/wallets', '/wallets/unlink');
    for (const visitor of [person, other]) {
      for (const path of PAGES) {
        const { text } = await site.open(visitor, path);
        expect([path, text.replaceAll(' ', '')]).toEqual([
          path,
          expect.stringMatching(new RegExp(`Thewallet${second.address}willberemovedon\\d+\\w+\\d{4},\\d\\d:\\d\\dUTC`)),
        ]);
      }
    }
    const fresh = new Person(site.oauth.url, second);
    await fresh.signInToAccount();
    const kept = await site.confirm(fresh, '/account', '/wallets/keep');
    expect(kept.text).toContain('The wallet stays.');
    expect(kept.text).not.toContain('will be removed on');
    const events = await site.eventsOf(accountId);
    expect(events).toEqual(expect.arrayContaining(['wallet_unlink_requested', 'wallet_unlink_undone']));
  });

  it('is undone by the wallet that signs, and by no third one', async () => {
    const { person, second } = await withTwoWallets();
    const third = randomWallet();
    await site.link(person, third);
    const visitor = new Person(site.oauth.url, third);
    await visitor.signInToAccount();
    await site.confirm(person, '/account/wallets', '/wallets/unlink', { address: second.address });
    const refused = await site.confirm(visitor, '/account', '/wallets/keep');
    expect(refused.status).toBe(400);
    expect((await site.open(visitor, '/account')).text).toContain('will be removed on');
    // In its own session, the wallet that is about to be removed may still confirm that it stays.
    const asked = await site.send(visitor, '/account', '/wallets/keep', { by: second.address });
    expect(asked.message).toContain(`account:\n${second.address}`);
    const kept = await site.confirm(person, '/account', '/wallets/keep');
    expect(kept.text).toContain('The wallet stays.');
  });

  it('leaves the wallet that signs, which goes on to sign when another is removed', async () => {
    const { person, second, accountId } = await withTwoWallets();
    await site.confirm(person, '/account/wallets', '/wallets/unlink');
    const use = await site.send(person, '/account/wallets', '/wallets/keep', { address: second.address });
    expect(use.status).toBe(200);
    expect(await signingWallet(accountId)).toBe(person.wallet.address);
  });
});
