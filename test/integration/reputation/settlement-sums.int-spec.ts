import { Seeded } from '../../../src/dev/eval/statistics/seeded.js';
import { AgentEntity } from '../../../src/modules/agents/agent/agent.entity.js';
import { MEETINGS, NEIGHBOURS } from '../../../src/modules/reputation/pairs/pair.sql.js';
import { followSettlements } from '../../../src/modules/reputation/evidence/evidence-book.js';
import { refreshRecords } from '../../../src/modules/reputation/records/records.js';
import { type QueryExecutor, queryExecutorOf } from '../../../src/modules/reputation/pairs/query-executor.js';
import { addSettlements } from '../../../src/modules/reputation/settlements/settlement-rows.js';
import type { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { costOf } from '../../support/query-plan.js';
import { NOW } from '../../support/market-rows.js';
import { accountOf, agentOf, TrustMarket, walletOf } from './trust-market.js';
import { vacuumed } from '../../support/vacuumed.js';

let market: TrustMarket;

const DAY_MS = 86_400_000;
const NAMES = ['a', 'b', 'c', 'd'] as const;

beforeEach(async () => {
  market = await TrustMarket.create();
});
afterEach(() => market.close());

/**
 * A random settlement: some in the same second, some close together, some far apart; between any two parties, including
 * wallets without an account and a party with itself.
 */
function anySettlement(chance: Seeded): SettlementEntity {
  const buyer = chance.pick(NAMES);
  const share = BigInt(chance.below(4));
  return market.settlement(buyer, chance.pick(['a', 'a', 'b', 'c'] as const), 1 + chance.below(200), {
    outcome: chance.pick(['accepted', 'ruled', 'abandoned', 'rejection_final']),
    released: share * 250_000n,
    amount: 750_000n,
    settledAt: new Date(Date.parse(NOW) - Math.floor(chance.pick([1, 5, 40, 100]) * chance.below(60)) * (DAY_MS / 40)),
    ...(chance.chance(0.1) ? { payerAccountId: null, payerWallet: walletOf(chance.pick(['x', 'y', 'b'])) } : {}),
    ...(chance.chance(0.1) ? { workerWallet: walletOf('old') } : {}),
  });
}

async function expectTheSameAnew(step: string): Promise<void> {
  const kept = await market.derived();
  await market.rebuild();
  expect([step, await market.derived()]).toEqual([step, kept]);
}

describe('the evidence of pairs', () => {
  it.each([1, 2, 3])(
    'moved by settlements that come and go is what all of them add up to, to the last digit (seed %i)',
    async (seed) => {
      const chance = new Seeded(seed);
      await market.people(...NAMES);
      let known: SettlementEntity[] = [];
      for (let step = 0; step < 40; step += 1) {
        const kind = chance.pick(['come', 'come', 'go', 'both', 'wallet', 'run'] as const);
        const added =
          kind === 'come' || kind === 'both'
            ? Array.from({ length: 1 + chance.below(25) }, () => anySettlement(chance))
            : [];
        const gone = kind === 'go' || kind === 'both' ? chance.sample(known, chance.below(known.length + 1) % 20) : [];
        if (kind === 'run') await market.run();
        if (kind === 'wallet') {
          await market.side.transactions.run(async (manager) => {
            await manager.update(
              AgentEntity,
              { id: agentOf('a') },
              { walletAddress: walletOf(chance.pick(['a', 'old'])) },
            );
            await market.service.noteNewWallet(manager, agentOf('a'));
          });
          // The change of the wallet is counted with the agent's next settlement.
          const next = market.settlement('d', 'a', 3, { settledAt: new Date(Date.parse(NOW) - step * DAY_MS) });
          await market.settle(next);
          known.push(next);
        }
        await market.change(added, gone);
        known = [...known.filter((one) => !gone.includes(one)), ...added];
        await expectTheSameAnew(`step ${step}: ${kind}, ${known.length} settlements`);
      }
      await market.change([], known);
      expect(await market.query('SELECT * FROM buyer_evidence')).toEqual([]);
    },
  );

  it('that deal more than once an hour is moved by the neighbours of a settlement alone', async () => {
    await market.people('a', 'b');
    const hourly = Array.from({ length: 400 }, (_, hour) =>
      market.settlement('b', 'a', 10, { settledAt: new Date(Date.parse(NOW) - hour * 3_600_000) }),
    );
    await market.settle(...hourly);
    await market.change(
      [market.settlement('b', 'a', 7, { settledAt: new Date(Date.parse(NOW) - 150.5 * 3_600_000) })],
      [],
    );
    await market.change([], [hourly[40]!, hourly[300]!, hourly[399]!]);
    await expectTheSameAnew('moved');
  });
});

describe('settlements of one commit', () => {
  /** Follows settlements that came in one transaction. @returns the statements that it ran. */
  function followed(added: readonly SettlementEntity[]): Promise<string[]> {
    return market.side.transactions.run(async (manager) => {
      await addSettlements(manager, added);
      const statements = queryExecutorOf(manager);
      const names: string[] = [];
      const changes = added.map((settlement) => ({ settlement, isGone: false }));
      const counting: QueryExecutor = {
        rows: (statement, values) => {
          names.push(statement.name);
          return statements.rows(statement, values);
        },
        send: (statement, values) => {
          names.push(statement.name);
          return statements.send(statement, values);
        },
      };
      const { agentIds, changes: words } = await followSettlements(counting, changes);
      await refreshRecords(counting, agentIds, words);
      return names;
    });
  }

  it('are followed by the same few statements, however many they are', async () => {
    await market.people(...NAMES);
    const chance = new Seeded(7);
    const known = Array.from({ length: 20 }, () => anySettlement(chance));
    const few = await followed(known);
    const many = await followed(Array.from({ length: 300 }, () => anySettlement(chance)));
    expect(many.length).toBeLessThanOrEqual(12);
    expect(new Set(many).size).toBe(many.filter((name) => name !== 'evidence_note_changes').length + 1);
    expect(many.length).toBeLessThanOrEqual(few.length + 2);
    await expectTheSameAnew('followed at once');
  });

  it('say the same together as one after the other, also when owners pay each other', async () => {
    await market.people(...NAMES);
    const chance = new Seeded(11);
    const all = Array.from({ length: 60 }, () => anySettlement(chance));
    await market.settle(...all);
    const together = await market.derived();
    await market.change([], all);
    expect(await market.query('SELECT * FROM reputation_records')).toEqual([]);
    for (const one of all) await market.settle(one);
    expect(await market.derived()).toEqual(together);
  });
});

describe('a settlement of a whale', () => {
  /** Inserts settlements of one pair, one a minute, with the evidence that counting them would give. */
  async function dealt(from: number, to: number): Promise<void> {
    await market.side.fill(
      `INSERT INTO settlements (node_id, task_id, agent_id, worker_account_id, payer_account_id, payer_wallet, worker_wallet,
        amount, released, outcome, settled_at)
      SELECT 'node_whale_' || n, 'task_whale_' || n, $1, $2, $3, $4, $5, 100, 100, 'accepted',
        $6::timestamptz - n * interval '1 minute' FROM generate_series(${from}, ${to - 1}) AS n`,
      [agentOf('a'), accountOf('a'), accountOf('b'), walletOf('b'), walletOf('a'), NOW],
    );
    await vacuumed(market.side.dataSource);
  }

  /** Inserts agents of one owner, each with its own wallet. */
  async function owned(name: string, from: number, to: number): Promise<void> {
    await market.side.fill(
      `INSERT INTO agents (id, account_id, name, agent_card_url, capabilities, wallet_address, created_at, updated_at, search)
      SELECT 'agent_' || $1 || '_' || n, 'acct_' || $1, 'n', 'https://agents.example/card', '{}', '0x' || $1 || n, now(), now(),
        '' FROM generate_series(${from}, ${to - 1}) AS n`,
      [name],
    );
    await vacuumed(market.side.dataSource);
  }

  /** Inserts accounts with one agent each: as in a market, the planner expects few agents of an account. */
  async function ordinary(count: number): Promise<void> {
    await market.side.fill(`INSERT INTO accounts (id, name, created_at)
      SELECT 'acct_o' || n, 'n', now() FROM generate_series(1, ${count}) AS n`);
    await market.side
      .fill(`INSERT INTO agents (id, account_id, name, agent_card_url, capabilities, wallet_address, created_at,
        updated_at, search)
      SELECT 'agent_o' || n, 'acct_o' || n, 'n', 'https://agents.example/card', '{}', '0xo' || n, now(), now(), ''
      FROM generate_series(1, ${count}) AS n`);
  }

  const at = NOW;
  const neighbours = [`{${agentOf('a')}}`, `{${accountOf('b')}}`, `{"${at}"}`, '{node_new}'];

  it('reads its neighbours, however many the pair has settled', async () => {
    await market.people('a', 'b');
    await dealt(0, 2_000);
    const few = await costOf(market.side.dataSource, NEIGHBOURS.text, neighbours);
    await dealt(2_000, 40_000);
    const many = await costOf(market.side.dataSource, NEIGHBOURS.text, neighbours);
    expect([few.rows, many.rows, many.scanned.includes('settlements')]).toEqual([65, 65, false]);
    expect(many.buffers).toBeLessThanOrEqual(250);
    expect(many.buffers).toBeLessThanOrEqual(3 * few.buffers);
  });

  it('looks for a wallet in common by index, however many agents the owners have', async () => {
    await market.people('a', 'b');
    const [buyer, worker] = [accountOf('b'), accountOf('a')];
    const meeting = [[buyer], [worker], [walletOf('b')], [walletOf('a')], [agentOf('a')]].map(
      (one) => `{${one.join()}}`,
    );
    await ordinary(20_000);
    await owned('a', 0, 1_000);
    await owned('b', 0, 100);
    const few = await costOf(market.side.dataSource, MEETINGS.text, meeting);
    await owned('a', 1_000, 20_000);
    const many = await costOf(market.side.dataSource, MEETINGS.text, meeting);
    expect(many.scanned).not.toContain('agents');
    expect(many.buffers).toBeLessThanOrEqual(60);
    expect(many.buffers).toBeLessThanOrEqual(3 * few.buffers);
    expect(await market.query('SELECT shares_wallet($1, $2) AS shared', [accountOf('a'), accountOf('b')])).toEqual([
      { shared: false },
    ]);
    await market.query(`UPDATE agents SET wallet_address = '0xb55' WHERE id = 'agent_a_777'`);
    for (const [one, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const [{ shared }] = await market.query('SELECT shares_wallet($1, $2) AS shared', [
        accountOf(one),
        accountOf(other),
      ]);
      expect(shared).toBe(true);
    }
  });
});

describe('blocks and owners', () => {
  it('wait for each other only where they concern the same agent', async () => {
    await market.people('a', 'b', 'c');
    await market.pay('a', 'b');
    await market.pay('a', 'c');
    const block = market.side.dataSource.createQueryRunner();
    await block.startTransaction();
    const next = market.settlement('a', 'b', 5);
    await block.manager.insert('settlements', next);
    await market.service.settle(block.manager, [next]);
    await market.side.transactions.run((manager) => market.service.noteNewWallet(manager, agentOf('c')));
    const waits = market.side.transactions.run((manager) => market.service.noteNewWallet(manager, agentOf('b')));
    let isOver = false;
    void waits.then(() => (isOver = true));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isOver).toBe(false);
    await block.commitTransaction();
    await block.release();
    await waits;
    await market.run();
    await expectTheSameAnew('after the run');
  });
});
