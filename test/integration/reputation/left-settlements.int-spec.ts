import { Seeded } from '../../../src/dev/eval/statistics/seeded.js';
import { RecordOutcomes1700000000116 } from '../../../src/migrations/1700000000116-record-outcomes.js';
import { addSettlements, removeSettlements } from '../../../src/modules/reputation/settlements/settlement-rows.js';
import type { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { eventually } from '../../support/eventually.js';
import { NOW } from '../../support/market-rows.js';
import { accountOf, agentOf, TrustMarket, walletOf } from './trust-market.js';

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

const due = () => market.query<{ agent_id: string }>('SELECT agent_id FROM evidence_changes WHERE is_record_due');
const told = () =>
  market.query<{ settlements: string }>(
    `SELECT document::jsonb #>> '{data,settlements}' AS settlements FROM event_outbox
     WHERE type = 'reputation.updated' AND document::jsonb #>> '{subject,id}' = $1 ORDER BY id`,
    [agentOf('b')],
  );

describe('an agent with so many settlements that only a run counts it anew', () => {
  const MANY = 1_001;

  beforeEach(async () => {
    await market.people('a', 'b', 'c');
    await market.settle(
      ...Array.from({ length: MANY }, (_, n) => {
        return market.settlement('x', 'b', 5, { payerAccountId: null, payerWallet: walletOf(`s${n % 70}`) });
      }),
    );
    await market.query('UPDATE agents SET wallet_address = $1 WHERE id = $2', [walletOf('bb'), agentOf('b')]);
    await market.side.transactions.run((manager) => market.service.noteNewWallet(manager, agentOf('b')));
  });

  it.each<[string, (one: SettlementEntity) => Promise<void>]>([
    ['while the index catches up', (one) => catchUp([one])],
    ['otherwise', (one) => market.settle(one)],
  ])('has its record made, and the change told, after the run and not before: %s', async (_, settle) => {
    const later = new Date(NOW);
    await settle(market.settlement('a', 'b', 7, { settledAt: later }));
    await catchUp([market.settlement('a', 'c')]);
    const before = await market.record('b');
    // Others do not wait for it, and it is not asked for over and over.
    await finish();
    expect(await market.record('c')).toMatchObject({ settlements: 1 });
    expect(await market.record('b')).toEqual(before);
    expect(before).toMatchObject({ settlements: MANY, updatedAt: daysAgo(1) });
    expect(await due()).toEqual([{ agent_id: agentOf('b') }]);
    await market.run();
    await finish();
    expect(await due()).toEqual([]);
    expect(await market.record('b')).toMatchObject({ settlements: MANY + 1, updatedAt: later });
    expect(await told()).toEqual([{ settlements: String(MANY + 1) }]);
    await expectTheSameAnew();
  });
});

describe('a trust run before the index has caught up', () => {
  it('leaves the first record of an agent due', async () => {
    await market.people('a', 'b');
    await catchUp([market.settlement('a', 'b')]);
    await market.run();
    await finish();
    expect(await market.record('b')).toMatchObject({ settlements: 1 });
    expect(await due()).toEqual([]);
    await expectTheSameAnew();
  });

  it('leaves a record that is there to be made, and its change to be told', async () => {
    await market.people('a', 'b');
    await market.pay('a', 'b', 100, { settledAt: daysAgo(9) });
    await catchUp([market.settlement('a', 'b', 7, { settledAt: daysAgo(2) })]);
    await market.run();
    expect(await market.record('b')).toMatchObject({ settlements: 1, updatedAt: daysAgo(9) });
    await finish();
    expect(await market.record('b')).toMatchObject({ settlements: 2, updatedAt: daysAgo(2) });
    expect(await told()).toEqual([{ settlements: '2' }]);
    await expectTheSameAnew();
  });

  it('leaves it so too where the agent settled while the run was reading', async () => {
    await market.people('a', 'b', 'c');
    await market.pay('a', 'b', 100, { settledAt: daysAgo(9) });
    await catchUp([market.settlement('a', 'b', 7, { settledAt: daysAgo(2) })]);
    // No snapshot shows this transaction, as none shows one that has begun after it.
    await market.query(`UPDATE evidence_changes SET transaction_id = 9000000000000000000`);
    await market.run();
    await finish();
    expect(await told()).toEqual([{ settlements: '2' }]);
    await expectTheSameAnew();
  });

  it('has left nobody without a record, nor with an old one, once the market is migrated', async () => {
    await market.people('a', 'b', 'c');
    await market.pay('a', 'b', 100, { settledAt: daysAgo(9) });
    await market.settle(market.settlement('a', 'b', 7, { outcome: 'ruled' }), market.settlement('a', 'c'));
    const before = await market.derived();
    // As runs had left them.
    await market.query('DELETE FROM evidence_changes');
    await market.query('DELETE FROM reputation_records WHERE agent_id = $1', [agentOf('c')]);
    await market.query('UPDATE reputation_records SET updated_at = $1', [daysAgo(9)]);
    const migration = new RecordOutcomes1700000000116();
    const runner = market.side.dataSource.createQueryRunner();
    try {
      await migration.down(runner);
      await migration.up(runner);
    } finally {
      await runner.release();
    }
    expect(await market.query('SELECT outcomes FROM reputation_records')).toEqual([
      { outcomes: { accepted: 1, ruled: 1 } },
    ]);
    expect(await due()).toHaveLength(2);
    await finish();
    expect(await market.derived()).toEqual(before);
  });

  it('counts what came back from agents that have no record yet, however many of them it counts', async () => {
    const others = Array.from({ length: 110 }, (_, n) => `m${n}`);
    await market.people('a', 'z', ...others);
    // The first agent is counted long before the last one, which its owner has paid.
    const paid = others.map((name) => market.settlement('x', name, 5, { payerAccountId: null }));
    await catchUp([market.settlement('z', 'a', 50), ...paid, market.settlement('a', 'z', 20)]);
    await market.run();
    await finish();
    expect(
      await market.query('SELECT returned FROM buyer_evidence WHERE buyer_cluster_id = ANY($1) ORDER BY agent_id', [
        [accountOf('a'), accountOf('z')],
      ]),
    ).toEqual([{ returned: '20000000' }, { returned: '50000000' }]);
    await expectTheSameAnew();
  });
});
