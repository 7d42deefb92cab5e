import { ReputationListService } from '../../../src/modules/reputation/reputation-list.service.js';
import { AFTER_ALL, ONE_RECORD, reputationListStatement } from '../../../src/modules/reputation/reputation-list.sql.js';
import { ReputationRecordEntity } from '../../../src/modules/reputation/reputation-record.entity.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { ReputationService } from '../../../src/modules/reputation/reputation.service.js';
import { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { planOf } from '../../support/query-plan.js';
import { address, BUYER, NOW, STRANGER, taskId, WORKER } from '../../support/market-rows.js';
import { ReadSide, walk } from '../../support/read-side.js';

let side: ReadSide;
let reputation: ReputationListService;

const caller = { accountId: STRANGER };
const record = (agentId: string, score: string): Partial<ReputationRecordEntity> => ({
  agentId,
  score,
  independenceConfidence: '0.5000',
  settledValue: 2_500_000_000n,
  updatedAt: new Date(NOW),
});
const settlement = (n: number, change: Partial<SettlementEntity> = {}): Partial<SettlementEntity> => ({
  nodeId: `node_${n}`,
  taskId: taskId(1),
  agentId: 'agent_worker',
  workerAccountId: WORKER,
  payerAccountId: BUYER,
  payerWallet: address(1),
  workerWallet: address(12),
  amount: 100_000_000n,
  released: 100_000_000n,
  outcome: 'accepted',
  settledAt: new Date(NOW),
  ...change,
});

beforeEach(async () => {
  side = await ReadSide.create();
  reputation = new ReputationListService(side.reads, side.cursors);
});
afterEach(() => side.close());

describe('the list of reputation records', () => {
  it('is by score, then by agent id, for every caller', async () => {
    const rows = [record('agent_b', '0.9000'), record('agent_c', '1.0000'), record('agent_a', '0.9000')];
    await side.insert(ReputationRecordEntity, ...rows);
    const { data } = await reputation.list(caller, { limit: 25 });
    expect(data.map(({ agent_id }) => agent_id)).toEqual(['agent_c', 'agent_a', 'agent_b']);
    expect(data[0]).toEqual({
      agent_id: 'agent_c',
      score: 1,
      updated_at: NOW,
      settled_value: { amount: '2500.00', currency: 'USDC' },
    });
  });

  it('is filtered by agent; an unknown one gives an empty page', async () => {
    await side.insert(ReputationRecordEntity, record('agent_a', '0.9000'), record('agent_b', '0.9000'));
    const of = async (agent_id: string) => (await reputation.list(caller, { limit: 25, agent_id })).data;
    expect((await of('agent_b')).map(({ agent_id }) => agent_id)).toEqual(['agent_b']);
    expect(await of('agent_x')).toEqual([]);
  });

  it('is walked without repeats or gaps over equal scores, while better and worse records arrive', async () => {
    const scores = ['1.0000', '0.9500', '0.9500', '0.9500', '0.9500', '0.9500', '0.8000', '0.0000'];
    const rows = scores.map((score, index) => record(`agent_${index}`, score));
    await side.insert(ReputationRecordEntity, ...rows);
    const seen = await walk(
      async (cursor) => {
        const { data, next_page } = await reputation.list(caller, { limit: 2, ...(cursor ? { cursor } : {}) });
        return { data: data.map(({ agent_id }) => ({ id: agent_id })), next_page };
      },
      (page) => side.insert(ReputationRecordEntity, record(`agent_new_${page}`, '0.9900')),
    );
    expect(seen).toEqual(scores.map((_, index) => `agent_${index}`));
  });

  it('refuses a cursor under a filter', async () => {
    await side.insert(ReputationRecordEntity, record('agent_a', '0.9000'), record('agent_b', '0.9000'));
    const cursor = (await reputation.list(caller, { limit: 1 })).next_page ?? '';
    await expect(reputation.list(caller, { limit: 1, cursor, agent_id: 'agent_a' })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  it('reads what is left of a score and what lies below it from the index on 100,000 records', async () => {
    await side.fill(
      `INSERT INTO reputation_records (agent_id, score, independence_confidence, settled_value, updated_at)
        SELECT 'agent_' || n, CASE WHEN n % 2 = 0 THEN 0.9 ELSE (n % 10000) / 10000.0 END, 0.5, 1, $1
        FROM generate_series(1, 100000) AS n`,
      [NOW],
    );
    await side.fill('ANALYZE reputation_records');
    const plan = await planOf(side.dataSource, reputationListStatement(26).text, AFTER_ALL);
    const indexes = plan.nodes.map((node) => node['Index Name']);
    expect(indexes.filter((index) => index === 'reputation_records_score_agent_id_idx')).toHaveLength(1);
    expect(plan.scanned).toEqual([]);
    expect(JSON.stringify(plan.nodes)).not.toContain('Filter');
    const { scans } = await planOf(side.dataSource, ONE_RECORD.text, ['agent_7']);
    expect(scans).toEqual([expect.stringContaining('reputation_records_pkey')]);
  });
});

describe('rebuilding reputation', () => {
  const service = new ReputationService(new Clock());
  const rebuild = (...ids: string[]) => side.transactions.run((manager) => service.rebuild(manager, ids));
  const records = () => side.dataSource.manager.find(ReputationRecordEntity, { order: { agentId: 'ASC' } });

  it('makes the record of each agent from its settlements, as of the newest of them', async () => {
    await side.insert(
      SettlementEntity,
      settlement(1, { settledAt: new Date('2026-11-01T00:00:00.000Z'), payerAccountId: 'acct_other' }),
      settlement(2, { amount: 50_000_001n, released: 50_000_001n }),
      settlement(3, { agentId: 'agent_rival', workerWallet: address(13), released: 0n, outcome: 'rejection_final' }),
    );
    await rebuild('agent_rival', 'agent_worker', 'agent_worker');
    expect(await records()).toMatchObject([
      { agentId: 'agent_rival', score: '0.4000', independenceConfidence: '0.0000', settledValue: 0n },
      {
        agentId: 'agent_worker',
        independenceConfidence: '0.4628',
        settledValue: 150_000_001n,
        updatedAt: new Date(NOW),
      },
    ]);
  });

  it('gives the same record whenever it runs and whatever was there before', async () => {
    await side.insert(SettlementEntity, settlement(1));
    await rebuild('agent_worker');
    const first = await records();
    side.clock.set('2027-11-20T12:00:00.000Z');
    await side.dataSource.query(`UPDATE reputation_records SET score = 0.1, settled_value = 9`);
    await rebuild('agent_worker');
    expect(await records()).toEqual(first);
    expect(first).toMatchObject([{ score: '0.9000', settledValue: 100_000_000n }]);
  });

  it('takes the record away with the last settlement, as a reorganisation does', async () => {
    await side.insert(SettlementEntity, settlement(1));
    await rebuild('agent_worker');
    await side.dataSource.manager.delete(SettlementEntity, { nodeId: 'node_1' });
    await rebuild('agent_worker', 'agent_unknown');
    expect(await records()).toEqual([]);
  });

  it('leaves self-dealing out of score and value', async () => {
    await side.insert(SettlementEntity, settlement(1, { payerAccountId: WORKER }));
    await rebuild('agent_worker');
    expect(await records()).toMatchObject([{ score: '0.8000', settledValue: 0n, independenceConfidence: '0.0000' }]);
  });

  it('is undone with the transaction it runs in', async () => {
    await side.insert(SettlementEntity, settlement(1));
    const broken = side.transactions.run(async (manager) => {
      await service.rebuild(manager, ['agent_worker']);
      throw new Error('the block is discarded');
    });
    await expect(broken).rejects.toThrow('discarded');
    expect(await records()).toEqual([]);
  });
});
