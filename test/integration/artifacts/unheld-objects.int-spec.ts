import { randomBytes } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { UnheldObjectsSweeper } from '../../../src/modules/artifacts/custody/unheld-objects.sweeper.js';
import { ObjectStore } from '../../../src/platform/storage/object-store.js';
import { eventually } from '../../support/eventually.js';
import { ArtifactsApp, sha256 } from './artifacts-app.js';

const DAY_MS = 86_400_000;

let app: ArtifactsApp;
let sweeper: UnheldObjectsSweeper;
beforeEach(async () => {
  app = await ArtifactsApp.start();
  sweeper = app.part(UnheldObjectsSweeper);
});
afterEach(() => app?.close());

const nameOf = (bytes: Buffer): string => sha256(bytes).slice(2);
const isStored = async (bytes: Buffer): Promise<boolean> => (await app.files()).includes(nameOf(bytes));
/** Makes an object look as if it had been brought two days ago. */
async function age(bytes: Buffer): Promise<void> {
  const path = join(app.folder, 'store', 'sha256', nameOf(bytes).slice(0, 2), nameOf(bytes));
  await utimes(path, new Date(), new Date(Date.now() - 2 * DAY_MS));
}
/** What an upload leaves whose process died between the object and COMMIT. */
async function left(): Promise<Buffer> {
  const bytes = randomBytes(100);
  const source = (async function* () {
    yield await Promise.resolve(bytes);
  })();
  await (await app.part(ObjectStore).stage(nameOf(bytes), source)).publish();
  return bytes;
}
const leftOld = async (): Promise<Buffer> => {
  const bytes = await left();
  await age(bytes);
  return bytes;
};

describe('an upload whose transaction fails', () => {
  beforeEach(() =>
    app.dataSource.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no commit'; END $$;
      CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON artifact_custody DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION refuse()`),
  );

  it('at COMMIT leaves no object', async () => {
    const bytes = randomBytes(100);
    expect((await app.upload(await app.caller(), bytes)).status).toBe(500);
    await eventually(async () => (await app.files()).length === 0);
  });

  it('leaves the object of another upload of the same bytes', async () => {
    const bytes = randomBytes(100);
    const [first, second, third] = [await app.caller(), await app.caller(), await app.caller()];
    await app.dataSource.query('ALTER TABLE artifact_custody DISABLE TRIGGER refuse');
    await app.upload(first, bytes);
    await app.dataSource.query('ALTER TABLE artifact_custody ENABLE TRIGGER refuse');
    expect((await app.upload(second, bytes)).status).toBe(500);
    const other = randomBytes(100);
    expect((await app.upload(third, other)).status).toBe(500);
    await eventually(async () => !(await isStored(other)));
    expect(await isStored(bytes)).toBe(true);
    expect(await app.custody.statusOf(first.accountId, sha256(bytes))).not.toBeNull();
  });
});

describe('an object that no account has in custody', () => {
  it('is removed when it is old, and no other', async () => {
    const held = randomBytes(100);
    await app.upload(await app.caller(), held);
    await age(held);
    const [old, young] = [await leftOld(), await left()];
    expect(await sweeper.sweep()).toBe(1);
    expect(await Promise.all([old, young, held].map(isStored))).toEqual([false, true, true]);
  });

  it('is removed wherever a round begins, and for the others where one cannot be', async () => {
    const all = [await leftOld(), await leftOld(), await leftOld()];
    const store = app.part(ObjectStore);
    const remove = store.remove.bind(store);
    const failing = jest.spyOn(store, 'remove').mockImplementation((key) => {
      return key === nameOf(all[1]!) ? Promise.reject(new Error('the disk refuses')) : remove(key);
    });
    await expect(sweeper.sweep()).rejects.toThrow('the disk refuses');
    expect(await Promise.all(all.map(isStored))).toEqual([false, true, false]);
    failing.mockRestore();
    expect(await sweeper.sweep()).toBe(1);
    expect(await app.files()).toEqual([]);
  });

  it('is kept while an upload of the same bytes brings it, and afterwards', async () => {
    const caller = await app.caller();
    for (let round = 0; round < 5; round++) {
      const bytes = await leftOld();
      const [, answer] = await Promise.all([sweeper.sweep(), app.upload(caller, bytes)]);
      expect(answer.status).toBe(200);
      expect(await app.custody.statusOf(caller.accountId, sha256(bytes))).not.toBeNull();
    }
  });

  it('is kept where most are so: the store is that of another database', async () => {
    const held = randomBytes(100);
    await app.upload(await app.caller(), held);
    const all = [];
    for (let n = 0; n < 12; n++) all.push(await leftOld());
    await expect(sweeper.sweep()).rejects.toThrow('another database');
    expect(await Promise.all(all.map(isStored))).not.toContain(false);
  });
});
