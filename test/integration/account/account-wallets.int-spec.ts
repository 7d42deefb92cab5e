import { ZeroAddress } from 'ethers';
import type { Request, Response } from 'express';
import pg from 'pg';
import { claimWallet } from '../../../src/modules/agents/agent-wallets.js';
import { Participants } from '../../../src/modules/escrow/publication/participants.js';
import { checkIndependence, holdsArbiter } from '../../../src/modules/quotes/offer-checks/hiring-independence.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { SignInSweeper } from '../../../src/modules/sign-in/sign-in.sweeper.js';
import { WalletSessions } from '../../../src/modules/sign-in/wallet-sessions.js';
import { MarketRows } from '../../support/market-rows.js';
import { randomWallet } from '../../support/random-wallet.js';
import { SignInApp } from '../../support/sign-in-app.js';

let app: SignInApp;
let rows: MarketRows;

beforeAll(async () => {
  app = await SignInApp.start();
  rows = new MarketRows(app.dataSource);
});

afterAll(() => app?.close());

const newWallet = () => randomWallet().address;
const keyOf = (address: string) => ({ address, chainId: 0 });
/** An account that has signed in for the first time, and its wallet. */
const newcomer = async () => {
  const address = newWallet();
  const account = await app.wallets.signIn(keyOf(address), null);
  return { id: account.id, address };
};
const walletsOf = async (id: string) => (await app.wallets.list(id)).map(({ address }) => address);

describe('the first sign-in of a wallet', () => {
  it('makes an account that is named after it and that it signs for', async () => {
    const { auditId } = app.browser();
    const proof = keyOf(newWallet());
    const account = await app.wallets.signIn(proof, auditId);
    const name = `${proof.address.slice(0, 6)}…${proof.address.slice(-4)}`;
    expect(account).toMatchObject({ name, walletAddress: proof.address, status: 'active' });
    const linkedAt = expect.any(Date);
    expect(await app.wallets.list(account.id)).toEqual([{ ...proof, linkedAt, signs: true, unlinkAt: null }]);
    const detail = { wallet: proof.address, chain_id: 0 };
    expect(await app.audited(auditId)).toEqual([{ event: 'wallet_linked', account_id: account.id, detail }]);
  });

  it('makes one account, however many come at once', async () => {
    const proof = keyOf(newWallet());
    const accounts = await Promise.all(Array.from({ length: 10 }, () => app.wallets.signIn(proof, null)));
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
    expect(await walletsOf(accounts[0]!.id)).toEqual([proof.address]);
  });

  it('finds the account that an operator made for the wallet, and is its proof', async () => {
    const address = newWallet();
    const made = await app.accounts.create({ name: 'Ada', walletAddress: address });
    const named = { address, chainId: 0, linkedAt: null, signs: true, unlinkAt: null };
    expect(await app.wallets.list(made.id)).toEqual([named]);
    expect((await app.wallets.signIn(keyOf(address), null)).id).toBe(made.id);
    expect(await app.wallets.list(made.id)).toMatchObject([{ address, linkedAt: expect.any(Date) }]);
  });

  it('is no matter of agents that others published with the wallet', async () => {
    const address = newWallet();
    const other = await rows.account('Claims much');
    await rows.agent(other, address);
    expect((await app.wallets.signIn(keyOf(address), null)).id).not.toBe(other);
  });

  it('knows a contract wallet by its chain too', async () => {
    const proof = { address: newWallet(), chainId: 31337 };
    const { id } = await app.wallets.signIn(proof, null);
    expect(await app.wallets.list(id)).toMatchObject([{ ...proof, signs: true }]);
    expect((await app.wallets.signIn(keyOf(proof.address), null)).id).toBe(id);
  });
});

describe('a suspended account', () => {
  it('is not signed in to, by none of its wallets, and gains none', async () => {
    const { id, address } = await newcomer();
    const second = newWallet();
    await app.wallets.link(id, keyOf(second), null);
    await app.accounts.suspend(id, 'req-suspend');
    const suspension = { event: 'account_suspended', account_id: id, detail: {} };
    expect(await app.audited('req-suspend')).toEqual([suspension]);
    for (const wallet of [address, second]) {
      const { auditId } = app.browser();
      await expect(app.wallets.signIn(keyOf(wallet), auditId)).rejects.toMatchObject({ code: 'account_suspended' });
      const detail = { reason: 'account_suspended', wallet };
      expect(await app.audited(auditId)).toEqual([{ event: 'session_refused', account_id: id, detail }]);
    }
    await expect(app.wallets.link(id, keyOf(newWallet()), null)).rejects.toMatchObject({ code: 'account_suspended' });
  });
});

describe('linking', () => {
  it('adds a wallet that signs in to the account and does not sign for it', async () => {
    const { id, address } = await newcomer();
    const { auditId } = app.browser();
    const second = newWallet();
    await app.wallets.link(id, keyOf(second), auditId);
    await app.wallets.link(id, keyOf(second), auditId);
    expect(await app.wallets.list(id)).toMatchObject([
      { address, signs: true },
      { address: second, signs: false },
    ]);
    expect((await app.wallets.signIn(keyOf(second), null)).id).toBe(id);
    expect((await app.audited(auditId)).map(({ event }) => event)).toEqual(['wallet_linked']);
  });

  it("never takes another account's wallet, proved or named by an operator", async () => {
    const [one, other] = [await newcomer(), await newcomer()];
    const named = newWallet();
    await app.accounts.create({ name: 'Ada', walletAddress: named });
    for (const wallet of [other.address, named]) {
      const { auditId } = app.browser();
      await expect(app.wallets.link(one.id, keyOf(wallet), auditId)).rejects.toMatchObject({ code: 'state_conflict' });
      expect(await app.audited(auditId)).toMatchObject([{ event: 'session_refused', account_id: one.id }]);
    }
    expect(await walletsOf(one.id)).toEqual([one.address]);
  });

  it('gives a wallet that two accounts want at once to one of them', async () => {
    const accounts = [await newcomer(), await newcomer(), await newcomer()];
    const wallet = newWallet();
    const outcomes = await Promise.allSettled(accounts.map(({ id }) => app.wallets.link(id, keyOf(wallet), null)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const owners = await Promise.all(accounts.map(async ({ id }) => (await walletsOf(id)).includes(wallet)));
    expect(owners.filter(Boolean)).toHaveLength(1);
  });

  it('ends at twenty wallets', async () => {
    const { id } = await newcomer();
    for (let count = 1; count < 20; count += 1) await app.wallets.link(id, keyOf(newWallet()), null);
    await expect(app.wallets.link(id, keyOf(newWallet()), null)).rejects.toMatchObject({ code: 'state_conflict' });
    expect(await walletsOf(id)).toHaveLength(20);
  });

  it('keeps an operator from naming the wallet for another account', async () => {
    const { address, id } = await newcomer();
    const second = newWallet();
    await app.wallets.link(id, keyOf(second), null);
    for (const walletAddress of [address, second]) {
      await expect(app.accounts.create({ name: 'Bob', walletAddress })).rejects.toMatchObject({
        code: 'state_conflict',
      });
    }
  });
});

describe('unlinking', () => {
  const DAY_MS = 24 * 3_600_000;
  const start = (accountId: string, walletAddress: string) =>
    app.sessions.start({ accountId, walletAddress, userAgent: 'test', requestId: null });
  const eventsOf = async (id: string): Promise<string[]> => {
    const found: { event: string }[] = await app.dataSource.query(
      'SELECT event FROM audit_events WHERE account_id = $1 ORDER BY id',
      [id],
    );
    return found.map(({ event }) => event);
  };
  /** An account with a second wallet, which is about to be removed. */
  const leaver = async () => {
    const { id, address } = await newcomer();
    const second = newWallet();
    await app.wallets.link(id, keyOf(second), null);
    const goesAt = await app.removals.request(id, second.toLowerCase(), null);
    return { id, address, second, goesAt };
  };
  afterEach(() => {
    app.clock.aheadMs = 0;
  });

  it('takes a wallet away after a day, and ends the sessions that it signed in', async () => {
    const { id, address, second, goesAt } = await leaver();
    expect(Math.abs(goesAt.getTime() - Date.now() - DAY_MS)).toBeLessThan(60_000);
    expect(await app.removals.leaving(id)).toEqual({ going: [{ address: second, unlinkAt: goesAt }], gone: [] });
    app.clock.aheadMs = DAY_MS - 60_000;
    expect(await app.get(SignInSweeper).sweep()).toBeGreaterThanOrEqual(0);
    expect((await app.wallets.signIn(keyOf(second), null)).id).toBe(id);
    const [kept, ended] = [await start(id, address), await start(id, second)];
    app.clock.aheadMs = DAY_MS + 1_000;
    await app.get(SignInSweeper).sweep();
    expect(await walletsOf(id)).toEqual([address]);
    expect(await app.sessions.find(ended.token)).toBeNull();
    expect(await app.sessions.find(kept.token)).not.toBeNull();
    expect((await eventsOf(id)).slice(-2)).toEqual(['session_ended', 'wallet_unlinked']);
    expect((await app.wallets.signIn(keyOf(second), null)).id).not.toBe(id);
  });

  it('takes a wallet away with all its proofs, also one that came within the day', async () => {
    const { id, address, second } = await leaver();
    expect((await app.wallets.signIn({ address: second, chainId: 8453 }, null)).id).toBe(id);
    app.clock.aheadMs = DAY_MS + 1_000;
    await app.get(SignInSweeper).sweep();
    expect(await walletsOf(id)).toEqual([address]);
    expect((await app.wallets.signIn(keyOf(second), null)).id).not.toBe(id);
  });

  it('leaves no session of a sign-in that it comes into', async () => {
    const { id, second } = await leaver();
    const signIn = app.wallets.signIn.bind(app.wallets);
    const between = jest.spyOn(app.wallets, 'signIn').mockImplementationOnce(async (proof, auditId) => {
      const account = await signIn(proof, auditId);
      app.clock.aheadMs = DAY_MS + 1_000;
      await app.get(SignInSweeper).sweep();
      return account;
    });
    const request = { context: { requestId: 'req_1' }, headers: {} } as unknown as Request;
    const started = app.get(WalletSessions).start(request, {} as Response, keyOf(second));
    await expect(started).rejects.toMatchObject({ code: 'state_conflict' });
    between.mockRestore();
    const live = 'SELECT FROM browser_sessions WHERE account_id = $1 AND wallet_address = $2 AND ended_at IS NULL';
    expect(await app.dataSource.query(live, [id, second])).toEqual([]);
  });

  it('is done by the sign-in that comes after the day, when no sweeper was there', async () => {
    const { id, second } = await leaver();
    app.clock.aheadMs = DAY_MS + 1_000;
    expect((await app.wallets.signIn(keyOf(second), null)).id).not.toBe(id);
    await expect(app.removals.undo(id, second, null)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is done for all others when that of one cannot be, and the rest of the round as well', async () => {
    const [stuck, other] = [await leaver(), await leaver()];
    await app.dataSource.query(`
      CREATE FUNCTION keep_wallet() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'it stays'; END $$;
      CREATE TRIGGER keep_wallet BEFORE DELETE ON account_wallets
        FOR EACH ROW WHEN (OLD.address = '${stuck.second}') EXECUTE FUNCTION keep_wallet()`);
    app.clock.aheadMs = DAY_MS + 1_000;
    const kept = async (): Promise<number> => {
      const rows = 'SELECT FROM account_wallets WHERE address = ANY($1)';
      return (await app.dataSource.query<unknown[]>(rows, [[stuck.second, other.second]])).length;
    };
    const error: unknown = await app
      .get(SignInSweeper)
      .sweep()
      .catch((reason: unknown) => reason);
    const left = await kept();
    await app.dataSource.query('DROP TRIGGER keep_wallet ON account_wallets');
    expect([String(error), left]).toEqual([expect.stringContaining('it stays'), 1]);
    expect(await eventsOf(other.id)).toContain('wallet_unlinked');
    const over = 'SELECT FROM wallet_challenges WHERE expires_at < $1';
    expect(await app.dataSource.query(over, [new Date(app.clock.wallMs() - 3_600_000)])).toEqual([]);
    await app.get(SignInSweeper).sweep();
    expect(await kept()).toBe(0);
  });

  it('is over on every page as soon as the day is, and no page takes the wallet away: that is a read', async () => {
    const { id, address, second } = await leaver();
    app.clock.aheadMs = DAY_MS + 1_000;
    expect(await app.removals.leaving(id)).toEqual({ going: [], gone: [second] });
    expect(await walletsOf(id)).toEqual([address]);
    const kept = await app.dataSource.query('SELECT address FROM account_wallets WHERE account_id = $1', [id]);
    expect(kept).toHaveLength(2);
    await app.get(SignInSweeper).sweep();
    expect(await eventsOf(id)).toContain('wallet_unlinked');
  });

  it('can be undone within the day, and asked again it does not begin anew', async () => {
    const { id, second, goesAt } = await leaver();
    app.clock.aheadMs = DAY_MS / 2;
    expect(await app.removals.request(id, second, null)).toEqual(goesAt);
    await app.removals.undo(id, second, null);
    await app.removals.undo(id, second, null);
    app.clock.aheadMs = 2 * DAY_MS;
    await app.get(SignInSweeper).sweep();
    expect(await walletsOf(id)).toContain(second);
    expect((await eventsOf(id)).filter((event) => event.startsWith('wallet_unlink'))).toEqual([
      'wallet_unlink_requested',
      'wallet_unlink_undone',
    ]);
  });

  it('goes on for each of several wallets by itself, and when another wallet signs meanwhile', async () => {
    const { id, address, second } = await leaver();
    const third = newWallet();
    await app.wallets.link(id, keyOf(third), null);
    await app.wallets.useForSigning(id, third, null);
    app.clock.aheadMs = DAY_MS / 2;
    await app.removals.request(id, address, null);
    app.clock.aheadMs = DAY_MS + 1_000;
    await app.get(SignInSweeper).sweep();
    expect((await walletsOf(id)).toSorted()).toEqual([address, third].toSorted());
    expect((await eventsOf(id)).filter((event) => event === 'wallet_unlinked')).toHaveLength(1);
    app.clock.aheadMs = 2 * DAY_MS;
    await app.get(SignInSweeper).sweep();
    expect(await walletsOf(id)).toEqual([third]);
    expect(second).not.toBe(third);
  });

  it('keeps the wallet from another account until it is over, and is undone by linking it anew here', async () => {
    const { id, second } = await leaver();
    const other = await newcomer();
    await expect(app.wallets.link(other.id, keyOf(second), null)).rejects.toMatchObject({ code: 'state_conflict' });
    await app.wallets.link(id, keyOf(second), null);
    expect((await app.removals.leaving(id)).going).toEqual([]);
    await app.removals.request(id, second, null);
    app.clock.aheadMs = DAY_MS + 1_000;
    await app.wallets.assertFree(other.id, keyOf(second), null);
    await app.wallets.link(other.id, keyOf(second), null);
    expect(await walletsOf(other.id)).toContain(second);
  });

  it('is not for the wallet that signs, and a wallet that goes cannot become the one', async () => {
    const { id, address, second } = await leaver();
    await expect(app.removals.request(id, address, null)).rejects.toMatchObject({ code: 'state_conflict' });
    await expect(app.wallets.useForSigning(id, second, null)).rejects.toMatchObject({ code: 'state_conflict' });
    await app.removals.undo(id, second, null);
    await Promise.allSettled([app.wallets.useForSigning(id, second, null), app.removals.request(id, second, null)]);
    app.clock.aheadMs = 2 * DAY_MS;
    await app.get(SignInSweeper).sweep();
    const wallets = await app.wallets.list(id);
    expect(wallets.filter(({ signs }) => signs)).toHaveLength(1);
    expect(wallets[0]?.linkedAt).not.toBeNull();
  });

  it('is not for the last wallet of an account that has no signing wallet', async () => {
    const { id, address, second } = await leaver();
    await app.dataSource.query('UPDATE accounts SET wallet_address = NULL WHERE id = $1', [id]);
    await expect(app.removals.request(id, address, null)).rejects.toMatchObject({ code: 'state_conflict' });
    expect(second).not.toBe(address);
  });

  it('is for wallets of the account alone', async () => {
    const [one, other] = [await newcomer(), await newcomer()];
    for (const wallet of [other.address, newWallet(), 'wallet', '', `${one.address}\u0000`]) {
      await expect(app.removals.request(one.id, wallet, null)).rejects.toMatchObject({ code: 'not_found' });
      await expect(app.wallets.useForSigning(one.id, wallet, null)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await walletsOf(other.id)).toEqual([other.address]);
  });
});

describe('the wallet that signs', () => {
  it('is another one when the account says so, and every process hears of it', async () => {
    const { id, address } = await newcomer();
    const second = newWallet();
    const { auditId } = app.browser();
    await app.wallets.link(id, keyOf(second), null);
    const heard = await heardBy(async () => app.wallets.useForSigning(id, second, auditId));
    expect(heard).toEqual([id]);
    expect((await app.accounts.find(id)).walletAddress).toBe(second);
    const detail = { from: address, to: second };
    expect(await app.audited(auditId)).toEqual([{ event: 'signing_wallet_changed', account_id: id, detail }]);
    expect(await heardBy(async () => app.wallets.useForSigning(id, second, auditId))).toEqual([]);
    expect(await app.audited(auditId)).toHaveLength(1);
  });
});

describe('a linked wallet in the market', () => {
  it("is free to the account's agents although another account named it first, and to nobody else", async () => {
    const [owner, other] = [await newcomer(), await newcomer()];
    const wallet = newWallet();
    const claim = ({ id, address }: typeof owner) =>
      app.dataSource.transaction((manager) => claimWallet(manager, { id, walletAddress: address }, wallet));
    await claim(other);
    await rows.agent(other.id, wallet);
    await expect(claim(owner)).rejects.toMatchObject({ code: 'wallet_mismatch' });
    await app.wallets.link(owner.id, keyOf(wallet), null);
    await claim(owner);
    await expect(claim(other)).rejects.toMatchObject({ code: 'wallet_mismatch' });
  });

  it('makes its account the arbiter whose agents cannot work for the task', async () => {
    const [worker, buyer] = [await newcomer(), await newcomer()];
    const arbiterWallet = newWallet();
    const task = await rows.task(buyer.id, { buyerWallet: buyer.address, arbiterWallet });
    const agent = { accountId: worker.id, walletAddress: worker.address };
    const transactions = new Transactions(app.dataSource);
    const check = () => checkIndependence(task, agent, [], holdsArbiter(transactions, worker.id, task.id));
    await check();
    await app.wallets.link(buyer.id, keyOf(arbiterWallet), null);
    await check();
    await app.wallets.signIn(keyOf(worker.address), null);
    await app.dataSource.query('UPDATE account_wallets SET account_id = $1 WHERE address = $2', [
      worker.id,
      arbiterWallet,
    ]);
    await expect(check()).rejects.toMatchObject({ code: 'state_conflict' });
  });

  it('makes its account the worker of a node that it is paid for', async () => {
    const [owner, other] = [await newcomer(), await newcomer()];
    const [linked, unknown] = [newWallet(), newWallet()];
    await app.wallets.link(owner.id, keyOf(linked), null);
    await rows.agent(other.id, linked);
    const agentId = await rows.agent(owner.id, linked);
    await rows.agent(other.id, unknown);
    const nodes = [owner.address, linked, unknown, ZeroAddress].map((worker, index) => ({
      taskId: 'task_none',
      path: BigInt(index + 1),
      worker: worker as `0x${string}`,
    }));
    const workers = await new Participants().workersOf(app.dataSource.manager, nodes);
    expect(Object.fromEntries(workers.get('task_none') ?? [])).toEqual({
      1: { agentId: null, accountId: owner.id },
      2: { agentId, accountId: owner.id },
      3: { agentId: null, accountId: null },
      4: { agentId: null, accountId: null },
    });
  });
});

/** Ids of the credentials that processes were notified of while `work` ran. */
async function heardBy(work: () => Promise<void>): Promise<(string | undefined)[]> {
  const client = new pg.Client({ connectionString: app.environment.databaseUrl });
  await client.connect();
  const heard: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => heard.push(payload));
  await client.query('LISTEN tasktree_credentials');
  await work();
  await client.query('SELECT 1');
  await client.end();
  return heard;
}
