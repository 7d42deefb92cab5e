import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { Environment } from '../../../src/platform/config/environment.js';
import { DiskObjectStore } from '../../../src/platform/storage/disk-object-store.js';
import type { ObjectStore, OpenObject } from '../../../src/platform/storage/object-store.js';
import { S3ObjectStore } from '../../../src/platform/storage/s3-object-store.js';
import { StorageUnavailableError } from '../../../src/platform/storage/storage-unavailable.error.js';
import { eventually } from '../../support/eventually.js';
import { ArtifactsApp, sha256 } from './artifacts-app.js';

const MIB = 1024 * 1024;
const {
  S3_TEST_ENDPOINT = '',
  S3_TEST_ACCESS_KEY_ID = 'test',
  S3_TEST_SECRET_ACCESS_KEY = 'test-secret',
} = process.env;
const note = S3_TEST_ENDPOINT === '' ? ' [not run: S3_TEST_ENDPOINT is not set]' : '';
const describeWithS3 = S3_TEST_ENDPOINT === '' ? describe.skip : describe;

const settings = {
  artifactS3Endpoint: S3_TEST_ENDPOINT,
  artifactS3Region: 'us-east-1',
  artifactS3AccessKeyId: S3_TEST_ACCESS_KEY_ID,
  artifactS3SecretAccessKey: S3_TEST_SECRET_ACCESS_KEY,
};

async function* stream(...parts: (Buffer | Error)[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield await Promise.resolve(part);
  }
}

const keyOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function contentOf(object: OpenObject | null): Promise<Buffer | null> {
  if (!object) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of object.stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Tests what every store must do, wherever it keeps the bytes. */
function behavesAsAStore(store: () => ObjectStore, unfinished: () => Promise<number>): void {
  it('shows an object once it is published, whole, and in its first bytes', async () => {
    const bytes = randomBytes(300_000);
    const staged = await store().stage(keyOf(bytes), stream(bytes.subarray(0, 7), bytes.subarray(7)));
    expect([await store().sizeOf(keyOf(bytes)), await store().open(keyOf(bytes))]).toEqual([null, null]);
    await staged.publish();
    expect(await store().sizeOf(keyOf(bytes))).toBe(300_000);
    const object = await store().open(keyOf(bytes));
    expect([object?.bytes, (await contentOf(object))?.equals(bytes)]).toEqual([300_000, true]);
    const beginning = await store().open(keyOf(bytes), 100);
    expect([beginning?.bytes, (await contentOf(beginning))?.equals(bytes.subarray(0, 100))]).toEqual([300_000, true]);
    expect(await unfinished()).toBe(0);
  });

  it('keeps every byte of an object of many parts, however they are cut', async () => {
    const bytes = randomBytes(20 * MIB + 3);
    const cuts = [0, 1, 5 * MIB - 1, 8 * MIB, 8 * MIB + 1, 17 * MIB, bytes.length];
    const parts = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
    await (await store().stage(keyOf(bytes), stream(...parts))).publish();
    expect((await contentOf(await store().open(keyOf(bytes))))?.equals(bytes)).toBe(true);
  });

  it('forgets what is discarded, at whatever moment, and what cannot be read to its end', async () => {
    const bytes = randomBytes(1_000);
    const staged = await store().stage(keyOf(bytes), stream(bytes));
    await staged.discard();
    await staged.discard();
    await expect(staged.publish()).rejects.toMatchObject({ code: 'service_unavailable' });
    const broken = store().stage(keyOf(bytes), stream(bytes, new Error('the sender has gone')));
    await expect(broken).rejects.toThrow('the sender has gone');
    expect([await store().sizeOf(keyOf(bytes)), await unfinished()]).toEqual([null, 0]);
  });

  it('takes the same object twice at once, and keeps it when the second is discarded', async () => {
    const bytes = randomBytes(1_000);
    const [one, two, three] = await Promise.all([0, 1, 2].map(() => store().stage(keyOf(bytes), stream(bytes))));
    await Promise.all([one?.publish(), two?.publish()]);
    await three?.discard();
    expect((await contentOf(await store().open(keyOf(bytes))))?.equals(bytes)).toBe(true);
    expect(await unfinished()).toBe(0);
  });

  it('lists its objects in the order of their keys, behind one and so many of them, and nothing unfinished', async () => {
    const all = Array.from({ length: 5 }, () => randomBytes(10));
    for (const bytes of all) await (await store().stage(keyOf(bytes), stream(bytes))).publish();
    const staged = await store().stage(keyOf(randomBytes(1)), stream(randomBytes(10)));
    const keys = all.map(keyOf).toSorted();
    const listed = await store().list('', 1_000);
    expect(listed.map(({ key }) => key).filter((key) => keys.includes(key))).toEqual(keys);
    expect(listed.every(({ since }) => Math.abs(since.getTime() - Date.now()) < 600_000)).toBe(true);
    const inOrder = listed.map(({ key }) => key);
    expect(inOrder).toEqual(inOrder.toSorted());
    for (const most of [1, 2, 1_000]) {
      const paged: string[] = [];
      let page = await store().list('', most);
      for (; page.length > 0; page = await store().list(paged.at(-1) ?? '', most)) {
        expect(page.length).toBeLessThanOrEqual(most);
        paged.push(...page.map(({ key }) => key));
      }
      expect(paged).toEqual(inOrder);
    }
    await staged.discard();
  });

  it('makes no path of anything that is no key', async () => {
    for (const key of ['../../etc/passwd', '', 'A'.repeat(64), `0x${'a'.repeat(62)}`, `${'a'.repeat(64)}/..`]) {
      await expect(store().sizeOf(key)).rejects.toThrow(RangeError);
      await expect(store().open(key)).rejects.toThrow(RangeError);
      await expect(store().stage(key, stream(randomBytes(1)))).rejects.toThrow(RangeError);
    }
  });
}

describe('a store on disk', () => {
  let folder: string;
  let store: DiskObjectStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tasktree-store-'));
    store = new DiskObjectStore(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const incoming = () => readdir(join(folder, 'incoming'));
  behavesAsAStore(
    () => store,
    async () => (await incoming()).length,
  );

  it('sweeps what a dead process left, and not what is on its way', async () => {
    await store.stage(keyOf(randomBytes(1)), stream(randomBytes(10)));
    const [left = ''] = await incoming();
    await utimes(join(folder, 'incoming', left), new Date(), new Date(Date.now() - 7_200_000));
    const staged = await store.stage(keyOf(randomBytes(1)), stream(randomBytes(10)));
    expect(await store.sweep(new Date(Date.now() - 3_600_000))).toBe(1);
    expect(await incoming()).toHaveLength(1);
    await staged.discard();
  });

  it('sweeps all others where something cannot be removed', async () => {
    const kept = ['first', 'last'].map((name) => join(folder, 'incoming', name));
    // Whichever way the folder is read, one of them comes before the file. A store removes no folder.
    await mkdir(kept[0]!, { recursive: true });
    await writeFile(join(folder, 'incoming', 'left'), 'bytes');
    await mkdir(kept[1]!);
    await expect(store.sweep(new Date(Date.now() + 60_000))).rejects.toThrow(StorageUnavailableError);
    expect((await incoming()).toSorted()).toEqual(['first', 'last']);
    for (const path of kept) await rm(path, { recursive: true });
  });

  it('has nothing to sweep and nothing to list before its folder exists', async () => {
    const empty = new DiskObjectStore(join(folder, 'never'));
    expect([await empty.sweep(new Date()), await empty.list('', 10)]).toEqual([0, []]);
  });
});

describeWithS3(`a store of an S3-compatible server${note}`, () => {
  const bucket = `tasktree-${randomUUID()}`;
  let store: S3ObjectStore;
  let client: S3Client;
  beforeAll(async () => {
    client = new S3Client({
      endpoint: S3_TEST_ENDPOINT,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: S3_TEST_ACCESS_KEY_ID, secretAccessKey: S3_TEST_SECRET_ACCESS_KEY },
    });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    store = new S3ObjectStore(bucket, settings);
  });

  const unfinished = async (): Promise<number> =>
    (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads?.length ?? 0;
  behavesAsAStore(() => store, unfinished);

  it('sweeps what a dead process left, and not what is on its way', async () => {
    const bytes = randomBytes(10);
    await store.stage(keyOf(bytes), stream(bytes));
    expect([await store.sweep(new Date(Date.now() - 3_600_000)), await unfinished()]).toEqual([0, 1]);
    expect([await store.sweep(new Date(Date.now() + 60_000)), await unfinished()]).toEqual([1, 0]);
  });

  it('takes uploads over HTTP, and gives them back', async () => {
    const app = await ArtifactsApp.start({ ...settings, artifactS3Bucket: bucket });
    const worker = await app.caller();
    const bytes = randomBytes(9 * MIB);
    const path = `/v1/artifacts/${sha256(bytes)}`;
    expect((await app.upload(worker, randomBytes(9 * MIB), { path })).body.error.code).toBe('invalid_body');
    expect([await store.sizeOf(keyOf(bytes)), await unfinished()]).toEqual([null, 0]);
    const { status, body } = await app.upload(worker, bytes);
    expect(status).toBe(200);
    expect(await app.custody.verifyReceipt(worker.accountId, sha256(bytes), body.custody_receipt)).toEqual({
      bytes: 9 * MIB,
    });
    expect((await contentOf(await app.custody.openArtifact(sha256(bytes))))?.equals(bytes)).toBe(true);
    expect(await app.files()).toEqual([]);
    await app.close();
  });

  it('refuses, as not available, with another secret or without the bucket', async () => {
    const locked = new S3ObjectStore(bucket, { ...settings, artifactS3SecretAccessKey: 'wrong' });
    const nowhere = new S3ObjectStore(`${bucket.slice(0, 50)}-none`, settings);
    for (const broken of [locked, nowhere]) {
      await expect(broken.open('a'.repeat(64))).rejects.toMatchObject({ code: 'service_unavailable' });
      const staged = broken.stage('a'.repeat(64), stream(randomBytes(10)));
      await expect(staged).rejects.toMatchObject({ code: 'service_unavailable' });
    }
  });
});

describe('an S3-compatible server that fails', () => {
  let server: Server;
  let endpoint: string;
  let answer = 500;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      request.once('end', () => response.writeHead(answer, { 'Content-Type': 'application/xml' }).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const environmentAt = (artifactS3Endpoint: string): Partial<Environment> => ({
    artifactS3Endpoint,
    artifactS3Bucket: 'tasktree',
    artifactS3AccessKeyId: 'id',
    artifactS3SecretAccessKey: 'the-secret-of-the-store',
  });

  it.each([
    ['cannot be reached', () => 'http://127.0.0.1:1', 500],
    ['answers 500', () => endpoint, 500],
    ['answers 403', () => endpoint, 403],
  ])('%s: 503, the key stays free, nothing of the store is told', async (_how, at, status) => {
    answer = status;
    const app = await ArtifactsApp.start(environmentAt(at()));
    const worker = await app.caller();
    const bytes = randomBytes(100_000);
    const key = randomUUID();
    const refused = await app.upload(worker, bytes, { key });
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
    expect(refused.headers['retry-after']).toBeDefined();
    expect(refused.bytes.toString('utf8')).not.toMatch(/127\.0\.0\.1|secret|bucket/);
    const [{ count }] = await app.dataSource.query('SELECT count(*)::int FROM artifact_custody');
    expect(count).toBe(0);
    expect((await app.upload(worker, bytes, { key })).body.error.code).toBe('service_unavailable');
    await app.close();
  });

  it('is not waited for when the service starts', async () => {
    const app = await ArtifactsApp.start(environmentAt('http://127.0.0.1:1'));
    await eventually(async () => (await app.get('/v1/artifacts/x', null)).status === 405);
    await app.close();
  });
});
