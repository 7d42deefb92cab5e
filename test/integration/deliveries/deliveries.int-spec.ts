import { ArtifactCustodyEntity } from '../../../src/modules/artifacts/custody/artifact-custody.entity.js';
import { DeliveryEntity } from '../../../src/modules/deliveries/delivery.entity.js';
import { deliveryListStatement } from '../../../src/modules/deliveries/delivery-list.sql.js';
import { DeliveriesService } from '../../../src/modules/deliveries/deliveries.service.js';
import { RejectionReasonEntity } from '../../../src/modules/deliveries/rejection-reason.entity.js';
import { AFTER_ALL } from '../../../src/platform/pagination/parties-page.sql.js';
import { planOf } from '../../support/query-plan.js';
import { BUYER, bytes32, deliveryRow, NOW, RIVAL, STRANGER, taskId, ulid, WORKER } from '../../support/market-rows.js';
import { ReadSide, walk } from '../../support/read-side.js';

let side: ReadSide;
let deliveries: DeliveriesService;

const id = (n: number): string => `dlv_${ulid(n)}_1_1`;
const idsSeenBy = async (accountId: string, filter: object = {}): Promise<string[]> =>
  (await deliveries.list({ accountId }, { limit: 25, ...filter })).data.map((row) => row.id);

beforeEach(async () => {
  side = await ReadSide.create();
  deliveries = new DeliveriesService(side.reads, side.cursors);
  await side.task(1);
});
afterEach(() => side.close());

describe('the list of deliveries', () => {
  it('shows a delivery once to its payer, to the buyer of the tree and to its worker, and to nobody else', async () => {
    const ofChild = { payerAccountId: WORKER, workerAccountId: RIVAL };
    const ofUnknownWallets = { payerAccountId: null, workerAccountId: null };
    await side.insert(DeliveryEntity, deliveryRow(1), deliveryRow(2, ofChild), deliveryRow(3, ofUnknownWallets));
    expect(await idsSeenBy(BUYER)).toEqual([id(3), id(2), id(1)]);
    expect(await idsSeenBy(WORKER)).toEqual([id(2), id(1)]);
    expect(await idsSeenBy(RIVAL)).toEqual([id(2)]);
    expect(await idsSeenBy(STRANGER)).toEqual([]);
  });

  it('has the members of the interface and no other', async () => {
    await side.insert(DeliveryEntity, deliveryRow(1));
    const { data, next_page } = await deliveries.list({ accountId: WORKER }, { limit: 1 });
    expect(next_page).toBeNull();
    expect(data[0]).toEqual({
      id: `dlv_${ulid(1)}_1_1`,
      task_id: taskId(1),
      artifact_hash: bytes32(1),
      status: 'submitted',
      created_at: '2026-11-20T12:00:01.000Z',
      node_id: `node_${ulid(1)}_1`,
      revision: 1,
    });
  });

  it("shows a delivery as available once its artifact is in its worker's custody, and in no other's", async () => {
    const released = deliveryRow(3, { status: 'released' });
    await side.insert(DeliveryEntity, deliveryRow(1), deliveryRow(2), released, deliveryRow(4, { status: 'rejected' }));
    const kept = (accountId: string, n: number) =>
      side.insert(ArtifactCustodyEntity, {
        accountId,
        artifactHash: bytes32(n),
        bytes: 1,
        mediaType: 'text/plain',
        createdAt: new Date(NOW),
        keptUntil: new Date(NOW),
      });
    await kept(RIVAL, 1);
    for (const n of [2, 3, 4]) await kept(WORKER, n);
    const { data } = await deliveries.list({ accountId: BUYER }, { limit: 25 });
    expect(data.map(({ status }) => status)).toEqual(['rejected', 'released', 'available', 'submitted']);
  });

  it('shows why a delivery was rejected only with the hash that the chain has, and of the same node', async () => {
    const rejected = { status: 'rejected', reasonHash: bytes32(9) } as const;
    await side.insert(DeliveryEntity, deliveryRow(1, rejected), deliveryRow(2, { ...rejected, nodeId: 'node_other' }));
    const reason = { nodeId: `node_${ulid(1)}_1`, reason: 'Page 12 is missing.' };
    await side.insert(RejectionReasonEntity, { ...reason, reasonHash: bytes32(9) });
    await side.insert(RejectionReasonEntity, { ...reason, reasonHash: bytes32(8), reason: 'Never signed.' });
    const { data } = await deliveries.list({ accountId: WORKER }, { limit: 25 });
    expect(data.map((row) => row.rejection_reason)).toEqual([undefined, 'Page 12 is missing.']);
  });

  it('is filtered by task; an unknown or invisible one gives an empty page', async () => {
    await side.task(2);
    await side.insert(DeliveryEntity, deliveryRow(1), deliveryRow(2, { taskId: taskId(2) }));
    expect(await idsSeenBy(BUYER, { task_id: taskId(2) })).toEqual([id(2)]);
    expect(await idsSeenBy(BUYER, { task_id: taskId(3) })).toEqual([]);
    expect(await idsSeenBy(STRANGER, { task_id: taskId(2) })).toEqual([]);
  });

  it('is walked without repeats or gaps, also over equal times and while new rows arrive', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => deliveryRow(index + 1, { createdAt: new Date(NOW) }));
    await side.insert(DeliveryEntity, ...rows);
    const seen = await walk(
      (cursor) => deliveries.list({ accountId: BUYER }, { limit: 3, ...(cursor ? { cursor } : {}) }),
      (page) => side.insert(DeliveryEntity, deliveryRow(100 + page)),
    );
    expect(seen).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(id));
  });

  it('refuses the cursor of another caller or filter', async () => {
    await side.insert(DeliveryEntity, deliveryRow(1), deliveryRow(2));
    const cursor = (await deliveries.list({ accountId: BUYER }, { limit: 1 })).next_page ?? '';
    const refused = { code: 'invalid_cursor' };
    await expect(deliveries.list({ accountId: WORKER }, { limit: 1, cursor })).rejects.toMatchObject(refused);
    const filtered = { limit: 1, cursor, task_id: taskId(1) };
    await expect(deliveries.list({ accountId: BUYER }, filtered)).rejects.toMatchObject(refused);
  });

  it('reads its three branches from their indexes on 100,000 rows, however deep the page', async () => {
    await side.fill(
      `INSERT INTO deliveries SELECT 'dlv_01k9' || lpad(n::text, 22, '0') || '_1_1', $1, 'node', '0x', 'submitted', 1,
        'acct_' || n % 500, 'acct_' || n % 700, 'acct_' || n % 900, $2::timestamptz + n * interval '1 second'
      FROM generate_series(1, 100000) AS n`,
      [taskId(1), NOW],
    );
    await side.fill(
      `INSERT INTO artifact_custody (account_id, artifact_hash, bytes, media_type, created_at, kept_until)
       SELECT $1, 'hash_' || n, 1, 'text/plain', $2, $2 FROM generate_series(1, 20000) AS n`,
      [WORKER, NOW],
    );
    await side.fill(
      `INSERT INTO rejection_reasons SELECT 'node_' || n, 'hash_' || n, 'no' FROM generate_series(1, 20000) AS n`,
    );
    await side.fill('ANALYZE deliveries, artifact_custody, rejection_reasons');
    const plan = await planOf(side.dataSource, deliveryListStatement(26, false).text, ['acct_7', ...AFTER_ALL]);
    for (const who of ['payer', 'buyer', 'worker']) {
      expect(plan.scans).toContain(
        `Index Scan Backward using deliveries_${who}_account_id_created_at_id_idx on deliveries`,
      );
    }
    expect(plan.scanned).toEqual([]);
  });
});
