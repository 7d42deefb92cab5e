import { AppActivity } from '../../../src/modules/prepared-actions/lifecycle/app-activity.js';
import { COUNTED_ACTIONS, PREPARED_COUNTS } from '../../../src/modules/prepared-actions/lifecycle/app-activity.sql.js';
import { costOf } from '../../support/query-plan.js';
import { NOW, STRANGER, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';
import { vacuumed } from '../../support/vacuumed.js';

let side: ReadSide;
beforeEach(async () => {
  side = await ReadSide.create();
});
afterEach(() => side.close());

/**
 * Inserts actions `from` to `to`, prepared by applications for the worker, one a second: all by `app_1` except every
 * hundredth.
 */
async function prepared(from: number, to: number): Promise<void> {
  await side.fill(
    `INSERT INTO prepared_actions (id, action_id_hash, kind, scope, account_id, client_id, wallet_address, chain_id,
      escrow_address, nonce, request_digest, payload, valid_until, signing_token_hash, signing_token_sealed, created_at,
      expires_at)
    SELECT 'act_' || lpad(n::text, 9, '0'), 'h' || n, 'quote', 'worker', $1, CASE n % 100 WHEN 7 THEN 'app_2' WHEN 8 THEN NULL
      ELSE 'app_1' END, '0x', 1, '0x', n, 'd', '{}', now(), n::text::bytea, '', $2::timestamptz + n * interval '1 second', now()
    FROM generate_series(${from}, ${to - 1}) AS n`,
    [WORKER, NOW],
  );
  await vacuumed(side.dataSource);
}

describe('what applications have prepared for an account', () => {
  const counts = async (account: string) => [...(await new AppActivity(side.transactions).preparedCounts(account))];
  const at = (n: number): Date => new Date(Date.parse(NOW) + n * 1_000);

  it('is counted by application, up to a bound, with the last of it', async () => {
    await prepared(0, 300);
    expect(await counts(WORKER)).toEqual([
      ['app_1', { prepared: 294, lastPreparedAt: at(299) }],
      ['app_2', { prepared: 3, lastPreparedAt: at(207) }],
    ]);
    await prepared(300, 1_500);
    expect(await counts(WORKER)).toEqual([
      ['app_1', { prepared: COUNTED_ACTIONS + 1, lastPreparedAt: at(1_499) }],
      ['app_2', { prepared: 15, lastPreparedAt: at(1_407) }],
    ]);
    expect(await counts(STRANGER)).toEqual([]);
  });

  it('costs the same however much they have prepared', async () => {
    await prepared(0, 4_000);
    const few = await costOf(side.dataSource, PREPARED_COUNTS, [WORKER]);
    await prepared(4_000, 40_000);
    const many = await costOf(side.dataSource, PREPARED_COUNTS, [WORKER]);
    expect([many.rows, many.scanned]).toEqual([2, []]);
    expect(many.buffers).toBeLessThanOrEqual(1_500);
    expect(many.buffers).toBeLessThanOrEqual(3 * few.buffers);
  });
});
