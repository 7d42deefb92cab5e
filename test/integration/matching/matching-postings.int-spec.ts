import { AsyncResource } from 'node:async_hooks';
import { idfOf, impactOf } from '../../../src/modules/matching/relevance/impact.js';
import { agentLexemes } from '../../../src/modules/matching/relevance/lexemes.js';
import { taskWordsOf, taskWordsValues } from '../../../src/modules/matching/relevance/task-words.js';
import { TASK_WORDS } from '../../../src/modules/matching/relevance/task-words.sql.js';
import { termIdsOf } from '../../../src/modules/matching/search-tables/term-ids.js';
import { UnusedTermsSweeper } from '../../../src/modules/matching/search-tables/unused-terms.sweeper.js';
import { runPrepared, Transactions } from '../../../src/platform/database/transactions.js';
import { migrateMatchingAnew } from './matching-migrations.js';
import { MatchingSide } from '../../support/matching-side.js';
import { address, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

const owner = { id: WORKER, walletAddress: address(2) };
const agentCardUrl = 'https://agents.example/card';

let side: ReadSide;
let market: MatchingSide;

const publish = (name: string, description = '', capabilities: string[] = []) =>
  market.agents.publish(owner, { name, agentCardUrl, description, capabilities });
const postings = (): Promise<{ id: string; word: string; impact: number }[]> =>
  side.dataSource.query(`SELECT a.id, t.word, p.impact FROM match_postings p JOIN match_terms t USING (term_id)
    JOIN agents a ON a.number = p.agent_number ORDER BY a.id, t.word COLLATE "C"`);
const frequencies = (): Promise<{ word: string; df: number; counted: number }[]> =>
  side.dataSource.query(`SELECT word, df, (SELECT count(*)::integer FROM match_postings p WHERE p.term_id = t.term_id)
    AS counted FROM match_terms t ORDER BY word COLLATE "C"`);
const statistics = async () => (await side.dataSource.query('SELECT * FROM match_statistics'))[0];
const changes = async (): Promise<string[]> =>
  (await side.dataSource.query('SELECT kind FROM match_changes ORDER BY seq')).map((row: { kind: string }) => row.kind);

/** The postings that relevance/ computes from the agents' texts, with the averages that the service holds. */
async function expected(): Promise<object[]> {
  const { name_length: name, rest_length: rest } = await statistics();
  const agents: { id: string; search: string }[] = await side.dataSource.query(
    `SELECT id, search::text FROM agents WHERE status = 'active' ORDER BY id`,
  );
  return agents.flatMap(({ id, search }) => {
    const { terms, lengths } = agentLexemes(search);
    return [...terms]
      .map(([word, tf]) => ({ id, word, impact: impactOf(tf, lengths, { name, rest }) }))
      .sort((a, b) => (a.word < b.word ? -1 : 1));
  });
}

beforeEach(async () => {
  side = await ReadSide.create();
  await side.dataSource.query('DELETE FROM agents');
  market = new MatchingSide(side);
});
afterEach(() => side.close());

describe('the postings of agents', () => {
  it('are the impacts of their words, and words and lengths are counted at once while the market is small', async () => {
    await publish('Solidity audit', 'Audits of solidity contracts, with proofs', ['contractAudit']);
    await publish(`O'Brien "quoted" \\ back`, `it's an audit of naïve UTF-8 text — 測試`);
    await publish('Cook', '', ['pasta', 'pizza']);
    expect(await postings()).toEqual(await expected());
    for (const { df, counted } of await frequencies()) expect(df).toBe(counted);
    expect(await statistics()).toMatchObject({ agents: 3, rewritten_to: null });
  });

  it('leave no words behind: those that nobody has any more are deleted, and a writer is waited for', async () => {
    const { id } = await publish('Alpha', 'kept');
    await publish('Beta', 'kept');
    for (let n = 0; n < 3; n++) await market.agents.update(owner, id, { description: `kept once${n}` });
    const sweeper = new UnusedTermsSweeper(side.dataSource, side.transactions);
    const words = async () => (await frequencies()).map(({ word }) => word);
    expect(await words()).toEqual(expect.arrayContaining(['once0', 'once1', 'once2']));
    await side.transactions.run(async (manager) => {
      await termIdsOf(manager, ['kept']);
      const other = new Transactions(side.dataSource);
      const apart = new AsyncResource('sweeper');
      expect(await apart.runInAsyncScope(() => new UnusedTermsSweeper(side.dataSource, other).sweep())).toBe(0);
    });
    expect(await sweeper.sweep()).toBe(2);
    expect(await words()).toEqual(['alpha', 'beta', 'kept', 'once2']);
    expect(await postings()).toEqual(await expected());
  });

  it('follow a change of its texts, and are gone while it is off the market', async () => {
    const { id } = await publish('Alpha', 'beta');
    await market.agents.update(owner, id, { name: 'Gamma' });
    expect((await postings()).map(({ word }) => word)).toEqual(['beta', 'gamma']);
    await market.agents.update(owner, id, { status: 'inactive' });
    expect(await postings()).toEqual([]);
    expect(await statistics()).toMatchObject({ agents: 0 });
    await market.agents.update(owner, id, { status: 'active' });
    expect((await postings()).map(({ word }) => word)).toEqual(['beta', 'gamma']);
    await market.agents.update(owner, id, { status: 'retired' });
    expect(await postings()).toEqual([]);
    for (const { df } of await frequencies()) expect(df).toBe(0);
  });

  it('stay whole when many are published at the same moment', async () => {
    const names = Array.from({ length: 24 }, (_, n) => `Word${n % 5} shared${n % 3} agent`);
    await Promise.all(names.map((name, n) => publish(name, `${'long '.repeat(n)} text`)));
    for (const { df, counted } of await frequencies()) expect(df).toBe(counted);
    expect(await postings()).toEqual(await expected());
    expect(await statistics()).toMatchObject({ agents: 24 });
  });

  it('are made for agents that were there before the migration', async () => {
    await publish('Solidity audit', 'Audits of contracts', ['contractAudit']);
    await publish('Words', `it's all "quoted" \\ here`, ['pasta', 'pizza']);
    const { id } = await publish('Away', 'for now');
    await market.agents.update(owner, id, { status: 'inactive' });
    await market.runner.refresh(true);
    const before = { postings: await postings(), words: (await frequencies()).filter(({ df }) => df > 0) };
    const numbers = await statistics();
    await migrateMatchingAnew(side.dataSource);
    // The migration computes impacts by its own, older formula, so the service recomputes them.
    while (await market.statistics.rewriteNext());
    expect({ postings: await postings(), words: await frequencies() }).toEqual(before);
    const { agents, name_length, rest_length } = numbers;
    expect(await statistics()).toMatchObject({ agents, name_length, rest_length });
    const task = await side.task(1);
    expect((await market.ranking.rankAgents(task, 10)).matches).toHaveLength(1);
  });
});

describe('the statistics of a large market', () => {
  beforeEach(async () => {
    await publish('Solidity audit', 'audit');
    await side.dataSource.query('UPDATE match_statistics SET agents = 5000, name_length = 40, rest_length = 40');
  });

  it('wait for their refresh, which counts all words and makes every impact anew', async () => {
    await publish('Audit two', 'audit');
    expect(await statistics()).toMatchObject({ agents: 5_000, name_length: 40 });
    expect((await frequencies()).find(({ word }) => word === 'audit')).toMatchObject({ df: 1, counted: 2 });
    await market.runner.refresh();
    expect(await statistics()).toMatchObject({ agents: 2, name_length: 2, rewritten_to: null });
    for (const { df, counted } of await frequencies()) expect(df).toBe(counted);
    expect(await postings()).toEqual(await expected());
  });

  it('go on where another process ended', async () => {
    await side.dataSource.query('UPDATE match_postings SET impact = 1');
    await side.dataSource.query('UPDATE match_statistics SET rewritten_to = 0, name_length = 2, rest_length = 1');
    while (await market.statistics.rewriteNext());
    expect(await statistics()).toMatchObject({ rewritten_to: null });
    expect(await postings()).toEqual(await expected());
  });
});

describe('the words of a task', () => {
  it('carry the rarity that idfOf gives, and words of nobody are only in the vector', async () => {
    await publish('Audit one');
    await publish('Audit two');
    const task = { title: 'Audit', brief: 'nobodyhasthis one', criteria: ['audit'] };
    const rows = await runPrepared<never>(side.dataSource.manager, TASK_WORDS, taskWordsValues(task));
    const words = taskWordsOf(rows);
    expect(words.lexemes).toEqual(['audit', 'nobodyhasthi', 'one']);
    expect(words.terms.map(({ df, idf }) => [df, idf])).toEqual([
      [2, idfOf(2, 2)],
      [1, idfOf(1, 2)],
    ]);
    expect([...words.vector.keys()]).toContain('nobodyhasthi');
    expect(words.brief).toHaveLength(2);
  });
});

it('every change that a match depends on is noted in its transaction, for indexes in memory', async () => {
  const { id } = await publish('Alpha');
  expect(await changes()).toContain('texts');
  await side.dataSource.query('DELETE FROM match_changes');
  await market.agents.setAvailability(owner, id, false);
  expect(await changes()).toEqual(['state']);
  const rows = await side.dataSource.query(
    'SELECT a.id FROM match_changes c JOIN agents a ON a.number = ANY (c.agent_numbers)',
  );
  expect(rows).toEqual([{ id }]);
  await expect(market.agents.update(owner, id, { name: '' })).rejects.toMatchObject({ code: 'invalid_body' });
  expect(await changes()).toEqual(['state']);
});
