import { createHash } from 'node:crypto';
import { newBrowserSecret } from '../../../src/modules/accounts/sessions/browser-cookies.js';
import { SignInSweeper } from '../../../src/modules/sign-in/sign-in.sweeper.js';
import { randomWallet } from '../../support/random-wallet.js';
import { SignInApp } from '../../support/sign-in-app.js';

const HOUR_MS = 3_600_000;

let app: SignInApp;

beforeAll(async () => {
  app = await SignInApp.start();
});

afterAll(() => app?.close());

afterEach(() => {
  app.clock.aheadMs = 0;
});

const newcomer = () => app.signIn(randomWallet());
const start = (accountId: string, own: { userAgent?: string; requestId?: string } = {}) =>
  app.sessions.start({
    accountId,
    walletAddress: randomWallet().address,
    userAgent: 'test',
    requestId: null,
    ...own,
  });

describe('a session', () => {
  it('is found by its token and by nothing else, and is in the record', async () => {
    const { id } = await newcomer();
    const { auditId } = app.browser();
    const { token, session } = await start(id, { requestId: auditId ?? '' });
    expect(await app.sessions.find(token)).toMatchObject({ id: session.id, accountId: id });
    const hash = createHash('sha256').update(token).digest();
    for (const other of [null, '', newBrowserSecret(), session.id, hash.toString('hex'), hash.toString('base64url')]) {
      expect(await app.sessions.find(other)).toBeNull();
    }
    const [row] = await app.dataSource.query('SELECT credential_id, detail FROM audit_events WHERE request_id = $1', [
      auditId,
    ]);
    expect(row).toEqual({ credential_id: session.id, detail: { wallet: session.walletAddress } });
  });

  it('is kept as the hash of 256 random bits, which no log or table shows', async () => {
    const { id } = await newcomer();
    const { token, session } = await start(id);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const [{ rows }] = await app.dataSource.query(
      `SELECT (SELECT s::text FROM browser_sessions s WHERE id = $1) || (SELECT string_agg(a::text, '') FROM audit_events a) AS rows`,
      [session.id],
    );
    expect(rows).toContain(createHash('sha256').update(token).digest('hex'));
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('lives eight hours, however much it is used', async () => {
    const { id } = await newcomer();
    const { token, session } = await start(id);
    expect(session.expiresAt.getTime() - session.createdAt.getTime()).toBe(8 * HOUR_MS);
    app.clock.aheadMs = 8 * HOUR_MS - 30_000;
    expect(await app.sessions.find(token)).not.toBeNull();
    app.clock.aheadMs = 8 * HOUR_MS;
    expect(await app.sessions.find(token)).toBeNull();
    expect(await app.sessions.list(id)).toEqual([]);
  });

  it('notes when it was seen, at most once a minute', async () => {
    const { id } = await newcomer();
    const { token, session } = await start(id);
    const seenAfter = async (ms: number) => {
      app.clock.aheadMs = ms;
      await app.sessions.find(token);
      const [listed] = await app.sessions.list(id);
      return Number(listed?.lastSeenAt) - Number(session.lastSeenAt);
    };
    expect(await seenAfter(50_000)).toBe(0);
    expect(await seenAfter(61_000)).toBeGreaterThanOrEqual(61_000);
    expect(await seenAfter(100_000)).toBeLessThan(80_000);
  });

  it('shows what its browser calls itself, short and without hidden characters', async () => {
    const { id } = await newcomer();
    const { session } = await start(id, { userAgent: `Fire\u202efox\u0000\r\n${'x'.repeat(10_000)}` });
    expect(session.userAgent.startsWith('Firefox')).toBe(true);
    expect(session.userAgent.length).toBeLessThanOrEqual(200);
    const { session: silent } = await app.sessions.start({
      accountId: id,
      walletAddress: session.walletAddress,
      userAgent: undefined,
      requestId: null,
    });
    expect(silent.userAgent).toBe('');
  });
});

describe('ending', () => {
  it('one session acts at once, is recorded once, and again is no error', async () => {
    const { id } = await newcomer();
    const [one, other] = [await start(id), await start(id)];
    const { auditId } = app.browser();
    await app.sessions.end(id, one.session.id, auditId);
    await app.sessions.end(id, one.session.id, auditId);
    expect(await app.sessions.find(one.token)).toBeNull();
    expect(await app.sessions.find(other.token)).not.toBeNull();
    expect((await app.audited(auditId)).map(({ event }) => event)).toEqual(['session_ended']);
  });

  it("never ends another account's session, nor one that does not exist", async () => {
    const [mine, other] = [await newcomer(), await newcomer()];
    const { token, session } = await start(other.id);
    for (const sessionId of [session.id, 'sess_00000000000000000000000000', '', '\u0000', 'x'.repeat(1_000)]) {
      await expect(app.sessions.end(mine.id, sessionId, null)).rejects.toMatchObject({ code: 'not_found' });
    }
    await app.sessions.endOthers(mine.id, session.id, null);
    expect(await app.sessions.find(token)).not.toBeNull();
  });

  it('all others leaves the one that asked', async () => {
    const { id } = await newcomer();
    const started = [await start(id), await start(id), await start(id)];
    const kept = started[1]!;
    expect(await app.sessions.endOthers(id, kept.session.id, null)).toBe(2);
    expect((await app.sessions.list(id)).map((session) => session.id)).toEqual([kept.session.id]);
    const found = await Promise.all(started.map(({ token }) => app.sessions.find(token)));
    expect(found.map((session) => session?.id)).toEqual([undefined, kept.session.id, undefined]);
  });
});

describe('a suspended account', () => {
  it('has no sessions: those that it had are over for good, and it gets no new one', async () => {
    const { id } = await newcomer();
    const { token } = await start(id);
    await app.accounts.suspend(id);
    expect(await app.sessions.find(token)).toBeNull();
    await expect(start(id)).rejects.toMatchObject({ code: 'account_suspended' });
    await app.dataSource.query(`UPDATE accounts SET status = 'active' WHERE id = $1`, [id]);
    expect(await app.sessions.find(token)).toBeNull();
  });

  it('has none even when only its status was changed, behind the service', async () => {
    const { id } = await newcomer();
    const { token } = await start(id);
    await app.dataSource.query(`UPDATE accounts SET status = 'suspended' WHERE id = $1`, [id]);
    expect(await app.sessions.find(token)).toBeNull();
  });

  it('keeps no session that was started while it was being suspended', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await newcomer();
      const [started] = await Promise.allSettled([start(id), app.accounts.suspend(id)]);
      if (started.status === 'rejected') expect(started.reason).toMatchObject({ code: 'account_suspended' });
      const live = 'SELECT FROM browser_sessions WHERE account_id = $1 AND ended_at IS NULL';
      expect(await app.dataSource.query(live, [id])).toEqual([]);
    }
  });
});

describe('the sweeper', () => {
  it('deletes a session an hour after its end, and no other', async () => {
    const { id } = await newcomer();
    const { session } = await start(id);
    const isKept = async (aheadMs: number) => {
      app.clock.aheadMs = aheadMs;
      await app.get(SignInSweeper).sweep();
      return (await app.dataSource.query('SELECT FROM browser_sessions WHERE id = $1', [session.id])).length === 1;
    };
    expect(await isKept(9 * HOUR_MS - 60_000)).toBe(true);
    expect(await isKept(9 * HOUR_MS + 60_000)).toBe(false);
  });
});
