import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hex } from '../../../libs/kernel/src/index.js';
import { CustodySweeper } from '../../../src/modules/artifacts/custody/custody.sweeper.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { ObjectStore } from '../../../src/platform/storage/object-store.js';
import { MarketRows } from '../../support/market-rows.js';
import type { Caller } from '../../support/test-service.js';
import { ArtifactsApp, sha256 } from './artifacts-app.js';

const DAY_MS = 86_400_000;
const KIB = 1024;
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let app: ArtifactsApp;
let rows: MarketRows;
let sweeper: CustodySweeper;

beforeAll(async () => {
  app = await ArtifactsApp.start({
    artifactMaxBytes: 64 * KIB,
    quotaCustodyBytes: 100 * KIB,
    quotaCustodyItems: 5,
    quotaCustodySeconds: 2 * 86_400,
  });
  rows = new MarketRows(app.dataSource);
  sweeper = app.part(CustodySweeper);
});
afterEach(async () => {
  app.clock.aheadMs = 0;
  await app.dataSource.query('DELETE FROM chain_blocks');
});
afterAll(() => app?.close());

/** Makes the index look as if it had read a block of this time. */
const indexedUntil = (ms: number) =>
  app.dataSource.query(
    `INSERT INTO chain_blocks (number, hash, parent_hash, timestamp) VALUES (1, '0x1', '0x0', $1)
     ON CONFLICT (number) DO UPDATE SET timestamp = EXCLUDED.timestamp`,
    [new Date(ms)],
  );
/** Moves the time of the service and of the index by days. */
const later = async (days: number) => {
  app.clock.aheadMs = days * DAY_MS;
  await indexedUntil(Date.now() + days * DAY_MS);
};
const hasObject = async (bytes: Buffer) => (await app.files()).includes(sha256(bytes).slice(2));
/** Ends the custody of all that other tests have left. */
async function endAll(): Promise<void> {
  await later(300);
  await sweeper.sweep();
  app.clock.aheadMs = 0;
}
/** Where the store has the object. */
const pathOf = (bytes: Buffer) => {
  const name = sha256(bytes).slice(2);
  return join(app.folder, 'store', 'sha256', name.slice(0, 2), name);
};
/** Puts a folder in the place of the object, which the store does not remove. */
async function obstruct(bytes: Buffer): Promise<void> {
  await rm(pathOf(bytes));
  await mkdir(pathOf(bytes));
}
/** As many artifacts, each of an account of its own. */
async function uploadedEach(count: number): Promise<Buffer[]> {
  const all = Array.from({ length: count }, () => randomBytes(100));
  for (const bytes of all) expect((await app.upload(await app.caller(), bytes)).status).toBe(200);
  return all;
}
const rowsOf = async (all: readonly Buffer[]): Promise<number> => {
  const count = 'SELECT count(*)::int AS n FROM artifact_custody WHERE artifact_hash = ANY($1)';
  return (await app.dataSource.query<[{ n: number }]>(count, [all.map(sha256)]))[0].n;
};
const failedRemovals = async (): Promise<number> =>
  Number(/^artifact_removals_failed_total (\d+)$/m.exec(await app.part(Metrics).text())?.[1]);
const inCustody = async (caller: Caller, bytes: Buffer) =>
  (await app.custody.statusOf(caller.accountId, sha256(bytes))) !== null;
async function deliveryOf(worker: Caller, buyer: Caller, hash: Hex): Promise<string> {
  const task = await rows.task(buyer.accountId);
  const own = { path: 1n, workerAccountId: worker.accountId, workerWallet: WALLET, artifactHash: hash };
  const node = await rows.node(task, { ...own, state: 'released' });
  return rows.delivery(node, buyer.accountId, buyer.accountId);
}

describe('what one account may have in custody', () => {
  it('is so many bytes, and the refusal says how much is used, allowed, and what gives room', async () => {
    const worker = await app.caller();
    expect((await app.upload(worker, randomBytes(60 * KIB))).status).toBe(200);
    const refused = await app.upload(worker, randomBytes(60 * KIB));
    expect([refused.status, refused.body.error.code]).toEqual([403, 'quota_exceeded']);
    expect(refused.body.error.reason).toContain(`${60 * KIB} of at most ${100 * KIB} bytes`);
    expect(refused.body.error.suggestion).toContain('delivery');
    expect((await app.upload(worker, randomBytes(40 * KIB))).status).toBe(200);
  });

  it('is so many artifacts, however small', async () => {
    const worker = await app.caller();
    for (let n = 0; n < 5; n++) expect((await app.upload(worker, randomBytes(10))).status).toBe(200);
    expect((await app.upload(worker, randomBytes(10))).body.error.code).toBe('quota_exceeded');
  });

  it('does not grow by the same artifact again, nor is another account touched', async () => {
    const worker = await app.caller();
    const bytes = randomBytes(64 * KIB);
    await app.upload(worker, bytes);
    expect((await app.upload(worker, bytes)).status).toBe(200);
    expect((await app.upload(await app.caller(), bytes)).status).toBe(200);
  });

  it('is refused before the body comes when its length is told', async () => {
    const worker = await app.caller();
    await app.upload(worker, randomBytes(64 * KIB));
    const bytes = randomBytes(50 * KIB);
    const { request, answer } = app.request('PUT', `/v1/artifacts/${sha256(bytes)}`, worker.keys.worker, {
      key: randomUUID(),
      headers: { 'Content-Length': String(bytes.length) },
    });
    request.flushHeaders();
    // The service refuses before any byte of the body has been sent.
    expect((await answer).body.error.code).toBe('quota_exceeded');
    request.destroy();
  });

  it('cuts a body that does not tell its length, and keeps nothing of it', async () => {
    const worker = await app.caller();
    await app.upload(worker, randomBytes(64 * KIB));
    const bytes = randomBytes(50 * KIB);
    const before = await app.files();
    const chunks = Array.from({ length: 50 }, (_, n) => bytes.subarray(n * KIB, (n + 1) * KIB));
    const refused = await app.upload(worker, bytes, { chunks, chunked: true });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'quota_exceeded']);
    expect(await app.files()).toEqual(before);
  });

  it('holds for uploads at the same moment', async () => {
    const worker = await app.caller();
    const answers = await Promise.all(Array.from({ length: 4 }, () => app.upload(worker, randomBytes(40 * KIB))));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 403, 403]);
  });

  it('counts nothing that a delivery needs', async () => {
    const [worker, buyer] = [await app.caller(), await app.caller()];
    const bytes = randomBytes(64 * KIB);
    await app.upload(worker, bytes);
    await deliveryOf(worker, buyer, sha256(bytes));
    expect((await app.upload(worker, randomBytes(64 * KIB))).status).toBe(200);
  });

  it('frees the key of a refused request: it succeeds once there is room', async () => {
    const [worker, buyer] = [await app.caller(), await app.caller()];
    const [first, second, key] = [randomBytes(64 * KIB), randomBytes(64 * KIB), randomUUID()];
    await app.upload(worker, first);
    expect((await app.upload(worker, second, { key })).status).toBe(403);
    await deliveryOf(worker, buyer, sha256(first));
    expect((await app.upload(worker, second, { key })).status).toBe(200);
  });
});

describe('custody without a delivery', () => {
  it('ends after its time, which the upload told: the row and the object', async () => {
    const worker = await app.caller();
    const bytes = randomBytes(100);
    const { body } = await app.upload(worker, bytes);
    expect(Date.parse(body.kept_until) - Date.now()).toBeGreaterThan(1.9 * DAY_MS);
    await later(1.9);
    await sweeper.sweep();
    expect(await inCustody(worker, bytes)).toBe(true);
    await later(2.1);
    await sweeper.sweep();
    expect([await inCustody(worker, bytes), await hasObject(bytes)]).toEqual([false, false]);
  });

  it('does not end while the index is behind: an unread block may hold its delivery', async () => {
    const worker = await app.caller();
    const bytes = randomBytes(100);
    await app.upload(worker, bytes);
    app.clock.aheadMs = 3 * DAY_MS;
    await sweeper.sweep();
    await indexedUntil(Date.now() + DAY_MS);
    await sweeper.sweep();
    expect([await inCustody(worker, bytes), await hasObject(bytes)]).toEqual([true, true]);
  });

  it('does not end for a delivery', async () => {
    const [worker, buyer] = [await app.caller(), await app.caller()];
    const bytes = randomBytes(100);
    await app.upload(worker, bytes);
    await deliveryOf(worker, buyer, sha256(bytes));
    await later(300);
    await sweeper.sweep();
    expect([await inCustody(worker, bytes), await hasObject(bytes)]).toEqual([true, true]);
  });

  it('is not gone through again in every round when a delivery needs it, and ends when that is taken back', async () => {
    const [worker, buyer] = [await app.caller(), await app.caller()];
    const bytes = randomBytes(100);
    await app.upload(worker, bytes);
    const delivery = await deliveryOf(worker, buyer, sha256(bytes));
    const passed = async () => {
      const text = 'SELECT 1 FROM artifact_custody WHERE artifact_hash = $1 AND kept_until <= $2';
      return (await app.dataSource.query<unknown[]>(text, [sha256(bytes), app.clock.now()])).length > 0;
    };
    await later(3);
    expect(await passed()).toBe(true);
    await sweeper.sweep();
    expect([await passed(), await inCustody(worker, bytes)]).toEqual([false, true]);
    await app.dataSource.query('DELETE FROM deliveries WHERE id = $1', [delivery]);
    await later(34);
    await sweeper.sweep();
    expect([await inCustody(worker, bytes), await hasObject(bytes)]).toEqual([false, false]);
  });

  it('lasts as long as a prepared delivery can be executed, and its time longer', async () => {
    const worker = await app.caller();
    const bytes = randomBytes(100);
    await app.upload(worker, bytes);
    const until = new Date(Date.now() + 10 * DAY_MS);
    const { manager } = app.dataSource;
    expect(await app.custody.keepFor(manager, worker.accountId, sha256(bytes), until)).toBe(true);
    await later(11);
    await sweeper.sweep();
    expect(await inCustody(worker, bytes)).toBe(true);
    await later(12.1);
    await sweeper.sweep();
    expect(await inCustody(worker, bytes)).toBe(false);
    expect(await app.custody.keepFor(manager, worker.accountId, sha256(bytes), until)).toBe(false);
  });

  it('leaves the object as long as another account has it in custody', async () => {
    const [first, second] = [await app.caller(), await app.caller()];
    const bytes = randomBytes(100);
    await app.upload(first, bytes);
    app.clock.aheadMs = DAY_MS;
    await app.upload(second, bytes);
    await later(2.5);
    await sweeper.sweep();
    expect([await inCustody(first, bytes), await inCustody(second, bytes)]).toEqual([false, true]);
    await later(3.5);
    await sweeper.sweep();
    expect(await hasObject(bytes)).toBe(false);
  });

  it('ends in the next round when its process died between object and row', async () => {
    const worker = await app.caller();
    const bytes = randomBytes(100);
    await app.upload(worker, bytes);
    await later(3);
    const store = app.part(ObjectStore);
    const dying = jest.spyOn(store, 'remove').mockRejectedValueOnce(new Error('the disk went away'));
    await sweeper.sweep();
    dying.mockRestore();
    const count = 'SELECT count(*)::int AS n FROM artifact_custody WHERE artifact_hash = $1';
    expect(await app.dataSource.query(count, [sha256(bytes)])).toEqual([{ n: 1 }]);
    await sweeper.sweep();
    expect([await inCustody(worker, bytes), await hasObject(bytes)]).toEqual([false, false]);
  });

  it('ends for all others when one cannot be removed, which is counted and tried again', async () => {
    // More than may fail in one round, so that no round that begins with them comes to the others.
    await endAll();
    const stuck = await uploadedEach(12);
    await later(1);
    const others = await uploadedEach(2);
    await later(4);
    for (const bytes of stuck) await obstruct(bytes);
    const before = await failedRemovals();
    expect([await sweeper.sweep(), await sweeper.sweep()]).toEqual([10, 4]);
    expect(await Promise.all(others.map(hasObject))).toEqual([false, false]);
    expect((await failedRemovals()) - before).toBe(12);
    expect(await rowsOf(stuck)).toBe(12);

    for (const bytes of stuck) await rm(pathOf(bytes), { recursive: true });
    await sweeper.sweep();
    expect(await rowsOf(stuck)).toBe(0);
  });

  it('ends between two artifacts when the process does, and for the rest in its next round', async () => {
    await endAll();
    const all = await uploadedEach(3);
    await later(3);
    const ending = new CustodySweeper(
      app.dataSource,
      app.part(Transactions),
      app.part(ObjectStore),
      app.clock,
      app.part(Metrics),
    );
    const store = app.part(ObjectStore);
    const remove = store.remove.bind(store);
    let stopped: Promise<void> | undefined;
    const removing = jest.spyOn(store, 'remove').mockImplementation(async (key) => {
      stopped ??= ending.onModuleDestroy();
      await remove(key);
    });
    expect(await ending.sweep()).toBe(1);
    await stopped;
    removing.mockRestore();
    expect(await rowsOf(all)).toBe(2);
    await sweeper.sweep();
    expect(await rowsOf(all)).toBe(0);
  });

  it('never takes the object of an upload that comes meanwhile', async () => {
    const [first, second] = [await app.caller(), await app.caller()];
    for (let round = 0; round < 5; round++) {
      const bytes = randomBytes(100);
      app.clock.aheadMs = 0;
      await app.upload(first, bytes);
      await later(3);
      const [, answer] = await Promise.all([sweeper.sweep(), app.upload(second, bytes)]);
      expect(answer.status).toBe(200);
      expect([await inCustody(first, bytes), await inCustody(second, bytes)]).toEqual([false, true]);
    }
  });
});

describe('a link to an artifact', () => {
  it('is no file server: it opens often enough for a person, is refused then, and each opening is counted', async () => {
    const [worker, buyer] = [await app.caller(), await app.caller()];
    const bytes = randomBytes(1_000);
    await app.upload(worker, bytes);
    const delivery = await deliveryOf(worker, buyer, sha256(bytes));
    const link = async () => {
      const { body } = await app.get(`/v1/deliveries/${delivery}/artifact`, buyer.keys.read);
      return new URL(body.url).pathname;
    };
    const [one, other] = [await link(), await link()];
    const opened = [];
    for (let n = 0; n < 42; n++) opened.push((await app.get(one, null)).status);
    expect(opened).toEqual([...Array.from({ length: 40 }, () => 200), 429, 429]);
    // A second link of the same account to the same artifact shares the first link's limit.
    const refused = await app.get(other, null);
    expect([refused.body.error.code, Number(refused.headers['retry-after'])]).toEqual([
      'rate_limited',
      expect.any(Number),
    ]);
    // Requests with invalid links count against their network alone, so they keep nobody behind the same gateway from a
    // valid link.
    const third = await deliveryOf(worker, buyer, sha256(bytes));
    const { body } = await app.get(`/v1/deliveries/${third}/artifact`, buyer.keys.read);
    const guesses = await Promise.all(Array.from({ length: 405 }, () => app.get('/artifacts/no-link', null)));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([404, 429]));
    expect((await app.get(new URL(body.url).pathname, null)).status).toBe(200);
    const text = await app.part(Metrics).text();
    expect(text).toMatch(/^link_downloads_total\{kind="artifact"\} 41$/m);
    expect(text).toMatch(/^link_download_bytes_total\{kind="artifact"\} 41000$/m);
  });
});
