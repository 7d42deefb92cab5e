import { Seeded } from '../../../src/dev/eval/statistics/seeded.js';
import { followSettlements } from '../../../src/modules/reputation/evidence/evidence-book.js';
import { MEETINGS } from '../../../src/modules/reputation/pairs/pair.sql.js';
import { type QueryExecutor, queryExecutorOf } from '../../../src/modules/reputation/pairs/query-executor.js';
import { refreshRecords } from '../../../src/modules/reputation/records/records.js';
import { SEEN_AGENTS } from '../../../src/modules/reputation/records/records.sql.js';
import { addSettlements } from '../../../src/modules/reputation/settlements/settlement-rows.js';
import type { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { eventually } from '../../support/eventually.js';
import { costOf, PlannedStatement } from '../../support/query-plan.js';
import { NOW } from '../../support/market-rows.js';
import { accountOf, agentOf, TrustMarket, walletOf } from './trust-market.js';
import { vacuumed } from '../../support/vacuumed.js';

let market: TrustMarket;

const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.parse(NOW) - days * DAY_MS);

beforeEach(async () => {
  market = await TrustMarket.create();
});
afterEach(() => market.close());

/** A buyer without an account, whose wallet is a principal of its own. */
const stranger = (name: string): Partial<SettlementEntity> => {
  return { payerAccountId: null, payerWallet: walletOf(name) };
};

/** Agents whose record names other outcomes than the evidence of all of their buyers. */
const recordsWithOtherOutcomes = () =>
  market.query(`SELECT agent_id FROM reputation_records known WHERE outcomes <> (
      SELECT coalesce(jsonb_object_agg(outcome, count), '{}') FROM (
        SELECT key AS outcome, sum(value::integer) AS count
        FROM buyer_evidence said CROSS JOIN jsonb_each_text(said.outcomes) WHERE said.agent_id = known.agent_id GROUP BY key
      ) AS ended)`);

async function expectTheSameAnew(step: string): Promise<void> {
  const kept = await market.derived();
  await market.rebuild();
  expect([step, await market.derived()]).toEqual([step, kept]);
  expect([step, await recordsWithOtherOutcomes()]).toEqual([step, []]);
}

/** Follows settlements that came in one transaction, and calls `on` after each statement. */
function follow(added: readonly SettlementEntity[], on: (name: string) => unknown): Promise<void> {
  return market.side.transactions.run(async (manager) => {
    await addSettlements(manager, added);
    const statements = queryExecutorOf(manager);
    const told: QueryExecutor = {
      rows: async <Row extends object>(...[statement, values]: Parameters<QueryExecutor['rows']>) => {
        const rows = await statements.rows<Row>(statement, values);
        await on(statement.name);
        return rows;
      },
      send: async (statement, values) => {
        await statements.send(statement, values);
        await on(statement.name);
      },
    };
    const { agentIds, changes } = await followSettlements(
      told,
      added.map((settlement) => ({ settlement, isGone: false })),
    );
    await refreshRecords(told, agentIds, changes);
  });
}

describe('what the buyers of an agent say together', () => {
  it.each([1, 2, 3])(
    'moved by settlements, payments back and runs is what all of them add up to, to the last digit (seed %i)',
    async (seed) => {
      const chance = new Seeded(seed);
      const people = ['whale', 'second', 'p1', 'p2', 'p3', 'p4'] as const;
      await market.people(...people);
      await market.verify('p1', 'p2');
      const anySettlement = (): SettlementEntity => {
        const [buyer, worker] = chance.chance(0.7)
          ? [chance.pick(people), chance.pick(['whale', 'whale', 'second'] as const)]
          : [chance.pick(['whale', 'second'] as const), chance.pick(people)];
        const released = BigInt(chance.below(400)) * 333_333n;
        return market.settlement(buyer, worker, 1 + chance.below(200), {
          amount: 140_000_000n,
          released,
          outcome: chance.pick(['accepted', 'ruled', 'abandoned', 'rejection_final']),
          settledAt: daysAgo(chance.below(400) / 3),
          ...(worker === 'whale' && chance.chance(0.8) ? stranger(`s${chance.below(110)}`) : {}),
        });
      };
      let known: SettlementEntity[] = [];
      const sizes = new Set<boolean>();
      for (let step = 0; step < 24; step += 1) {
        // The number of buyers first grows and then shrinks, so that it crosses the limit in both directions.
        const isGrowing = step < 14;
        const added = Array.from({ length: isGrowing ? 1 + chance.below(60) : chance.below(4) }, anySettlement);
        const gone = chance.sample(known, Math.min(known.length, isGrowing ? chance.below(6) : chance.below(90)));
        if (chance.chance(0.2)) await market.run();
        await market.change(added, gone);
        known = [...known.filter((one) => !gone.includes(one)), ...added];
        const kept = (await market.query('SELECT agent_id FROM buyer_sums')).length;
        sizes.add(kept > 0);
        await expectTheSameAnew(`step ${step}: ${known.length} settlements`);
      }
      await market.run();
      await expectTheSameAnew('after a run');
      expect(sizes).toEqual(new Set([false, true]));
      await market.change([], known);
      for (const table of ['buyer_sums', 'buyer_evidence', 'reputation_records']) {
        expect(await market.query(`SELECT * FROM ${table}`)).toEqual([]);
      }
    },
  );

  it('are not left behind where an index that catches up leaves the record for later', async () => {
    await market.people('whale');
    const paid = (n: number) => market.settlement('x', 'whale', 5, stranger(`s${n}`));
    await market.settle(...Array.from({ length: 70 }, (_, n) => paid(n)));
    expect(await market.query('SELECT agent_id FROM buyer_sums')).toHaveLength(1);
    const later = [70, 71, 72].map(paid);
    await market.side.transactions.run(async (manager) => {
      await addSettlements(manager, later);
      await market.service.settle(manager, later, [], true);
    });
    let made = 0;
    while (await market.side.transactions.run((manager) => market.service.refreshDue(manager))) made += 1;
    expect(made).toBe(1);
    expect(await market.query('SELECT buyers FROM reputation_records')).toEqual([{ buyers: 73 }]);
    await expectTheSameAnew('after the records that were due');
    // The sums are stored again and updated by each settlement.
    await market.settle(paid(73));
    expect(await market.query('SELECT buyers FROM buyer_sums')).toEqual([{ buyers: 74 }]);
    await expectTheSameAnew('after another settlement');
  });

  it('are written anew by a run, whatever was kept', async () => {
    await market.people('whale');
    await market.settle(...Array.from({ length: 70 }, (_, n) => market.settlement('x', 'whale', 5, stranger(`s${n}`))));
    const before = await market.derived();
    await market.query(`UPDATE buyer_sums SET career_good = career_good + 1, buyers = buyers + 7`);
    await market.query(`UPDATE buyer_evidence SET returned = 3`);
    await market.run();
    expect((await market.derived()).sums).toEqual(before.sums);
    expect((await market.derived()).evidence).toEqual(before.evidence);
  });

  it('are moved by the ones that settle alone: nobody reads the other buyers', async () => {
    await market.people('whale', 'p1');
    const paying = (from: number, to: number) =>
      market.side.fill(
        `INSERT INTO settlements (node_id, task_id, agent_id, worker_account_id, payer_account_id, payer_wallet, worker_wallet,
          amount, released, outcome, settled_at)
        SELECT 'node_many_' || n, 'task_many_' || n, $1, $2, NULL, '0xmany' || n, $3, 100, 100, 'accepted', $4
        FROM generate_series(${from}, ${to - 1}) AS n`,
        [agentOf('whale'), accountOf('whale'), walletOf('whale'), NOW],
      );
    const costs: number[] = [];
    for (const [from, to] of [
      [0, 300],
      [300, 6_000],
    ] as const) {
      await paying(from, to);
      await market.rebuild();
      await vacuumed(market.side.dataSource);
      const names: string[] = [];
      await follow([market.settlement('p1', 'whale', 10)], (name) => names.push(name));
      expect(names).toContain('reputation_put_sums');
      expect(names).not.toContain('reputation_all_buyers');
      costs.push((await costOf(market.side.dataSource, SEEN_AGENTS.text, [`{${agentOf('whale')}}`])).buffers);
    }
    const [few = 0, many = 0] = costs;
    expect(many).toBeLessThanOrEqual(2 * few);
    await expectTheSameAnew('moved');
  });

  it('of few are read with no more than one of them too many, however much their owner has bought of others', async () => {
    await market.people('trader', 'p1');
    await market.settle(
      ...Array.from({ length: 20 }, (_, n) => market.settlement('x', 'trader', 5, stranger(`s${n}`))),
    );
    const bought = (from: number, to: number) =>
      market.side.fill(
        `INSERT INTO buyer_evidence (agent_id, buyer_cluster_id, worker_cluster_id, career_good, career_bad, recent_good,
          recent_bad, gross_value, settlements, outcomes)
        SELECT 'agent_of_others_' || n, $1, 'acct_of_others_' || n, 1, 0, 1, 0, 1, 1, '{}' FROM generate_series(${from}, ${to - 1}) AS n`,
        [accountOf('trader')],
      );
    const costs: number[] = [];
    for (const [from, to] of [
      [0, 100],
      [100, 10_000],
    ] as const) {
      await bought(from, to);
      await vacuumed(market.side.dataSource);
      costs.push((await costOf(market.side.dataSource, SEEN_AGENTS.text, [`{${agentOf('trader')}}`])).buffers);
    }
    const [few = 0, many = 0] = costs;
    expect(many).toBeLessThanOrEqual(2 * few);
  });
});

describe('a wallet in common', () => {
  it.each([
    [3, 3],
    [3, 60],
    [60, 3],
    [60, 60],
  ])('is found alike by a settlement and by a count, of owners of %i and of %i agents', async (ones, others) => {
    await market.people('one', 'other', 'c');
    const owns = async (name: string, count: number, last: string): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        const walletAddress = n === count - 1 ? walletOf(last) : walletOf(`${name}${n}`);
        await market.side.agent(agentOf(`${name}_${n}`), accountOf(name), { walletAddress });
      }
    };
    await owns('one', ones, 'shared');
    await owns('other', others, 'shared');
    await owns('c', 1, 'apart');
    await market.settle(market.settlement('other', 'one'), market.settlement('c', 'one'));
    expect(await market.query('SELECT buyer_cluster_id FROM buyer_evidence')).toEqual([
      { buyer_cluster_id: accountOf('c') },
    ]);
    await expectTheSameAnew('counted');
  });
});

describe('who waits to be counted anew', () => {
  it('is found by index, though the plan was made for the empty table that a run leaves', async () => {
    await market.people('a', 'b');
    await vacuumed(market.side.dataSource);
    const values = [accountOf('b'), accountOf('a'), walletOf('b'), walletOf('a'), agentOf('a')].map((one) => [one]);
    const statement = await PlannedStatement.prepare(market.side.dataSource, MEETINGS.text);
    try {
      await statement.run(values);
      await market.side.fill(
        `INSERT INTO evidence_changes (agent_id, transaction_id, must_rebuild)
         SELECT 'agent_noted_' || n, 1, n % 2 = 0 FROM generate_series(1, 20000) AS n`,
      );
      expect((await statement.measure(values)).buffers).toBeLessThanOrEqual(60);
    } finally {
      await statement.close();
    }
  });
});

describe('a payment back', () => {
  /** Makes `count` agents of `second`, each of which `whale` has paid. */
  async function manyAgents(count: number): Promise<void> {
    await market.people('whale', 'second');
    const agents = Array.from({ length: count }, (_, n) => `second_${n}`);
    for (const name of agents)
      await market.side.agent(agentOf(name), accountOf('second'), { walletAddress: walletOf(name) });
    const change = (name: string) => ({ workerAccountId: accountOf('second'), workerWallet: walletOf(name) });
    await market.settle(...agents.map((name) => market.settlement('whale', name, 10, change(name))));
  }
  const worth = () =>
    market.query<{ count: string; value: string }>(
      `SELECT independent_value AS value, count(*) FROM reputation_records WHERE agent_id LIKE 'agent_second_%' GROUP BY 1`,
    );

  it('is netted against everything that the agents of an owner were paid, at once where they are few', async () => {
    await manyAgents(64);
    await market.pay('second', 'whale', 4);
    expect(await worth()).toEqual([{ value: '6000000', count: '64' }]);
    await expectTheSameAnew('netted');
  });

  it('is netted by the next run where they are very many, and the settlement locks none of them', async () => {
    await manyAgents(65);
    await market.run();
    await market.pay('second', 'whale', 4);
    expect(await worth()).toEqual([{ value: '10000000', count: '65' }]);
    expect(await market.query('SELECT agent_id FROM evidence_changes')).toEqual([{ agent_id: agentOf('whale') }]);
    await market.run();
    expect(await worth()).toEqual([{ value: '6000000', count: '65' }]);
    await expectTheSameAnew('after the run');
  });
});

describe('two commits that concern the same agents, one as its own and one as what it is netted with', () => {
  it('wait for each other in one order', async () => {
    await market.people('a', 'b');
    await market.pay('a', 'b', 100);
    await market.pay('b', 'a', 60);
    const waiting = async (): Promise<boolean> => {
      const [row] = await market.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row?.count === 1;
    };
    let [begin, resume] = [(): void => undefined, (): void => undefined];
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const resumed = new Promise<void>((resolve) => (resume = resolve));
    const first = follow([market.settlement('a', 'b', 5)], (name) => {
      if (name !== 'evidence_known_pairs') return;
      begin();
      return resumed;
    });
    await begun;
    const second = market.pay('b', 'a', 7);
    await eventually(waiting);
    resume();
    await Promise.all([first, second]);
    await expectTheSameAnew('both');
  });
});
