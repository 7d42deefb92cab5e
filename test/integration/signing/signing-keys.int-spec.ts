import { importJWK, jwtVerify, SignJWT } from 'jose';
import { Client } from 'pg';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.js';
import { SigningKeys } from '../../../src/modules/oauth/storage/signing-keys.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Sealer } from '../../../src/platform/secrets/sealer.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { createMigratedDatabase } from '../../support/database.js';
import { testEnvironment } from '../../support/test-environment.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A wall clock that the spec can move. */
class SetWall extends Clock {
  aheadMs = 0;

  override wallMs(): number {
    return Date.now() + this.aheadMs;
  }
}

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let clock: SetWall;

beforeAll(async () => {
  database = await createMigratedDatabase();
});
beforeEach(async () => {
  clock = new SetWall();
  await database.dataSource.query('DELETE FROM oauth_signing_keys');
});
afterAll(() => database.dataSource.destroy());

/** The keys as one process sees them. */
const process = (appSecret?: string) => {
  const environment = testEnvironment(database.url, appSecret === undefined ? {} : { appSecret });
  const transactions = new Transactions(database.dataSource);
  return new SigningKeys(transactions, new Sealer(environment), clock, new AuditLog(transactions, clock));
};
const ids = async (keys: SigningKeys) => (await keys.current()).keys.map(({ kid }) => kid);
const rows = () => database.dataSource.query<{ id: string }[]>('SELECT * FROM oauth_signing_keys');

it('the first start makes one key, however many processes start at once', async () => {
  const sets = await Promise.all(Array.from({ length: 8 }, async () => (await process().current()).keys));
  expect(new Set(sets.map((keys) => JSON.stringify(keys))).size).toBe(1);
  expect(sets[0]).toHaveLength(1);
  expect(await rows()).toHaveLength(1);
});

it('a key signs, and its public half verifies', async () => {
  const [key] = (await process().current()).keys;
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: key!.kid }).sign(await importJWK(key!));
  const { d: _, ...publicJwk } = key!;
  await expect(jwtVerify(token, await importJWK(publicJwk))).resolves.toMatchObject({
    protectedHeader: { kid: key!.kid },
  });
});

it('the private half is nowhere in the database', async () => {
  const [key] = (await process().current()).keys;
  const [row] = await database.dataSource.query('SELECT k::text AS row FROM oauth_signing_keys k');
  expect(row.row).toContain(key!.x);
  expect(row.row).not.toContain(key!.d);
  expect(row.row).not.toContain(Buffer.from(key!.d, 'base64url').toString('hex'));
  expect(row.row).not.toContain(Buffer.from(key!.d).toString('hex'));
});

describe('a rotation', () => {
  it('publishes the new key at once, signs with it a quarter of an hour later, and says when to look again', async () => {
    const keys = process();
    const [first] = await ids(keys);
    const { keyId, signsFrom } = await keys.rotate('req_1');
    expect(await ids(process())).toEqual([first, keyId]);
    expect((await keys.current()).changesAt).toEqual(signsFrom);
    expect(signsFrom.getTime() - clock.wallMs()).toBeGreaterThan(14 * MINUTE_MS);
    clock.aheadMs = 14 * MINUTE_MS;
    expect(await ids(keys)).toEqual([first, keyId]);
    clock.aheadMs = 15 * MINUTE_MS + 1000;
    expect(await ids(keys)).toEqual([keyId, first]);
  });

  it('keeps the old key published for a day and what it signed, then drops it', async () => {
    const keys = process();
    const [first] = await ids(keys);
    const { keyId } = await keys.rotate(null);
    clock.aheadMs = 15 * MINUTE_MS + DAY_MS + 4 * MINUTE_MS;
    expect(await ids(keys)).toEqual([keyId, first]);
    clock.aheadMs += 2 * MINUTE_MS;
    expect(await ids(keys)).toEqual([keyId]);
    expect((await keys.current()).changesAt).toBeNull();
    const { keyId: third } = await keys.rotate(null);
    expect((await rows()).map(({ id }) => id).sort()).toEqual([keyId, third].sort());
  });

  it('is one at a time, also when several are asked for at once', async () => {
    await process().current();
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => process().rotate(null)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of asked)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'state_conflict' });
    expect(await rows()).toHaveLength(2);
  });

  it('is told to all processes and is in the audit', async () => {
    await process().current();
    const listener = new Client({ connectionString: database.url });
    await listener.connect();
    await listener.query('LISTEN tasktree_credentials');
    const heard = new Promise((resolve) => listener.on('notification', ({ payload }) => resolve(payload)));
    const { keyId } = await process().rotate('req_rotation');
    expect(await heard).toBe('signing-keys');
    await listener.end();
    const events = await database.dataSource.query(
      `SELECT event, credential_id FROM audit_events WHERE request_id = 'req_rotation'`,
    );
    expect(events).toEqual([{ event: 'signing_key_rotated', credential_id: keyId }]);
  });

  it('of a service that has no key yet makes one that signs at once', async () => {
    const keys = process();
    const { keyId } = await keys.rotate(null);
    expect(await ids(keys)).toEqual([keyId]);
  });
});

describe('another APP_SECRET', () => {
  it('opens no key of before, so a new one is made; the old secret still finds its own', async () => {
    const [first] = await ids(process());
    const other = process('another secret of the tests, long enough too');
    const [second] = await ids(other);
    expect(second).not.toBe(first);
    expect(await ids(other)).toEqual([second]);
    expect(await ids(process())).toEqual([first]);
  });

  it('cannot be had by putting the sealed half of one key into another', async () => {
    const keys = process();
    const [first] = await ids(keys);
    const { keyId } = await keys.rotate(null);
    await database.dataSource.query(
      `UPDATE oauth_signing_keys SET private_sealed = (SELECT private_sealed FROM oauth_signing_keys WHERE id = $1) WHERE id = $2`,
      [first, keyId],
    );
    expect(await ids(keys)).toEqual([first]);
  });
});
