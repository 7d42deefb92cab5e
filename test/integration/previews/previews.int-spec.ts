import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { childPath, type Hex } from '#libs/kernel';
import { ReceivedArtifact } from '../../../src/modules/artifacts/custody/received-artifact.js';
import { CustodyQuota } from '../../../src/modules/artifacts/custody/custody-quota.js';
import { DownloadLimit } from '../../../src/modules/artifacts/download/download-limit.js';
import { LinkOpenings } from '../../../src/modules/artifacts/download/link-openings.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { FallbackWindowCounter } from '../../../src/platform/rate-limit/counters/fallback-window-counter.js';
import { RateLimitStore } from '../../../src/platform/rate-limit/rate-limit.store.js';
import { testEnvironment } from '../../support/test-environment.js';
import { CustodyReceipts } from '../../../src/modules/artifacts/custody/custody-receipts.js';
import { Custody } from '../../../src/modules/artifacts/custody/custody.service.js';
import { DeliveryEntity } from '../../../src/modules/deliveries/delivery.entity.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { PreviewFacts } from '../../../src/modules/previews/delivered-work/preview-facts.js';
import { PreviewLinks } from '../../../src/modules/previews/preview-links.js';
import { PreviewPageController } from '../../../src/modules/previews/preview-page.controller.js';
import { PreviewsService } from '../../../src/modules/previews/previews.service.js';
import { TaskAccess } from '../../../src/modules/tasks/visibility/task-access.js';
import type { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { SearchConnections } from '../../../src/platform/database/reads/read-connections.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { DiskObjectStore } from '../../../src/platform/storage/disk-object-store.js';
import { ObjectStore } from '../../../src/platform/storage/object-store.js';
import { Sealer } from '../../../src/platform/secrets/sealer.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { createMigratedDatabase } from '../../support/database.js';
import { MarketRows } from '../../support/market-rows.js';
import { SteppingClock } from '../../support/stepping-clock.js';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BASE_URL = 'https://api.example.com/market';

let dataSource: DataSource;
let app: INestApplication;
let rows: MarketRows;
let previews: PreviewsService;
let folder: string;
const clock = new SteppingClock();
const accounts: Record<'buyer' | 'worker' | 'subworker' | 'agentOwner' | 'retired' | 'stranger', string> = {} as never;

beforeAll(async () => {
  ({ dataSource } = await createMigratedDatabase());
  rows = new MarketRows(dataSource);
  const environment = testEnvironment('postgres://unused.invalid', { baseUrl: BASE_URL });
  // The counter of a process whose store is unreachable, so that it counts in memory.
  const away = { add: () => Promise.reject(new Error('away')), close: () => Promise.resolve() };
  const limits = new RateLimitStore(new FallbackWindowCounter(away, clock), clock);
  folder = await mkdtemp(join(tmpdir(), 'tasktree-previews-'));
  const testing = await Test.createTestingModule({
    controllers: [PreviewPageController],
    providers: [
      { provide: Environment, useValue: environment },
      { provide: DataSource, useValue: dataSource },
      { provide: Clock, useValue: clock },
      Transactions,
      { provide: SearchConnections, useFactory: () => new SearchConnections(environment) },
      { provide: Sealer, useFactory: () => new Sealer(environment) },
      TaskAccess,
      PreviewFacts,
      PreviewLinks,
      PreviewsService,
      { provide: ObjectStore, useValue: new DiskObjectStore(folder) },
      { provide: RateLimitStore, useValue: limits },
      DownloadLimit,
      LinkOpenings,
      Metrics,
      CustodyReceipts,
      CustodyQuota,
      Custody,
    ],
  }).compile();
  app = testing.createNestApplication({ logger: false });
  // Sets what the whole service sets for every request, because an error page names it.
  app.use((request: any, _response: unknown, next: () => void) => {
    request.context = { requestId: 'request-of-the-test' };
    next();
  });
  await app.listen(0, '127.0.0.1');
  previews = app.get(PreviewsService);
  for (const name of ['buyer', 'worker', 'subworker', 'agentOwner', 'retired', 'stranger'] as const) {
    accounts[name] = await rows.account(name);
  }
  await rows.agent(accounts.agentOwner, WALLET);
  await rows.agent(accounts.retired, WALLET, 'retired');
});

afterEach(() => {
  clock.aheadMs = 0;
});

afterAll(async () => {
  await app?.close();
  await dataSource?.destroy();
  await rm(folder, { recursive: true, force: true });
});

const tokenOf = (url: string): string => url.split('/').pop() ?? '';

async function outcome(account: string, task: TaskEntity): Promise<string> {
  try {
    const { url } = await previews.issue(account, task.id);
    const { json } = await previews.open(tokenOf(url));
    return json.delivery ? 'delivery' : 'brief';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

async function outcomes(task: TaskEntity): Promise<Record<string, string>> {
  const entries = Object.entries(accounts).map(async ([name, id]) => [name, await outcome(id, task)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Writes a root node of `worker`, and a child node of `subworker` that `worker` pays for. */
async function withNodes(
  task: TaskEntity,
  state: 'funded' | 'delivered',
): Promise<{ root: EscrowNodeEntity; child: EscrowNodeEntity }> {
  const artifactHash = state === 'delivered' ? `0x${'cd'.repeat(32)}` : null;
  const common = { workerWallet: WALLET, state, artifactHash };
  const root = await rows.node(task, { path: 1n, workerAccountId: accounts.worker, ...common });
  const child = await rows.node(task, {
    path: childPath(1n, 2),
    workerAccountId: accounts.subworker,
    hirerAccountId: accounts.worker,
    ...common,
  });
  return { root, child };
}

describe('who gets which preview', () => {
  it('of a public task before anything is delivered', async () => {
    const task = await rows.task(accounts.buyer);
    await withNodes(task, 'funded');
    expect(await outcomes(task)).toEqual({
      buyer: 'preview_not_permitted',
      worker: 'brief',
      subworker: 'brief',
      agentOwner: 'brief',
      retired: 'preview_not_permitted',
      stranger: 'preview_not_permitted',
    });
  });

  it('of a public task with deliveries', async () => {
    const task = await rows.task(accounts.buyer);
    const { root, child } = await withNodes(task, 'delivered');
    await rows.delivery(root, accounts.buyer, accounts.buyer);
    await rows.delivery(child, accounts.worker, accounts.buyer);
    expect(await outcomes(task)).toMatchObject({
      buyer: 'delivery',
      worker: 'delivery',
      subworker: 'brief',
      stranger: 'preview_not_permitted',
    });
  });

  it('of a curated task: nobody but its parties knows that it exists', async () => {
    const task = await rows.task(accounts.buyer, { tier: 'private_curated' });
    await rows.party(accounts.retired, task.id, 'invited');
    await withNodes(task, 'funded');
    expect(await outcomes(task)).toEqual({
      buyer: 'preview_not_permitted',
      worker: 'brief',
      subworker: 'brief',
      agentOwner: 'not_found',
      retired: 'brief',
      stranger: 'not_found',
    });
  });

  it('of a draft: its buyer alone sees that it exists', async () => {
    const task = await rows.task(accounts.buyer, { status: 'draft' });
    expect(await outcomes(task)).toMatchObject({ buyer: 'preview_not_permitted', agentOwner: 'not_found' });
  });
});

describe('a preview link', () => {
  it('opens for ten minutes under the public URL', async () => {
    const task = await rows.task(accounts.buyer);
    const { url, expires_at } = await previews.issue(accounts.agentOwner, task.id);
    expect(url.startsWith(`${BASE_URL}/previews/`)).toBe(true);
    expect(url).not.toContain(task.id);
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 600_000)).toBeLessThan(5_000);
    clock.aheadMs = 595_000;
    expect((await previews.open(tokenOf(url))).json.brief?.brief).toBe(task.brief);
    clock.aheadMs = 600_001;
    await expect(previews.open(tokenOf(url))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says nothing about why it does not open', async () => {
    const task = await rows.task(accounts.buyer);
    const { url } = await previews.issue(accounts.agentOwner, task.id);
    const token = tokenOf(url);
    const changed = `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`;
    clock.aheadMs = 0;
    const wrong = ['', 'x', '../..', 'A'.repeat(5_000), changed, token.slice(1)];
    const bodies = await Promise.all(
      wrong.map((text) => previews.open(text).catch((error) => JSON.stringify(error.body()))),
    );
    clock.aheadMs = 700_000;
    bodies.push(await previews.open(token).catch((error) => JSON.stringify(error.body())));
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('not_found');
  });

  it('opens nothing while its account is suspended', async () => {
    const task = await rows.task(accounts.buyer);
    const { url } = await previews.issue(accounts.agentOwner, task.id);
    const becomes = (status: string) =>
      dataSource.query('UPDATE accounts SET status = $2 WHERE id = $1', [accounts.agentOwner, status]);
    await becomes('suspended');
    await expect(previews.open(tokenOf(url))).rejects.toMatchObject({ code: 'not_found' });
    await becomes('active');
    expect((await previews.open(tokenOf(url))).json.brief?.brief).toBe(task.brief);
  });

  it('ends with the standing that it was issued for', async () => {
    const task = await rows.task(accounts.buyer, { tier: 'private_curated' });
    await rows.party(accounts.stranger, task.id, 'invited');
    const { url } = await previews.issue(accounts.stranger, task.id);
    await dataSource.query('DELETE FROM task_parties WHERE account_id = $1 AND task_id = $2', [
      accounts.stranger,
      task.id,
    ]);
    await expect(previews.open(tokenOf(url))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stays bound to the delivery it was issued for, and ends when the money has gone back', async () => {
    const task = await rows.task(accounts.buyer);
    const { root } = await withNodes(task, 'delivered');
    const deliveryId = await rows.delivery(root, accounts.buyer, accounts.buyer);
    const { url } = await previews.issue(accounts.buyer, task.id);
    const { json, document } = await previews.open(tokenOf(url));
    expect(json.delivery).toMatchObject({
      delivery_id: deliveryId,
      node_id: root.id,
      artifact_hash: root.artifactHash,
      review_until: root.clock.toISOString(),
    });
    expect(document).toContain(root.artifactHash);
    expect(document).toContain('This service does not keep this delivery');
    expect(document).not.toContain(task.brief);
    await dataSource.manager.update(EscrowNodeEntity, { id: root.id }, { state: 'refunded' });
    await expect(previews.open(tokenOf(url))).rejects.toMatchObject({ code: 'not_found' });
    expect(await dataSource.manager.countBy(DeliveryEntity, { id: deliveryId })).toBe(1);
  });
});

describe('the preview of delivered work in custody', () => {
  /** A delivery by `worker` whose artifact is in the custody of `owner`. */
  async function deliveredWith(content: string | Buffer, owner: keyof typeof accounts, mediaType = 'text/plain') {
    const bytes = Buffer.from(content);
    const digest = createHash('sha256').update(bytes).digest('hex');
    const staged = await app.get(ObjectStore).stage(digest, once(bytes));
    const artifact = new ReceivedArtifact(staged, `0x${digest}`, bytes.length, mediaType);
    await app.get(Custody).take(accounts[owner], artifact);
    const task = await rows.task(accounts.buyer);
    const node = await rows.node(task, {
      path: 1n,
      workerAccountId: accounts.worker,
      workerWallet: WALLET,
      state: 'delivered',
      artifactHash: `0x${digest}`,
    });
    await rows.delivery(node, accounts.buyer, accounts.buyer);
    const { url } = await previews.issue(accounts.buyer, task.id);
    return previews.open(tokenOf(url));
  }

  async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
    yield await Promise.resolve(bytes);
  }

  it('shows its size, its type and how it begins, and never the rest of it', async () => {
    const text = `${'It begins so. '.repeat(200)}THE END`;
    const { document, json } = await deliveredWith(text, 'worker', 'text/markdown');
    expect(json.delivery?.artifact).toEqual({
      bytes: text.length,
      media_type: 'text/markdown',
      excerpt: text.slice(0, Math.floor(text.length / 10)),
    });
    expect(document).toContain(`<dd>${text.length.toLocaleString('en-GB')} bytes</dd>`);
    expect(document).toContain('This service keeps the whole delivery');
    expect(document).toContain('It begins so.');
    expect(document).not.toContain('THE END');
  });

  it('shows a hostile text as text, without what a reader cannot see', async () => {
    const { document } = await deliveredWith(`<script>alert(1)</script>\u202E${' more'.repeat(1_000)}`, 'worker');
    expect(document).not.toMatch(/<script|\u202E/);
    expect(document).toContain('&lt;script&gt;alert(1)&lt;/script&gt; more');
  });

  it('shows a short text by a quarter at most', async () => {
    const { document, json } = await deliveredWith('the answer to all of it is 42', 'worker');
    expect(json.delivery?.artifact).toMatchObject({ bytes: 29, excerpt: 'the ans' });
    expect(document).not.toContain('all of it');
  });

  it('shows nothing of what is no text, whatever its type says', async () => {
    const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(5_000, 'IDAT')]);
    const { document, json } = await deliveredWith(picture, 'worker');
    expect(json.delivery?.artifact).toEqual({ bytes: picture.length, media_type: 'text/plain' });
    expect(document).not.toMatch(/IDAT|How it begins/);
  });

  it('does not take for the work what another account brought', async () => {
    const { document, json } = await deliveredWith('somebody else brought the very same bytes', 'stranger');
    expect(json.delivery).not.toHaveProperty('artifact');
    expect(document).toContain('This service does not keep this delivery');
  });
});

describe('a link to one delivery', () => {
  it('is made out to the account that pays for it, for these bytes and no others', async () => {
    const task = await rows.task(accounts.buyer);
    const { root } = await withNodes(task, 'delivered');
    const deliveryId = await rows.delivery(root, accounts.buyer, accounts.buyer);
    const delivered = { taskId: task.id, nodeId: root.id, artifactHash: root.artifactHash as Hex };
    const { url } = await previews.issueDelivery(accounts.buyer, delivered);
    expect((await previews.open(tokenOf(url))).json.delivery).toMatchObject({ delivery_id: deliveryId });
    const refused: Parameters<typeof previews.issueDelivery>[] = [
      [accounts.worker, delivered],
      [accounts.stranger, delivered],
      [accounts.buyer, { ...delivered, artifactHash: `0x${'9'.repeat(64)}` }],
      [accounts.buyer, { ...delivered, nodeId: 'node_of_nobody' }],
    ];
    for (const asked of refused) {
      await expect(previews.issueDelivery(...asked)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('the page of a preview', () => {
  it('says that a link has ended as a page, and as JSON to programs', async () => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/previews/gone`;
    const page = await fetch(address, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const json = await fetch(address, { headers: { accept: 'application/json' } });
    expect([json.status, ((await json.json()) as { error: { code: string } }).error.code]).toEqual([404, 'not_found']);
  });

  const hostile = '<script>alert(1)</script>\u202E" onload="x';

  async function get(accept: string): Promise<Response> {
    const task = await rows.task(accounts.buyer, { title: hostile, brief: hostile, criteria: [hostile] });
    const { url } = await previews.issue(accounts.agentOwner, task.id);
    const { port } = app.getHttpServer().address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}/previews/${tokenOf(url)}`, { headers: { accept } });
  }

  it('shows hostile text as text, allows nothing to run or load, and is not sent on', async () => {
    const response = await get('text/html,application/xhtml+xml,*/*;q=0.8');
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    // Nothing on the page may run, send or load anything except the common style sheet.
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ').toSorted()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      'sandbox allow-same-origin',
      "style-src 'self'",
    ]);
    expect(page).toMatch(/<link rel="stylesheet" href="[^"]+" integrity="sha256-/);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page).not.toMatch(/<script|\u202E|" onload/);
    expect(page.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;\\u\{202e\}&quot; onload=&quot;x/g)).toHaveLength(3);
  });

  it('is JSON for whoever asks for it', async () => {
    const response = await get('application/json');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({ brief: { budget: { amount: '500.00', currency: 'USDC' } } });
  });
});
