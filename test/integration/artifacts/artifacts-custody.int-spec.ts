import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hex } from '../../../libs/kernel/src/index.js';
import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { DeliveryEntity } from '../../../src/modules/deliveries/delivery.entity.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { MarketRows } from '../../support/market-rows.js';
import { eventually } from '../../support/eventually.js';
import type { Caller } from '../../support/test-service.js';
import { ArtifactsApp, sha256, type Upload } from './artifacts-app.js';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let app: ArtifactsApp;
let rows: MarketRows;
let buyer: Caller;
let worker: Caller;
let subworker: Caller;
let stranger: Caller;

beforeAll(async () => {
  app = await ArtifactsApp.start();
  rows = new MarketRows(app.dataSource);
  [buyer, worker, subworker, stranger] = [
    await app.caller(),
    await app.caller(),
    await app.caller(),
    await app.caller(),
  ];
});

afterEach(() => {
  app.clock.aheadMs = 0;
});

afterAll(async () => {
  await app?.close();
});

const removeBytes = (hash: Hex): Promise<void> =>
  rm(join(app.folder, 'store', 'sha256', hash.slice(2, 4), hash.slice(2)));

describe('a receipt of custody', () => {
  const bytes = randomBytes(1_234);
  const hash = sha256(bytes);
  let receipt: string;
  beforeAll(async () => {
    receipt = (await app.upload(worker, bytes)).body.custody_receipt;
  });

  it('proves that this account brought this artifact, in either spelling of the hash', async () => {
    expect(await app.custody.verifyReceipt(worker.accountId, hash, receipt)).toEqual({ bytes: 1_234 });
    const capitals: Hex = `0x${hash.slice(2).toUpperCase()}`;
    expect(await app.custody.verifyReceipt(worker.accountId, capitals, receipt)).toEqual({ bytes: 1_234 });
  });

  it('is nothing in the hands of another account, also one that brought the same artifact', async () => {
    expect(await app.custody.verifyReceipt(stranger.accountId, hash, receipt)).toBeNull();
    await app.upload(subworker, bytes);
    expect(await app.custody.verifyReceipt(subworker.accountId, hash, receipt)).toBeNull();
  });

  it('is nothing for another artifact of the same account', async () => {
    const second = randomBytes(1_234);
    await app.upload(worker, second);
    expect(await app.custody.verifyReceipt(worker.accountId, sha256(second), receipt)).toBeNull();
  });

  it('cannot be made or changed by anybody else', async () => {
    const changed = `${receipt.slice(0, 20)}${receipt[20] === 'A' ? 'B' : 'A'}${receipt.slice(21)}`;
    const forged = ['', 'x', 'A'.repeat(5_000), randomBytes(40).toString('base64url'), changed, receipt.slice(1)];
    forged.push(`${receipt}\n`, `${receipt}=`);
    for (const text of forged) {
      expect(await app.custody.verifyReceipt(worker.accountId, hash, text)).toBeNull();
    }
  });

  it('is nothing once the artifact is gone from the store', async () => {
    const lost = randomBytes(100);
    const { body } = await app.upload(worker, lost);
    await removeBytes(sha256(lost));
    expect(await app.custody.verifyReceipt(worker.accountId, sha256(lost), body.custody_receipt)).toBeNull();
  });
});

interface Delivered {
  node: EscrowNodeEntity;
  deliveryId: string;
  hash: Hex;
  content: Buffer;
}

/** A root node of `worker`, paid by `buyer`, with a delivery whose artifact is in the worker's custody. */
async function delivered(
  state: EscrowNodeEntity['state'],
  change: { clock?: Date; upload?: Upload | null; content?: Buffer } = {},
): Promise<Delivered> {
  const content = change.content ?? randomBytes(5_000);
  const hash = sha256(content);
  if (change.upload !== null) await app.upload(worker, content, change.upload);
  const task = await rows.task(buyer.accountId);
  const node = await rows.node(task, {
    path: 1n,
    workerAccountId: worker.accountId,
    workerWallet: WALLET,
    state,
    artifactHash: hash,
    ...(change.clock ? { clock: change.clock } : {}),
  });
  return { node, deliveryId: await rows.delivery(node, buyer.accountId, buyer.accountId), hash, content };
}

const ask = (caller: Caller, deliveryId: string) => app.get(`/v1/deliveries/${deliveryId}/artifact`, caller.keys.read);
const codeOf = async (caller: Caller, deliveryId: string): Promise<string> => {
  const { status, body } = await ask(caller, deliveryId);
  return status === 200 ? 'link' : body.error.code;
};
/** The path of a link's URL, whose host is that of the deployment. */
const linkOf = async (caller: Caller, deliveryId: string): Promise<string> => {
  const { body } = await ask(caller, deliveryId);
  return new URL(body.url).pathname;
};

describe('who gets a link to the whole artifact', () => {
  it.each<[EscrowNodeEntity['state'], string]>([
    ['delivered', 'state_conflict'],
    ['rejected', 'state_conflict'],
    ['disputed', 'state_conflict'],
    ['refunded', 'state_conflict'],
    ['released', 'link'],
  ])('of a %s node: the payer %s; the worker always, nobody else ever', async (state, payer) => {
    const { deliveryId } = await delivered(state);
    expect([
      await codeOf(buyer, deliveryId),
      await codeOf(worker, deliveryId),
      await codeOf(subworker, deliveryId),
      await codeOf(stranger, deliveryId),
    ]).toEqual([payer, 'link', 'not_found', 'not_found']);
  });

  it('the payer before the release is told where the preview is', async () => {
    const { deliveryId, node } = await delivered('delivered');
    const { status, body } = await ask(buyer, deliveryId);
    expect([status, body.error.suggestion]).toEqual([409, expect.stringContaining(`/v1/tasks/${node.taskId}/preview`)]);
  });

  it.each<EscrowNodeEntity['state']>(['delivered', 'disputed'])(
    'silence releases: a %s node whose clock has passed',
    async (state) => {
      const { deliveryId, node } = await delivered(state, { clock: new Date(Date.now() + 60_000) });
      expect(await codeOf(buyer, deliveryId)).toBe('state_conflict');
      app.clock.aheadMs = node.clock.getTime() - Date.now() - 30_000;
      expect(await codeOf(buyer, deliveryId)).toBe('state_conflict');
      app.clock.aheadMs += 60_000;
      expect(await codeOf(buyer, deliveryId)).toBe('link');
    },
  );

  it('silence releases nothing where the money went back with the node above', async () => {
    const { node: root } = await delivered('refunded');
    const content = randomBytes(100);
    await app.upload(subworker, content);
    const task = { id: root.taskId, buyerAccountId: buyer.accountId, buyerWallet: WALLET } as never;
    const child = await rows.node(task, {
      path: 2n,
      parentNodeId: root.id,
      hirerAccountId: worker.accountId,
      hirerFunded: false,
      workerAccountId: subworker.accountId,
      workerWallet: WALLET,
      state: 'delivered',
      artifactHash: sha256(content),
      clock: new Date(Date.now() - 60_000),
    });
    const deliveryId = await rows.delivery(child, worker.accountId, buyer.accountId);
    expect(await codeOf(worker, deliveryId)).toBe('state_conflict');
    await app.dataSource.manager.update(EscrowNodeEntity, { id: root.id }, { state: 'funded' });
    expect(await codeOf(worker, deliveryId)).toBe('link');
    // The buyer of the tree may see the delivery, but the worker of the node above is the one who pays for it.
    expect(await codeOf(buyer, deliveryId)).toBe('preview_not_permitted');
  });

  it('an earlier delivery that was replaced stays with its worker', async () => {
    const { node, deliveryId } = await delivered('released');
    await app.dataSource.manager.update(EscrowNodeEntity, { id: node.id }, { artifactHash: `0x${'ef'.repeat(32)}` });
    expect([await codeOf(buyer, deliveryId), await codeOf(worker, deliveryId)]).toEqual(['state_conflict', 'link']);
  });

  it('there is none for what is not in custody, be it brought by another account than the worker', async () => {
    const { deliveryId, content, hash } = await delivered('released', { upload: null });
    expect([await codeOf(buyer, deliveryId), await codeOf(worker, deliveryId)]).toEqual(['not_found', 'not_found']);
    await app.upload(stranger, content);
    expect(await codeOf(buyer, deliveryId)).toBe('not_found');
    await app.upload(worker, content);
    expect(await codeOf(buyer, deliveryId)).toBe('link');
    await removeBytes(hash);
    expect(await codeOf(buyer, deliveryId)).toBe('not_found');
  });

  it('needs the scope read, and an id', async () => {
    const { deliveryId } = await delivered('released');
    const path = `/v1/deliveries/${deliveryId}/artifact`;
    expect((await app.get(path, buyer.keys.buyer)).body.error.code).toBe('insufficient_scope');
    expect((await app.get('/v1/deliveries/a%20b/artifact', buyer.keys.read)).body.error.code).toBe('invalid_parameter');
  });
});

describe('a link', () => {
  it('says what it opens, and opens all of it, as a file', async () => {
    const { deliveryId, content, hash } = await delivered('released', {
      upload: { headers: { 'Content-Type': 'text/html' } },
    });
    const { body } = await ask(buyer, deliveryId);
    expect(body).toEqual({
      url: expect.stringMatching(/^https:\/\/market\.example\/artifacts\/[\w-]+$/),
      expires_at: expect.any(String),
      artifact_hash: hash,
      bytes: 5_000,
      media_type: 'text/html',
    });
    expect(Math.abs(Date.parse(body.expires_at) - Date.now() - 600_000)).toBeLessThan(5_000);
    const { status, headers, bytes } = await app.get(new URL(body.url).pathname, null);
    expect([status, bytes.equals(content)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '5000',
      'content-disposition': expect.stringMatching(/^attachment; filename="artifact-[0-9a-f]{16}"$/),
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'repr-digest': `sha-256=:${Buffer.from(hash.slice(2), 'hex').toString('base64')}:`,
    });
  });

  it('answers HEAD with the headers alone', async () => {
    const { deliveryId } = await delivered('released', { upload: { headers: { 'Content-Type': 'text/plain' } } });
    const { status, headers, bytes } = await app.get(await linkOf(buyer, deliveryId), null, 'HEAD');
    expect([status, headers['content-length'], headers['content-type'], bytes.length]).toEqual([
      200,
      '5000',
      'text/plain',
      0,
    ]);
  });

  it('says nothing about why it does not open', async () => {
    const { deliveryId } = await delivered('released');
    const link = await linkOf(buyer, deliveryId);
    const token = link.slice('/artifacts/'.length);
    const changed = `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`;
    const wrong = ['x', 'A'.repeat(5_000), changed, token.slice(1), '..%2f..%2fstore', `0x${'ab'.repeat(32)}`];
    const answers = await Promise.all(wrong.map((text) => app.get(`/artifacts/${text}`, null)));
    app.clock.aheadMs = 580_000;
    expect((await app.get(link, null)).status).toBe(200);
    app.clock.aheadMs = 601_000;
    answers.push(await app.get(link, null));
    expect(new Set(answers.map(({ status, bytes }) => `${status} ${bytes.toString('utf8')}`)).size).toBe(1);
    expect(answers[0]?.body.error.code).toBe('not_found');
  });

  it('ends with the release, when a reorganisation takes that back; not for the worker', async () => {
    const { deliveryId, node } = await delivered('released');
    const [payers, workers] = [await linkOf(buyer, deliveryId), await linkOf(worker, deliveryId)];
    await app.dataSource.manager.update(EscrowNodeEntity, { id: node.id }, { state: 'delivered' });
    expect([(await app.get(payers, null)).status, (await app.get(workers, null)).status]).toEqual([404, 200]);
    await app.dataSource.manager.delete(DeliveryEntity, { id: deliveryId });
    expect((await app.get(workers, null)).status).toBe(404);
  });

  it('opens nothing while the account that asked for it is suspended', async () => {
    const { deliveryId } = await delivered('released');
    const link = await linkOf(buyer, deliveryId);
    const previewed = await app.get(`/v1/deliveries/${deliveryId}/artifact`, worker.keys.read);
    const accounts = app.part(AccountsService);
    await accounts.suspend(buyer.accountId, null);
    const wrong = await app.get('/artifacts/x', null);
    const refused = await app.get(link, null);
    expect([refused.status, refused.body]).toEqual([404, wrong.body]);
    expect((await app.get(new URL(previewed.body.url).pathname, null)).status).toBe(200);
    await accounts.resume(buyer.accountId, null);
    expect((await app.get(link, null)).status).toBe(200);
  });

  it('leaves no open file behind when the reader goes away', async () => {
    const { deliveryId } = await delivered('released', { content: randomBytes(4_000_000) });
    const { request, answer } = app.request('GET', await linkOf(buyer, deliveryId), null);
    request.once('response', (response) => response.once('data', () => request.destroy()));
    request.end();
    await expect(answer).rejects.toThrow();
    await eventually(async () => (await openConnections()) === 0);
  });
});

function openConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

it('the condition under which a delivery is available names the custody of its own worker', async () => {
  const { deliveryId, content } = await delivered('delivered', { upload: null });
  const isAvailable = async (): Promise<boolean> => {
    const [{ available }] = await app.dataSource.query(
      `SELECT EXISTS (SELECT 1 FROM artifact_custody custody
                       WHERE custody.account_id = delivery.worker_account_id
                         AND custody.artifact_hash = delivery.artifact_hash) AS available
         FROM deliveries delivery WHERE id = $1`,
      [deliveryId],
    );
    return available;
  };
  await app.upload(stranger, content);
  expect(await isAvailable()).toBe(false);
  await app.upload(worker, content);
  expect(await isAvailable()).toBe(true);
});
