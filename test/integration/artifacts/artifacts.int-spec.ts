import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import type { Caller } from '../../support/test-service.js';
import { ArtifactsApp, sha256 } from './artifacts-app.js';

const LIMIT = 128 * 1024 * 1024;
const MIB = 1024 * 1024;

let app: ArtifactsApp;
let small: ArtifactsApp;
let worker: Caller;
let other: Caller;

beforeAll(async () => {
  app = await ArtifactsApp.start({ artifactMaxBytes: LIMIT });
  small = await ArtifactsApp.start({ artifactMaxBytes: 2 * MIB });
  [worker, other] = [await app.caller(), await app.caller()];
});

afterAll(async () => {
  await app?.close();
  await small?.close();
});

const nameOf = (bytes: Buffer): string => sha256(bytes).slice(2);
const pathOf = (bytes: Buffer): string => join(app.folder, 'store', 'sha256', nameOf(bytes).slice(0, 2), nameOf(bytes));
const isStored = async (bytes: Buffer): Promise<boolean> => (await app.files()).includes(nameOf(bytes));
const custodyRows = async (bytes: Buffer): Promise<number> => {
  const [{ count }] = await app.dataSource.query(
    'SELECT count(*)::int FROM artifact_custody WHERE artifact_hash = $1',
    [sha256(bytes)],
  );
  return count;
};
/** True when the store holds no unfinished file, that is when every file is an artifact. */
const isTidy = async (of = app): Promise<boolean> => (await of.files()).every((name) => /^[0-9a-f]{64}$/.test(name));

describe('an upload', () => {
  it('is kept under its digest, for this user alone, and answered with a receipt', async () => {
    const bytes = randomBytes(300_000);
    const { status, body } = await app.upload(worker, bytes);
    expect([status, body]).toEqual([
      200,
      {
        artifact_hash: sha256(bytes),
        custody_receipt: expect.stringMatching(/^[\w-]{16,512}$/),
        bytes: 300_000,
        kept_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    ]);
    expect(await readFile(pathOf(bytes))).toEqual(bytes);
    expect((await stat(pathOf(bytes))).mode & 0o777).toBe(0o600);
    expect((await stat(join(app.folder, 'store'))).mode & 0o777).toBe(0o700);
    expect(await isTidy()).toBe(true);
  });

  it('takes a body without a stated length, and a path in capitals', async () => {
    const bytes = randomBytes(200_000);
    const path = `/v1/artifacts/0x${nameOf(bytes).toUpperCase()}`;
    const { status, body } = await app.upload(worker, bytes, { chunked: true, path });
    expect([status, body.artifact_hash]).toEqual([200, sha256(bytes)]);
  });

  it('keeps what the sender says of the type, and nothing that is no type', async () => {
    const [typed, odd] = [randomBytes(10), randomBytes(10)];
    await app.upload(worker, typed, { headers: { 'Content-Type': 'Text/Markdown; charset=utf-8' } });
    await app.upload(worker, odd, { headers: { 'Content-Type': 'text/<script>' } });
    const types = await app.dataSource.query('SELECT media_type FROM artifact_custody WHERE artifact_hash = ANY ($1)', [
      [sha256(typed), sha256(odd)],
    ]);
    expect(types.map((row: { media_type: string }) => row.media_type).sort()).toEqual([
      'application/octet-stream',
      'text/markdown',
    ]);
  });

  it('of 64 MiB is never in memory', async () => {
    const chunk = randomBytes(MIB);
    const digest = createHash('sha256');
    for (let part = 0; part < 64; part += 1) digest.update(chunk);
    const hash = `0x${digest.digest('hex')}`;
    const { request, answer } = app.request('PUT', `/v1/artifacts/${hash}`, worker.keys.worker, {
      chunked: true,
      key: randomUUID(),
    });
    const before = process.memoryUsage().rss;
    let most = 0;
    for (let sent = 0; sent < 64; sent += 1) {
      if (!request.write(chunk)) await new Promise((resolve) => request.once('drain', resolve));
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    request.end();
    expect((await answer).body).toMatchObject({ artifact_hash: hash, bytes: 64 * MIB });
    expect(most).toBeLessThan(40 * MIB);
  });

  it('may take longer than any other request', async () => {
    const bytes = randomBytes(120);
    // Node checks for late requests only every five seconds, whatever the limit is.
    app.server.headersTimeout = 1_000;
    app.server.requestTimeout = 1_000;
    const { request, answer } = app.request('PUT', `/v1/artifacts/${sha256(bytes)}`, worker.keys.worker, {
      chunked: true,
      key: randomUUID(),
    });
    for (let sent = 0; sent < 120; sent += 10) {
      request.write(bytes.subarray(sent, sent + 10));
      await sleep(600);
    }
    request.end();
    expect((await answer).status).toBe(200);
    app.server.headersTimeout = 30_000;
    app.server.requestTimeout = 30_000;
  });
});

describe('what is refused leaves nothing', () => {
  it('bytes with another digest than the path says; the key stays free for the right ones', async () => {
    const [promised, sent] = [randomBytes(5_000), randomBytes(5_000)];
    const key = randomUUID();
    const path = `/v1/artifacts/${sha256(promised)}`;
    const refused = await app.upload(worker, sent, { path, key });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_body']);
    expect(JSON.stringify(refused.body)).not.toContain(nameOf(sent));
    expect([await isStored(promised), await isStored(sent), await isTidy()]).toEqual([false, false, true]);
    expect((await app.upload(worker, promised, { path, key })).status).toBe(200);
  });

  it.each([
    ['stated', false],
    ['found out while it comes', true],
  ])('more bytes than are allowed, %s', async (_how, chunked) => {
    const caller = await small.caller();
    const bytes = randomBytes(3 * MIB);
    const { status, headers, body } = await small.upload(caller, bytes, { chunked });
    expect([status, body.error.code, headers.connection]).toEqual([413, 'payload_too_large', 'close']);
    expect(await small.files()).toEqual([]);
  });

  it('exactly as many as are allowed are taken', async () => {
    expect((await small.upload(await small.caller(), randomBytes(2 * MIB))).status).toBe(200);
  });

  it('no bytes at all, also under the digest of nothing', async () => {
    for (const chunked of [false, true]) {
      const { status, body } = await app.upload(worker, Buffer.alloc(0), { chunked });
      expect([status, body.error.code]).toEqual([400, 'invalid_body']);
    }
    expect(await isStored(Buffer.alloc(0))).toBe(false);
  });

  it.each([
    ['content-encoding', 'gzip', 415, 'unsupported_media_type'],
    ['content-range', 'bytes 0-9/20', 400, 'invalid_request'],
  ])('a body with %s', async (name, value, status, code) => {
    const bytes = randomBytes(10);
    const answer = await app.upload(worker, bytes, { headers: { [name]: value } });
    expect([answer.status, answer.body.error.code, await isStored(bytes)]).toEqual([status, code, false]);
  });

  it('a connection that is lost in the middle', async () => {
    const bytes = randomBytes(MIB);
    const { request, answer } = app.request('PUT', `/v1/artifacts/${sha256(bytes)}`, worker.keys.worker, {
      chunked: true,
      key: randomUUID(),
    });
    request.write(bytes.subarray(0, 600_000));
    await eventually(async () => !(await isTidy()));
    request.destroy();
    await expect(answer).rejects.toThrow();
    await eventually(isTidy);
    expect([await isStored(bytes), await custodyRows(bytes)]).toEqual([false, 0]);
  });

  it('a body that ends before the length that was stated', async () => {
    const bytes = randomBytes(1_000);
    const socket = net.connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(
      `PUT /v1/artifacts/${sha256(bytes)} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${worker.keys.worker}\r\n` +
        `Idempotency-Key: ${randomUUID()}\r\nContent-Length: 2000\r\n\r\n`,
    );
    socket.end(bytes);
    await new Promise((resolve) => socket.once('close', resolve).resume());
    await eventually(isTidy);
    expect([await isStored(bytes), await custodyRows(bytes)]).toEqual([false, 0]);
  });
});

describe('before a byte of the body is looked at', () => {
  it.each<[string, number, string, (bytes: Buffer) => { path?: string; scope?: 'read'; key?: string | undefined }]>([
    ['another scope', 403, 'insufficient_scope', () => ({ scope: 'read' })],
    ['no key', 400, 'idempotency_key_missing', () => ({ key: undefined })],
    ['a path without 0x', 400, 'invalid_parameter', (bytes) => ({ path: `/v1/artifacts/${nameOf(bytes)}` })],
    ['a short path', 400, 'invalid_parameter', (bytes) => ({ path: `/v1/artifacts/${sha256(bytes).slice(0, 65)}` })],
    ['a path upwards', 400, 'invalid_parameter', () => ({ path: '/v1/artifacts/..%2f..%2f..%2fetc%2fpasswd' })],
    ['an unknown parameter', 400, 'unknown_parameter', (bytes) => ({ path: `/v1/artifacts/${sha256(bytes)}?a=b` })],
  ])('%s is refused, and a large body ends the connection', async (_what, status, code, options) => {
    const bytes = randomBytes(100_000);
    const { path = `/v1/artifacts/${sha256(bytes)}`, scope = 'worker', ...rest } = options(bytes);
    const settings = { key: randomUUID(), headers: { 'Content-Length': '100000' }, ...rest };
    const { request, answer } = app.request('PUT', path, worker.keys[scope], settings);
    request.flushHeaders();
    const { body, headers, ...refused } = await answer;
    expect([refused.status, body.error.code, headers.connection]).toEqual([status, code, 'close']);
    expect([await isStored(bytes), await isTidy()]).toEqual([false, true]);
    request.destroy();
  });

  it('a fifth upload of one account at once is told to wait, and another account is not', async () => {
    const bytes = randomBytes(1_000);
    const path = `/v1/artifacts/${sha256(bytes)}`;
    const open = Array.from({ length: 4 }, () =>
      app.request('PUT', path, worker.keys.worker, { chunked: true, key: randomUUID(), chunks: [bytes] }),
    );
    await eventually(async () => (await app.files()).filter((name) => name.includes('-')).length === 4);
    const fifth = await app.upload(worker, bytes);
    expect([fifth.status, fifth.body.error.code, fifth.headers['retry-after']]).toEqual([429, 'rate_limited', '5']);
    expect((await app.upload(other, bytes)).status).toBe(200);
    for (const { request } of open) request.end();
    const answers = await Promise.all(open.map(({ answer }) => answer));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await app.upload(worker, bytes)).status).toBe(200);
  });
});

describe('the same again', () => {
  it('with the same key gives the same answer, and once more nothing is left beside the artifact', async () => {
    const bytes = randomBytes(2_000);
    const key = randomUUID();
    const first = await app.upload(worker, bytes, { key });
    const again = await app.upload(worker, bytes, { key });
    expect(again.bytes).toEqual(first.bytes);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    await eventually(isTidy);
    expect(await custodyRows(bytes)).toBe(1);
  });

  it('with the same key, another artifact is refused and not kept', async () => {
    const [one, two] = [randomBytes(2_000), randomBytes(2_000)];
    const key = randomUUID();
    await app.upload(worker, one, { key });
    const { status, body } = await app.upload(worker, two, { key });
    expect([status, body.error.code]).toEqual([409, 'idempotency_key_conflict']);
    await eventually(isTidy);
    expect([await isStored(two), await custodyRows(two)]).toEqual([false, 0]);
  });

  it('with the same key, other bytes are refused even for an artifact that is in custody', async () => {
    const bytes = randomBytes(2_000);
    const key = randomUUID();
    await app.upload(worker, bytes, { key });
    const path = `/v1/artifacts/${sha256(bytes)}`;
    expect((await app.upload(worker, randomBytes(2_000), { key, path })).body.error.code).toBe('invalid_body');
    expect(await readFile(pathOf(bytes))).toEqual(bytes);
  });

  it('at the same moment, by two accounts and twice by one, is stored once and in the custody of both', async () => {
    const bytes = randomBytes(MIB);
    const answers = await Promise.all([worker, worker, other].map((caller) => app.upload(caller, bytes)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.custody_receipt)).size).toBe(3);
    expect([(await app.files()).filter((name) => name === nameOf(bytes)).length, await isTidy()]).toEqual([1, true]);
    expect(await custodyRows(bytes)).toBe(2);
  });

  it('by another account tells nothing: it must send the bytes, and gets the same members', async () => {
    const bytes = randomBytes(1_000);
    const [first, second] = [await app.upload(worker, bytes), await app.upload(other, bytes)];
    expect(Object.keys(second.body)).toEqual(Object.keys(first.body));
    const path = `/v1/artifacts/${sha256(bytes)}`;
    expect((await app.upload(other, Buffer.from('guess'), { path })).body.error.code).toBe('invalid_body');
  });
});

it('a store that cannot write answers 503 and keeps the key free', async () => {
  const broken = await ArtifactsApp.start();
  // A file where the folder should be makes writing fail even for root, who may write anywhere.
  await writeFile(join(broken.folder, 'store'), '');
  const { status, body, headers } = await broken.upload(await broken.caller(), randomBytes(100));
  expect([status, body.error.code]).toEqual([503, 'service_unavailable']);
  expect(headers['retry-after']).toBeDefined();
  expect(JSON.stringify(body)).not.toContain(broken.folder);
  await broken.close();
});
