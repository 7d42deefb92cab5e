import pg from 'pg';
import { SettledAgents1700000000014 } from '../../../src/migrations/1700000000014-settled-agents.js';
import { briefIdfOf, briefVector } from '../../../src/modules/matching/relevance/similar-briefs.js';
import { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { TrustRunEntity } from '../../../src/modules/reputation/runs/batch/trust-run.entity.js';
import { MatchingSide } from '../../support/matching-side.js';
import { address, BUYER, NOW, RIVAL, settlementRow, STRANGER, taskId, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

let side: ReadSide;
let market: MatchingSide;

const BRIEF = { title: 'Translate a manual', brief: 'Translate the manual of a pump into German', criteria: [] };

/** Inserts a settlement by which the worker's agent was paid for task n. A higher n settles later. */
async function settled(n: number, change: Partial<SettlementEntity> = {}): Promise<void> {
  await side.insert(SettlementEntity, settlementRow(n, change));
  await side.transactions.run((manager) => market.briefs.keep(manager, taskId(n), true));
}

async function matches(): Promise<[string, number][]> {
  const task = await side.tasks.find(BUYER, taskId(1));
  const ranked = await market.ranking.rankAgents(task, 100);
  return ranked.matches.map(({ candidate }) => [candidate.agentId, Math.round(candidate.similarity * 100) / 100]);
}

beforeEach(async () => {
  side = await ReadSide.create();
  market = new MatchingSide(side);
  await side.task(1, BRIEF);
  await side.task(2, BRIEF);
  await side.task(3, { title: 'Bake a cake', brief: 'Bake a cake with cherries', criteria: [] });
});
afterEach(() => side.close());

describe('an agent that settled a similar brief', () => {
  it('is a candidate even when its own texts have no word of the task, and the reason says so', async () => {
    expect(await matches()).toEqual([]);
    await settled(2);
    expect(await matches()).toEqual([['agent_worker', expect.closeTo(1, 1)]]);
    const { data } = await market.matching.list({ accountId: BUYER }, taskId(1), { limit: 5 });
    expect(data[0]?.reason).toContain('ettled a similar task (');
  });

  it('is one too when it settled it before settlements knew the numbers of their agents', async () => {
    await settled(2);
    const runner = side.dataSource.createQueryRunner();
    const migration = new SettledAgents1700000000014();
    await migration.down(runner);
    await migration.up(runner);
    await runner.release();
    expect(await matches()).toEqual([['agent_worker', expect.closeTo(1, 1)]]);
  });

  it('counts with its most similar one, and one with nothing in common counts for nothing', async () => {
    await settled(3);
    expect(await matches()).toEqual([]);
    await settled(2);
    expect(await matches()).toEqual([['agent_worker', expect.closeTo(1, 1)]]);
  });

  it.each<[string, Partial<SettlementEntity>]>([
    ['it paid itself', { payerAccountId: WORKER }],
    ['less than half was paid', { released: 49n }],
    ['nothing was paid', { amount: 0n, released: 0n }],
  ])('has nothing from it when %s', async (_, change) => {
    await settled(2, change);
    expect(await matches()).toEqual([]);
  });

  it('has nothing from it when one owner is behind both', async () => {
    await side.dataSource.query(`INSERT INTO account_clusters VALUES ('${WORKER}', 'c'), ('${STRANGER}', 'c')`);
    await settled(2);
    expect(await matches()).toEqual([]);
  });

  it('has nothing from the task itself', async () => {
    await settled(1);
    expect(await matches()).toEqual([]);
  });

  it('has it of independent buyers only, once the operator has named verified ones', async () => {
    await settled(2);
    const at = new Date(NOW);
    await side.insert(TrustRunEntity, { asOf: at, startedAt: at, status: 'finished', phase: 'done', anchors: 5 });
    expect(await matches()).toEqual([]);
    await side.dataSource.query(`INSERT INTO buyer_independence VALUES ('${STRANGER}', 0.49)`);
    expect(await matches()).toEqual([]);
    await side.dataSource.query('UPDATE buyer_independence SET independence = 0.5');
    expect(await matches()).toHaveLength(1);
  });

  it('keeps that, however much else it settles afterwards', async () => {
    await settled(2);
    for (let n = 10; n < 40; n += 1) {
      await side.task(n, { title: 'Other', brief: `unlike${n}`, criteria: [] });
      await settled(n);
    }
    expect(await matches()).toHaveLength(1);
  });

  it('loses it when the settlement is taken back', async () => {
    await settled(2);
    await side.dataSource.query('DELETE FROM settlements');
    await side.transactions.run((manager) => market.briefs.keep(manager, taskId(2), false));
    expect(await matches()).toEqual([]);
    expect(await side.dataSource.query('SELECT * FROM match_brief_postings')).toEqual([]);
  });

  it('is refused like any other when it may not be hired', async () => {
    await settled(2);
    await side.dataSource.query(`UPDATE agents SET available = false`);
    expect(await matches()).toEqual([]);
  });

  it('has that in common with the task, whatever else keeps it from being hired', async () => {
    const refusals = async (): Promise<string[] | undefined> => {
      const page = await market.explanations.explain({ accountId: BUYER }, taskId(1), 'agent_worker');
      return page.explanation?.refusals.map(({ code }) => code);
    };
    await side.dataSource.query(`UPDATE agents SET available = false`);
    expect(await refusals()).toEqual(['not_available', 'nothing_in_common']);
    await settled(2);
    expect(await refusals()).toEqual(['not_available']);
  });

  it('of another owner comes after one whose brief is nearer', async () => {
    await settled(2);
    await side.task(4, { title: 'Translate a poem', brief: 'Translate a poem into German', criteria: [] });
    await settled(4, { agentId: 'agent_rival', workerAccountId: RIVAL, workerWallet: address(13) });
    expect((await matches()).map(([id]) => id)).toEqual(['agent_worker', 'agent_rival']);
  });

  it('has a brief that a refresh weighs anew, as one that is settled then would be', async () => {
    await settled(2);
    const owner = { id: RIVAL, walletAddress: address(3) };
    for (const name of ['Pump', 'Manual pump', 'German manual']) {
      await market.agents.publish(owner, { name, agentCardUrl: 'https://agents.example/card' });
    }
    await market.runner.refresh(true);
    const weights = () =>
      side.dataSource.query(
        `SELECT word, weight FROM match_brief_postings JOIN match_terms USING (term_id) ORDER BY word`,
      );
    const refreshed = await weights();
    await side.transactions.run((manager) => market.briefs.keep(manager, taskId(2), false));
    await side.transactions.run((manager) => market.briefs.keep(manager, taskId(2), true));
    expect(await weights()).toEqual(refreshed);
  });
});

describe('the words of settled briefs', () => {
  const words = (): Promise<{ word: string; df: number; brief_df: number; weight: number }[]> =>
    side.dataSource.query(`SELECT word, df, brief_df, weight FROM match_brief_postings JOIN match_terms USING (term_id)
      JOIN match_briefs b ON b.number = brief_number WHERE b.task_id = '${taskId(2)}' ORDER BY word`);
  const counted = async () => {
    const [row] = await side.dataSource.query('SELECT agents, briefs FROM match_statistics');
    const terms = await side.dataSource.query(`SELECT word, brief_df,
      (SELECT count(*)::integer FROM match_brief_postings p WHERE p.term_id = t.term_id) AS counted FROM match_terms t`);
    for (const { brief_df, counted: held } of terms) expect(brief_df).toBe(held);
    return row;
  };
  const publish = (name: string) =>
    market.agents.publish(
      { id: RIVAL, walletAddress: address(3) },
      { name, agentCardUrl: 'https://agents.example/card' },
    );

  it('weigh by how rare they are among agents and briefs together, counted at once while the market is small', async () => {
    await publish('Pump');
    await publish('Manual pump');
    await settled(3);
    await settled(2);
    const all = await counted();
    expect(all.briefs).toBe(2);
    const found = await words();
    expect(found.find(({ word }) => word === 'pump')).toMatchObject({ df: 2, brief_df: 1 });
    expect(found.find(({ word }) => word === 'manual')).toMatchObject({ df: 1, brief_df: 1 });
    // The words of the title, "Translate a manual", count twice, because the brief has them too.
    const counts = new Map(found.map(({ word }) => [word, word === 'translat' || word === 'manual' ? 2 : 1]));
    const idf = (word: string) => {
      const { df = 0, brief_df = 0 } = found.find((one) => one.word === word) ?? {};
      return briefIdfOf({ agents: df, briefs: brief_df }, all);
    };
    expect(new Map(found.map(({ word, weight }) => [word, weight]))).toEqual(
      new Map([...briefVector(counts, idf)].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    );
  });

  it('count all of them, also those that the vector leaves out, which make no brief similar', async () => {
    const many = Array.from({ length: 90 }, (_, n) => `zz${n}`).join(' ');
    await side.task(5, { title: 'Long', brief: many, criteria: [] });
    await settled(5);
    const [row] = await side.dataSource.query(`SELECT count(*)::integer AS words,
      (count(*) FILTER (WHERE weight > 0))::integer AS weighed FROM match_brief_postings`);
    expect(row).toEqual({ words: 91, weighed: 64 });
    await counted();
    const left = await side.dataSource.query(
      'SELECT word FROM match_brief_postings JOIN match_terms USING (term_id) WHERE weight = 0 LIMIT 1',
    );
    await side.task(6, { title: left[0].word, brief: left[0].word, criteria: [] });
    const { matches: found } = await market.ranking.rankAgents(await side.tasks.find(BUYER, taskId(6)), 10);
    expect(found).toEqual([]);
  });

  it('are counted no more when the settlement is taken back', async () => {
    await settled(2);
    expect(await counted()).toMatchObject({ briefs: 1 });
    await side.transactions.run((manager) => market.briefs.keep(manager, taskId(2), false));
    expect(await counted()).toMatchObject({ briefs: 0 });
  });

  it('wait for the refresh in a large market, which weighs every brief by them', async () => {
    await side.dataSource.query('UPDATE match_statistics SET briefs = 5000');
    await settled(2);
    await settled(3);
    expect((await words()).every(({ brief_df }) => brief_df === 0)).toBe(true);
    const before = (await words()).map(({ weight }) => weight);
    await publish('Pump');
    await market.runner.refresh();
    expect(await counted()).toMatchObject({ briefs: 2 });
    expect((await words()).map(({ weight }) => weight)).not.toEqual(before);
    const versions = await side.dataSource.query('SELECT DISTINCT version FROM match_briefs');
    const [{ brief_version }] = await side.dataSource.query('SELECT brief_version FROM match_statistics');
    expect(versions).toEqual([{ version: brief_version }]);
  });

  it('are weighed by the same few statements, however many briefs there are', async () => {
    await settled(2);
    const statements = async (): Promise<number> => {
      await side.dataSource.query('UPDATE match_briefs SET version = -1');
      const query = jest.spyOn(pg.Client.prototype, 'query');
      await market.briefs.weighNext();
      const count = query.mock.calls.length;
      query.mockRestore();
      return count;
    };
    const forOne = await statements();
    const before = await words();
    for (let n = 10; n < 50; n += 1) {
      await side.task(n, n % 2 === 0 ? BRIEF : { ...BRIEF, brief: `Translate ${n} pages` });
      await side.insert(SettlementEntity, settlementRow(n));
      await side.dataSource.query('INSERT INTO match_briefs (task_id) VALUES ($1)', [taskId(n)]);
    }
    expect(await statements()).toBeLessThanOrEqual(forOne + 2);
    expect(await words()).toEqual(before);
    const [unlike] = await side.dataSource
      .query(`SELECT count(*)::integer AS count FROM match_briefs b WHERE b.version = -1
      OR NOT EXISTS (SELECT 1 FROM match_brief_postings p WHERE p.brief_number = b.number AND p.weight > 0)`);
    expect(unlike).toEqual({ count: 0 });
  });

  it('are made for briefs that the migration found, with the first refresh', async () => {
    await settled(2);
    const before = await words();
    await side.dataSource.query('TRUNCATE match_brief_postings');
    await side.dataSource.query('UPDATE match_briefs SET version = -1');
    await side.dataSource.query('UPDATE match_terms SET brief_df = 0');
    await side.dataSource.query('UPDATE match_statistics SET briefs = 0, brief_texts = 0');
    await market.runner.refresh();
    expect(await words()).toEqual(before);
    expect(await counted()).toMatchObject({ briefs: 1 });
  });
});
