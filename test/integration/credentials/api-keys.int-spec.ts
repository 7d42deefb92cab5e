import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { ApiKeyEntity } from '../../../src/modules/credentials/api-keys/api-key.entity.js';
import { ApiKeyUsage } from '../../../src/modules/credentials/api-keys/api-key-usage.js';
import { ApiKeyVerifier } from '../../../src/modules/credentials/api-keys/api-key-verifier.js';
import { NO_LIMITS } from '../../../src/modules/credentials/spending/spend-limits.js';
import { VerifiedKeys } from '../../../src/modules/credentials/api-keys/verified-keys.js';
import { announceCredentialChange, CredentialChanges } from '../../../src/modules/accounts/credential-changes.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { lockedTable } from '../../support/locked-table.js';
import { PROBE_TABLE, type ProbeApp, startProbeApp } from '../../support/probe-app.js';
import { testEnvironment } from '../../support/test-environment.js';
import { withoutNotices } from '../../support/without-notices.js';
import { madeUpKey } from '../../support/made-up-key.js';
import { runToolWith } from '../../support/tool-run.js';

const DAY_MS = 86_400_000;

let database: { url: string; dataSource: DataSource };
let app: ProbeApp;
let other: ProbeApp;

/** Shorter than the five seconds after which a process forgets a credential by itself. */
const SOON_MS = 4_500;
const settings = () => testEnvironment(database.url, { trustedProxies: ['127.0.0.1'] });

beforeAll(async () => {
  database = await createMigratedDatabase();
  await database.dataSource.query(PROBE_TABLE);
  [app, other] = await Promise.all([startProbeApp(settings()), startProbeApp(settings())]);
  await eventually(() => [app, other].every((each) => each.app.get(CredentialChanges).isListening));
});

afterAll(async () => {
  await Promise.all([app?.close(), other?.close()]);
  await database?.dataSource.destroy();
});

const call = async (key: string, { at = app, from = '203.0.113.1' } = {}) => {
  const answer = await fetch(`${at.url}/v1/whoami`, { headers: { 'X-Api-Key': key, 'X-Forwarded-For': from } });
  const { error } = (await answer.json()) as { error?: { code: string } };
  return error?.code ?? answer.status;
};
const newKey = async (more: { days?: number; cidrs?: string[] } = {}) => {
  const { accountId } = await app.newCaller();
  return app.keys.create(accountId, { scope: 'read', name: 'test', ...more });
};

/** Counts how often `work` looks keys up in the database. */
const counted = async (work: () => Promise<unknown>) => {
  const spy = jest.spyOn(app.app.get(DataSource).manager, 'findOneBy');
  await work();
  const { length } = spy.mock.calls.filter(([entity]) => entity === ApiKeyEntity);
  spy.mockRestore();
  return length;
};

describe('a new key', () => {
  it('is kept only as a keyed hash, lives 90 days, and is pinned to the current version', async () => {
    const { key, secret } = await newKey();
    const [{ row }] = await database.dataSource.query('SELECT api_keys::text AS row FROM api_keys WHERE id = $1', [
      key.id,
    ]);
    expect(row).not.toContain(secret.slice(11, -4));
    expect(row).not.toContain(Buffer.from(secret).toString('hex'));
    expect(key.expiresAt.getTime() - key.createdAt.getTime()).toBe(90 * DAY_MS);
    expect(key).toMatchObject({ pinnedVersion: '2026-11-20', prefix: 'mkt_test_r_', last4: secret.slice(-4) });
  });

  it.each([0, 366, 1.5, Number.NaN])('cannot live %p days', async (days) => {
    await expect(newKey({ days })).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  it('of an account that does not exist is refused', async () => {
    const limits = { ...NO_LIMITS, perDay: 1n };
    for (const make of [
      () => app.keys.create('acct_none', { scope: 'read', name: 'x' }),
      () => app.keys.create('acct_none', { scope: 'read', name: 'x', limits }),
      () => app.keys.createKeySet({ id: 'acct_none' }, { name: 'x', limits }),
    ]) {
      await expect(make()).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('with limits can be made while others with limits are made', async () => {
    const limits = { ...NO_LIMITS, perDay: 1n };
    for (let round = 0; round < 4; round += 1) {
      const { accountId } = await app.newCaller();
      const made = await Promise.allSettled([
        ...[app, other, app].map(({ keys }) => keys.create(accountId, { scope: 'buyer', name: 'x', limits })),
        other.keys.createKeySet({ id: accountId }, { name: 'x', limits }),
      ]);
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 'fulfilled'));
    }
  });

  it('is the tenth at most of its account and scope, also when many are made at once', async () => {
    const { accountId } = await app.newCaller();
    const made = await Promise.allSettled(
      Array.from({ length: 14 }, (_, i) => (i % 2 ? app : other).keys.create(accountId, { scope: 'read', name: 'x' })),
    );
    // The account was created with one key of each scope, so nine more of this scope fit.
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
    await expect(app.keys.create(accountId, { scope: 'buyer', name: 'x' })).resolves.toBeDefined();
    const [first] = await app.keys.list(accountId);
    await app.keys.revoke(first!.id);
    await expect(app.keys.create(accountId, { scope: first!.scope, name: 'x' })).resolves.toBeDefined();
  });

  it('that somebody plants in the table without the pepper does not work', async () => {
    const { key } = await newKey();
    const planted = madeUpKey();
    await database.dataSource.query('UPDATE api_keys SET secret_hash = sha256($2::bytea) WHERE id = $1', [
      key.id,
      Buffer.from(planted),
    ]);
    expect(await call(planted)).toBe('invalid_api_key');
  });
});

describe('a revoked key', () => {
  it('stops at once in every process, though they remembered it', async () => {
    const { key, secret } = await newKey();
    expect([await call(secret), await call(secret, { at: other })]).toEqual([200, 200]);
    await app.keys.revoke(key.id);
    for (const at of [app, other])
      await eventually(async () => (await call(secret, { at })) === 'api_key_revoked', SOON_MS);
    await expect(app.keys.revoke(key.id)).resolves.toMatchObject({ id: key.id });
  });

  it('is refused from the answer on, also where Postgres is slow to tell', async () => {
    const { key, secret } = await newKey();
    expect(await call(secret)).toBe(200);
    await withoutNotices(database.dataSource, async () => {
      await app.keys.revoke(key.id);
      expect(await call(secret)).toBe('api_key_revoked');
    });
  });

  it('still works when revoking it was undone', async () => {
    const { key, secret } = await newKey();
    const undone = app.app.get(Transactions).run(async () => {
      await app.keys.revoke(key.id);
      expect(await call(secret)).toBe(200);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await counted(() => call(secret))).toBe(0);
  });

  it('is told apart only from the whole secret', async () => {
    const { key, secret } = await newKey();
    await app.keys.revoke(key.id);
    expect(await call(secret.slice(0, -1))).toBe('invalid_api_key');
    expect(await call(secret)).toBe('api_key_revoked');
  });

  it('that is not known is not found', async () => {
    await expect(app.keys.revoke('key_none')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('memory of verified keys', () => {
  it('spares the look-up of a key that was verified a moment ago', async () => {
    const { secret } = await newKey();
    expect(await counted(() => call(secret))).toBe(1);
    expect(await counted(() => call(secret))).toBe(0);
  });

  it('asks the database nothing about junk', async () => {
    expect(await counted(() => call('mkt_test_r_'.padEnd(47, '0')))).toBe(0);
  });

  it('is not used while changes cannot be heard, and comes back', async () => {
    const { key, secret } = await newKey();
    await call(secret);
    const changes = app.app.get(CredentialChanges);
    await database.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'tasktree-credentials' AND datname = current_database()`,
    );
    await eventually(() => !changes.isListening);
    // The process listens again a second later, so it is made to look as if it still did not.
    const deaf = jest.spyOn(changes, 'isListening', 'get').mockReturnValue(false);
    expect(await counted(() => call(secret))).toBe(1);
    await database.dataSource.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [key.id]);
    expect(await call(secret)).toBe('api_key_revoked');
    deaf.mockRestore();
    await eventually(() => changes.isListening && other.app.get(CredentialChanges).isListening);
    const { secret: next } = await newKey();
    await call(next);
    expect(await counted(() => call(next))).toBe(0);
  });
});

describe('a key that many requests bring at once', () => {
  /** What callers are told when they come while the database does not answer. `send` returns once they wait for it. */
  const heldUp = async (secret: string, work: (send: (requests: number) => Promise<void>) => Promise<void>) => {
    const arrived = jest.spyOn(app.app.get(ApiKeyVerifier), 'verify');
    const sent: Promise<unknown>[] = [];
    await lockedTable(database.dataSource, 'api_keys', () =>
      work(async (requests) => {
        sent.push(...Array.from({ length: requests }, () => call(secret)));
        await eventually(() => arrived.mock.calls.length === sent.length);
      }),
    );
    arrived.mockRestore();
    return Promise.all(sent);
  };

  it('is read once for all of them', async () => {
    const { secret } = await newKey();
    const reads = await counted(async () => {
      expect(new Set(await heldUp(secret, (send) => send(40)))).toEqual(new Set([200]));
    });
    expect(reads).toBe(1);
  });

  it('is read anew for who comes after a change', async () => {
    const { secret } = await newKey();
    const verified = app.app.get(VerifiedKeys);
    const reads = await counted(() =>
      heldUp(secret, async (send) => {
        await send(3);
        const before = verified.mark();
        await announceCredentialChange(new Transactions(database.dataSource), 'key_of_somebody');
        await eventually(() => verified.mark() > before);
        await send(2);
      }),
    );
    expect(reads).toBe(2);
  });

  it('is an error for all of them when it cannot be read, and for nobody after', async () => {
    const { secret } = await newKey();
    const answers = await heldUp(secret, async (send) => {
      await send(3);
      await eventually(async () => {
        const [{ ended }] = await database.dataSource.query(
          `SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%api_keys%'`,
        );
        return ended > 0;
      });
    });
    expect([...answers, await call(secret)]).toEqual([...Array(3).fill('service_unavailable'), 200]);
  });
});

describe('an expired key', () => {
  it('says so, also when it expires while it is remembered', async () => {
    const { secret } = await newKey({ days: 1 });
    expect(await call(secret)).toBe(200);
    const later = jest.spyOn(app.app.get(Clock), 'wallMs').mockImplementation(() => Date.now() + DAY_MS);
    expect(await call(secret)).toBe('api_key_expired');
    later.mockRestore();
  });
});

describe('a roll', () => {
  it('makes a key like the old one, which ends after the overlap', async () => {
    const { key, secret } = await newKey({ days: 30, cidrs: ['203.0.113.0/24'] });
    const rolled = await app.keys.roll(key.id, 1);
    expect(rolled.key).toMatchObject({
      accountId: key.accountId,
      scope: 'read',
      name: 'test',
      cidrs: ['203.0.113.0/24'],
    });
    expect(rolled.key.expiresAt.getTime() - rolled.key.createdAt.getTime()).toBe(30 * DAY_MS);
    expect([await call(secret), await call(rolled.secret)]).toEqual([200, 200]);
    const later = jest.spyOn(app.app.get(Clock), 'wallMs').mockImplementation(() => Date.now() + 3_601_000);
    expect([await call(secret), await call(rolled.secret)]).toEqual(['api_key_expired', 200]);
    later.mockRestore();
  });

  it('without overlap ends the old one at once, in every process', async () => {
    const { key, secret } = await newKey();
    await call(secret, { at: other });
    await app.keys.roll(key.id, 0);
    await eventually(async () => (await call(secret, { at: other })) === 'api_key_expired', SOON_MS);
  });

  it('never lengthens the life of the old one, and overlaps 7 days at most', async () => {
    const { key } = await newKey({ days: 1 });
    await app.keys.roll(key.id, 168);
    const [old] = await app.keys.list(key.accountId).then((keys) => keys.filter(({ id }) => id === key.id));
    expect(old!.expiresAt).toEqual(key.expiresAt);
    await expect(app.keys.roll(key.id, 169)).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  it('of a revoked key is refused', async () => {
    const { key } = await newKey();
    await app.keys.revoke(key.id);
    await expect(app.keys.roll(key.id)).rejects.toMatchObject({ code: 'state_conflict' });
  });
});

describe('the chain’s time', () => {
  it('ends no key, however far ahead it is', async () => {
    const { secret } = await newKey({ days: 1 });
    const ahead = jest.spyOn(app.app.get(Clock), 'nowMs').mockImplementation(() => Date.now() + 1000 * DAY_MS);
    const made = await newKey();
    expect(await call(secret)).toBe(200);
    ahead.mockRestore();
    expect(Math.abs(made.key.createdAt.getTime() - Date.now())).toBeLessThan(60_000);
  });
});

describe('an account by itself', () => {
  it('rolls and revokes its own keys; another’s are not found, and nothing of them changes', async () => {
    const [mine, other] = [await newKey(), await newKey()];
    const { accountId } = mine.key;
    await expect(app.keys.rollOwn(accountId, other.key.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(app.keys.revokeOwn(accountId, other.key.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await call(other.secret)).toBe(200);
    const rolled = await app.keys.rollOwn(accountId, mine.key.id, 0);
    expect(rolled.key.accountId).toBe(accountId);
    await expect(app.keys.revokeOwn(accountId, rolled.key.id)).resolves.toMatchObject({ revokedAt: expect.any(Date) });
  });

  it('sees which of its keys are live', async () => {
    const { key } = await newKey();
    const rolled = await app.keys.roll(key.id, 0);
    await app.keys.revoke(rolled.key.id);
    const live = (await app.keys.listLive(key.accountId)).map(({ id }) => id);
    expect(live).not.toContain(key.id);
    expect(live).not.toContain(rolled.key.id);
    // The set of keys with which the account was created.
    expect(live).toHaveLength(4);
  });
});

describe('the record', () => {
  const events = (keyIds: string[]) =>
    database.dataSource.query(
      'SELECT event, account_id, request_id, credential_id, detail FROM audit_events WHERE credential_id = ANY($1) ORDER BY id',
      [keyIds],
    );

  it('has every key that is made, rolled and revoked, by whom, and no secret', async () => {
    const { accountId } = await app.newCaller();
    const made = await app.keys.create(accountId, {
      scope: 'read',
      name: 'CI',
      createdBy: 'account',
      auditId: 'req_1',
      // As the command line says it, where none are given.
      limits: NO_LIMITS,
    });
    const rolled = await app.keys.roll(made.key.id, 0, 'req_2');
    await app.keys.revoke(rolled.key.id);
    await app.keys.revoke(rolled.key.id);
    const recorded = await events([made.key.id, rolled.key.id]);
    expect(recorded[0].detail).not.toHaveProperty('limits');
    expect(recorded).toMatchObject([
      {
        event: 'api_key_created',
        account_id: accountId,
        request_id: 'req_1',
        detail: { by: 'account', scope: 'read', name: 'CI' },
      },
      {
        event: 'api_key_rolled',
        request_id: 'req_2',
        credential_id: made.key.id,
        detail: { replaced_by: rolled.key.id },
      },
      { event: 'api_key_revoked', request_id: null, credential_id: rolled.key.id },
    ]);
    for (const { secret } of [made, rolled]) expect(JSON.stringify(recorded)).not.toContain(secret.slice(11, -4));
  });

  it('has nothing of what was refused', async () => {
    const { key } = await newKey();
    await app.keys.revoke(key.id);
    await app.keys.roll(key.id).catch(() => undefined);
    expect((await events([key.id])).map(({ event }: { event: string }) => event)).toEqual([
      'api_key_created',
      'api_key_revoked',
    ]);
  });
});

describe('networks', () => {
  it('are asked for each request, remembered or not', async () => {
    const { secret } = await newKey({ cidrs: ['203.0.113.0/24', '2001:db8::/32'] });
    expect(await call(secret, { from: '203.0.113.9' })).toBe(200);
    expect(await call(secret, { from: '198.51.100.1' })).toBe('invalid_api_key');
    expect(await call(secret, { from: '2001:db8::7' })).toBe(200);
  });
});

describe('a suspended account', () => {
  it('is refused with all its keys, in every process', async () => {
    const { accountId, keys } = await app.newCaller();
    await call(keys.read, { at: other });
    await app.accounts.suspend(accountId);
    await eventually(async () => (await call(keys.read, { at: other })) === 'account_suspended', SOON_MS);
    expect(await call(keys.worker)).toBe('account_suspended');
  });
});

describe('accounts', () => {
  it('have a checksummed wallet of their own', async () => {
    const walletAddress = `0x${randomUUID().replaceAll('-', '')}deadbeef`.slice(0, 42).toLowerCase();
    const account = await app.accounts.create({ name: 'Ada', walletAddress });
    expect(account.walletAddress).not.toBe(walletAddress);
    expect(account.walletAddress?.toLowerCase()).toBe(walletAddress);
    await expect(app.accounts.create({ name: 'Bob', walletAddress })).rejects.toMatchObject({ code: 'state_conflict' });
    await expect(app.accounts.create({ name: 'Bob', walletAddress: '0x12' })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });
});

describe('last use', () => {
  it('is written off the request path, at most once a minute', async () => {
    const { key, secret } = await newKey();
    const usage = app.app.get(ApiKeyUsage);
    const lastUse = async () =>
      (await app.keys.list(key.accountId)).find(({ id }) => id === key.id)!.lastUsedAt?.getTime() ?? null;
    // A timer of an earlier use may be running and would write this use.
    await usage.flush();
    await call(secret);
    expect(await lastUse()).toBeNull();
    await usage.flush();
    const first = await lastUse();
    expect(Date.now() - first!).toBeLessThan(10_000);
    await call(secret);
    usage.note(key.id, first! + 30_000);
    await usage.flush();
    expect(await lastUse()).toBe(first);
    usage.note(key.id, first! + 61_000);
    await usage.flush();
    expect(await lastUse()).toBe(first! + 61_000);
  });
});

describe('the command line', () => {
  const run = (args: string[], variables: Record<string, string>) => runToolWith(variables, 'keys', ...args);
  const target = () => {
    const { databaseUrl, appSecret } = settings();
    return { DATABASE_URL: databaseUrl, APP_SECRET: appSecret, KEY_ENVIRONMENT: 'test' };
  };

  it('makes a set that works, lists it, rolls and revokes, and running services hear of it', async () => {
    const name = `cli ${randomUUID()}`;
    const made = await run(['create-set', '--account', name, '--json'], target());
    expect(made).toMatchObject({ code: 0, err: '' });
    const { account_id: accountId, keys } = JSON.parse(made.out);
    expect(Object.keys(keys)).toEqual(['read', 'buyer', 'worker', 'agent-owner']);
    expect(await call(keys.read)).toBe(200);
    const listed = JSON.parse((await run(['list', '--account', name, '--json'], target())).out);
    expect(listed).toHaveLength(4);
    expect(listed.map((key: { account_name: string }) => key.account_name)).toEqual([name, name, name, name]);
    expect((await run(['list'], target())).out).toContain(`  ${accountId}  ${name}  `);
    expect(JSON.stringify(listed)).not.toContain(keys.read);
    const { key_id: keyId } = listed.find(({ scope }: { scope: string }) => scope === 'read');
    const rolled = JSON.parse((await run(['roll', keyId, '--json'], target())).out);
    expect(await call(rolled.secret)).toBe(200);
    const created = await run(['create', '--account', accountId, '--scope', 'buyer'], target());
    expect(created.out).toMatch(/mkt_test_b_\w{36}\n/);
    expect((await run(['revoke', keyId], target())).out).toContain('revoked');
    await eventually(async () => (await call(keys.read)) === 'api_key_revoked', SOON_MS);
  }, 240_000);

  it('finds the local market beside it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tasktree-keys-'));
    const { databaseUrl, appSecret, ...rest } = settings();
    const market = {
      database_url: databaseUrl,
      rpc_url: rest.rpcUrl,
      chain_id: rest.chainId,
      escrow_factory_address: rest.escrowFactoryAddress,
    };
    writeFileSync(join(folder, 'local.json'), JSON.stringify(market));
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ app_secret: appSecret }));
    const made = await run(['create-set', '--account', randomUUID(), '--data-dir', folder, '--json'], {});
    rmSync(folder, { recursive: true });
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(await call(JSON.parse(made.out).keys.read)).toBe(200);
  });

  it.each([
    ['an unknown key', ['revoke', 'key_x'], () => target(), 'There is no such API key.'],
    ['a dead database', ['list'], () => ({ ...target(), DATABASE_URL: 'postgres://127.0.0.1:1/x' }), 'The database at'],
    ['a short secret', ['list'], () => ({ ...target(), APP_SECRET: 'x' }), 'APP_SECRET'],
  ])('answers %s with a sentence and exit code 1', async (_, args, variables, sentence) => {
    const { code, err } = await run(args, variables());
    expect(code).toBe(1);
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/^\s+at |npm run keys/m);
  });

  it.each([
    ['an unknown command', ['destroy'], () => target(), 'There is no command "destroy"'],
    ['an unknown option', ['list', '--all'], () => target(), '--all'],
    ['no database', ['list', '--data-dir', '/nonexistent'], () => ({}), 'DATABASE_URL is not set'],
  ])('answers %s with a sentence, the usage and exit code 2', async (_, args, variables, sentence) => {
    const { code, err } = await run(args, variables());
    expect(code).toBe(2);
    expect(err).toContain(sentence);
    expect(err).toContain('npm run keys -- create-set');
    expect(err).not.toMatch(/^\s+at /m);
  });
});
