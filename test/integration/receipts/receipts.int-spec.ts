import { ReceiptEntity } from '../../../src/modules/receipts/receipt.entity.js';
import { receiptListStatement } from '../../../src/modules/receipts/receipt-list.sql.js';
import { ReceiptsService } from '../../../src/modules/receipts/receipts.service.js';
import { AFTER_ALL } from '../../../src/platform/pagination/parties-page.sql.js';
import { planOf } from '../../support/query-plan.js';
import { BUYER, bytes32, receiptRow, NOW, RIVAL, STRANGER, taskId, ulid, WORKER } from '../../support/market-rows.js';
import { ReadSide, walk } from '../../support/read-side.js';

let side: ReadSide;
let receipts: ReceiptsService;

const id = (n: number): string => `rcpt_${ulid(n)}_1`;
const idsSeenBy = async (accountId: string, filter: object = {}): Promise<string[]> =>
  (await receipts.list({ accountId }, { limit: 25, ...filter })).data.map((row) => row.id);

beforeEach(async () => {
  side = await ReadSide.create();
  receipts = new ReceiptsService(side.reads, side.cursors);
  await side.task(1);
});
afterEach(() => side.close());

describe('the list of receipts', () => {
  it('shows a receipt once to its payer, to the buyer of the tree and to its worker, and to nobody else', async () => {
    const ofChild = { payerAccountId: WORKER, workerAccountId: RIVAL };
    const ofUnknownWallets = { payerAccountId: null, workerAccountId: null };
    await side.insert(ReceiptEntity, receiptRow(1), receiptRow(2, ofChild), receiptRow(3, ofUnknownWallets));
    expect(await idsSeenBy(BUYER)).toEqual([id(3), id(2), id(1)]);
    expect(await idsSeenBy(WORKER)).toEqual([id(2), id(1)]);
    expect(await idsSeenBy(RIVAL)).toEqual([id(2)]);
    expect(await idsSeenBy(STRANGER)).toEqual([]);
  });

  it('has the members of the interface and no other', async () => {
    await side.insert(ReceiptEntity, receiptRow(1));
    const { data, next_page } = await receipts.list({ accountId: WORKER }, { limit: 1 });
    expect(next_page).toBeNull();
    expect(data[0]).toEqual({
      id: `rcpt_${ulid(1)}_1`,
      task_id: taskId(1),
      node_id: `node_${ulid(1)}_1`,
      outcome: 'released',
      amount: { amount: '99.000001', currency: 'USDC' },
      transaction_hash: bytes32(1),
      block_number: 41,
      created_at: '2026-11-20T12:00:01.000Z',
    });
  });

  it('is filtered by task; an unknown or invisible one gives an empty page', async () => {
    await side.task(2);
    await side.insert(ReceiptEntity, receiptRow(1), receiptRow(2, { taskId: taskId(2) }));
    expect(await idsSeenBy(BUYER, { task_id: taskId(2) })).toEqual([id(2)]);
    expect(await idsSeenBy(BUYER, { task_id: taskId(3) })).toEqual([]);
    expect(await idsSeenBy(STRANGER, { task_id: taskId(2) })).toEqual([]);
  });

  it('is walked without repeats or gaps, also over equal times and while new rows arrive', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => receiptRow(index + 1, { createdAt: new Date(NOW) }));
    await side.insert(ReceiptEntity, ...rows);
    const seen = await walk(
      (cursor) => receipts.list({ accountId: BUYER }, { limit: 3, ...(cursor ? { cursor } : {}) }),
      (page) => side.insert(ReceiptEntity, receiptRow(100 + page)),
    );
    expect(seen).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(id));
  });

  it('refuses the cursor of another caller or filter', async () => {
    await side.insert(ReceiptEntity, receiptRow(1), receiptRow(2));
    const cursor = (await receipts.list({ accountId: BUYER }, { limit: 1 })).next_page ?? '';
    const refused = { code: 'invalid_cursor' };
    await expect(receipts.list({ accountId: WORKER }, { limit: 1, cursor })).rejects.toMatchObject(refused);
    const filtered = { limit: 1, cursor, task_id: taskId(1) };
    await expect(receipts.list({ accountId: BUYER }, filtered)).rejects.toMatchObject(refused);
  });

  it('reads its three branches from their indexes on 100,000 rows, however deep the page', async () => {
    await side.fill(
      `INSERT INTO receipts SELECT 'rcpt_01k9' || lpad(n::text, 22, '0') || '_1', $1, 'node', 'released', 5, '0x', n,
        'acct_' || n % 500, 'acct_' || n % 700, 'acct_' || n % 900, $2::timestamptz + n * interval '1 second'
      FROM generate_series(1, 100000) AS n`,
      [taskId(1), NOW],
    );
    await side.fill('ANALYZE receipts');
    const plan = await planOf(side.dataSource, receiptListStatement(26, false).text, ['acct_7', ...AFTER_ALL]);
    for (const who of ['payer', 'buyer', 'worker']) {
      expect(plan.scans).toContain(
        `Index Scan Backward using receipts_${who}_account_id_created_at_id_idx on receipts`,
      );
    }
    expect(plan.scanned).toEqual([]);
  });
});
