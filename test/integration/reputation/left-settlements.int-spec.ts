import { Seeded } from '../../../src/dev/eval/statistics/seeded.js';
import { addSettlements, removeSettlements } from '../../../src/modules/reputation/settlements/settlement-rows.js';
import type { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { eventually } from '../../support/eventually.js';
import { NOW } from '../../support/market-rows.js';
import { TrustMarket, walletOf } from '../../support/trust-market.js';

/** Settlements that an index leaves uncounted while it catches up, and counts afterwards. */

let market: TrustMarket;

const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.parse(NOW) - days * DAY_MS);

beforeEach(async () => {
  market = await TrustMarket.create();
});
afterEach(() => market.close());

function catchUp(added: readonly SettlementEntity[], gone: readonly SettlementEntity[] = []): Promise<void> {
  return market.side.transactions.run(async (manager) => {
    await removeSettlements(manager, gone);
    await addSettlements(manager, added);
    await market.service.settle(manager, added, gone, true);
  });
}

const refresh = (): Promise<boolean> => market.side.transactions.run((manager) => market.service.refreshDue(manager));

async function finish(): Promise<void> {
  while (await refresh());
}

async function expectTheSameAnew(): Promise<void> {
  const kept = await market.derived();
  await market.rebuild();
  expect(await market.derived()).toEqual(kept);
}

const evidence = () => market.query('SELECT agent_id FROM buyer_evidence ORDER BY agent_id');

it.each([1, 2, 3])('ends as a count from nothing, whoever paid whom back meanwhile (seed %i)', async (seed) => {
  const chance = new Seeded(seed);
  const people = ['whale', 'second', 'p1', 'p2', 'p3'] as const;
  await market.people(...people);
  await market.verify('p1');
  // Nearly as many settlements as are left for counting at the end, so that the agent is soon counted at once.
  await market.settle(
    ...Array.from({ length: 498 }, (_, n) => {
      return market.settlement('x', 'whale', 5, { payerAccountId: null, payerWallet: walletOf(`s${n % 70}`) });
    }),
  );
  const anySettlement = (): SettlementEntity =>
    market.settlement(chance.pick(people), chance.pick(people), 1 + chance.below(200), {
      settledAt: daysAgo(chance.below(400) / 3),
    });
  let known: SettlementEntity[] = [];
  for (let step = 0; step < 14; step += 1) {
    const added = Array.from({ length: 1 + chance.below(8) }, anySettlement);
    const gone = chance.sample(known, Math.min(known.length, chance.below(4)));
    if (chance.chance(0.2)) await market.run();
    // Some settlements are counted at once while others wait.
    if (chance.chance(0.3)) await market.change(added, gone);
    else await catchUp(added, gone);
    if (chance.chance(0.2)) await refresh();
    known = [...known.filter((one) => !gone.includes(one)), ...added];
  }
  await finish();
  expect(await market.query('SELECT agent_id FROM evidence_changes WHERE must_rebuild OR is_record_due')).toEqual([]);
  await expectTheSameAnew();
});

it('is the evidence of agents with few settlements, which is counted at the end', async () => {
  await market.people('a', 'b', 'c');
  await catchUp([market.settlement('a', 'b'), market.settlement('b', 'a')]);
  await catchUp([market.settlement('c', 'b'), market.settlement('c', 'a')]);
  expect(await evidence()).toEqual([]);
  await finish();
  expect(await evidence()).toHaveLength(4);
  await expectTheSameAnew();
});

it('is due anew when an agent settled between the look at who is due and its lock', async () => {
  await market.people('a', 'b');
  await catchUp([market.settlement('a', 'b')]);
  // A run has counted the evidence meanwhile, so only the agent's record is due.
  await market.query('UPDATE evidence_changes SET must_rebuild = false');
  const other = market.side.dataSource.createQueryRunner();
  await other.startTransaction();
  const later = market.settlement('a', 'b', 7);
  await addSettlements(other.manager, [later]);
  await market.service.settle(other.manager, [later], [], true);
  // Sends the statement that waits for the next one.
  await other.query('SELECT 1');
  const refreshing = refresh();
  await eventually(async () => {
    const rows = await market.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length === 1;
  });
  await other.commitTransaction();
  await other.release();
  await refreshing;
  expect(await evidence()).toEqual([]);
  await finish();
  await expectTheSameAnew();
});
