import type { DataSource } from 'typeorm';
import { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { AgentIndexThread } from '../../../src/modules/matching/memory-search/agent-index-thread.js';
import { AgentRanking } from '../../../src/modules/matching/ranking/agent-ranking.js';
import { AgentPostings } from '../../../src/modules/matching/search-tables/agent-postings.js';
import { StatisticsRunner } from '../../../src/modules/matching/search-tables/settled-briefs/statistics.runner.js';
import type { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { ChainMarket } from '../../support/chain-market.js';
import { copyOwnRecords } from '../../support/derived-state.js';
import { TestService } from '../../support/test-service.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { IndexedMarket, type Party } from '../../support/indexed-market.js';

let chain: ChainMarket;
let market: IndexedMarket;
let app: TestService;
let buyer: Party;
let worker: Party;
let asked: TaskEntity;

beforeAll(async () => {
  chain = await ChainMarket.start();
});
afterAll(() => chain.stop());

/** Starts a market whose matches come from this index. */
async function begin(matchingIndex: 'sql' | 'memory'): Promise<void> {
  const { url, dataSource } = await createMigratedDatabase();
  market = new IndexedMarket(chain, dataSource);
  buyer = await market.party('Buyer');
  worker = await market.party('Worker');
  app = await TestService.start(url, { ...market.connection, matchingIndex });
  if (matchingIndex === 'memory') await eventually(() => app.get(AgentIndexThread).isReady);
  const other = await market.party('Other');
  for (const [{ accountId: id, agentId, wallet }, name] of [
    [worker, 'Kiln'],
    [other, 'Pottery glaze'],
  ] as const) {
    await app.get(AgentsService).update({ id, walletAddress: wallet.address }, agentId, { name });
  }
  const tree = await market.draft(await market.party('Asker'));
  await brief(tree.taskId);
  asked = await market.task(tree.taskId);
}

afterEach(async () => {
  await app.close();
  await market.dataSource.destroy();
});

const brief = (taskId: string) =>
  market.dataSource.query(
    `UPDATE tasks SET title = 'Glaze a bowl', brief = 'Glaze a bowl of stoneware' WHERE id = $1`,
    [taskId],
  );

/** The parts of the matches that do not depend on the current time. */
async function matchesOf(index: TestService, task: TaskEntity): Promise<object[]> {
  await index.get(StatisticsRunner).refresh(true);
  const { matches } = await index.get(AgentRanking).rankAgents(task, 100);
  return matches.map(({ candidate, ...place }) => ({ ...candidate, ...place }));
}

/** The same matches from an index that was built from nothing, from the same chain. */
async function rebuiltMatches(from: DataSource, task: TaskEntity): Promise<object[]> {
  const { url, dataSource } = await createMigratedDatabase();
  await copyOwnRecords(from, dataSource);
  const index = await TestService.start(url, market.connection);
  try {
    await index.index();
    const agents = await dataSource.query<{ id: string }[]>('SELECT id FROM agents');
    await dataSource.transaction((manager) =>
      index.get(AgentPostings).write(
        manager,
        agents.map(({ id }) => id),
      ),
    );
    return await matchesOf(index, task);
  } finally {
    await index.close();
    await dataSource.destroy();
  }
}

const SETTLED_AND_BACK =
  'a settlement shows up in the next match, and a reorganisation that removes it takes it away again';

it.each(['sql', 'memory'] as const)(`${SETTLED_AND_BACK} (%s)`, async (matchingIndex) => {
  await begin(matchingIndex);
  const tree = await market.hired(buyer, worker);
  await brief(tree.taskId);
  await chain.deliver(tree, 1n, worker.wallet);
  await app.index();
  const before = await matchesOf(app, asked);
  expect(before).toMatchObject([{ similarity: 0 }]);

  await chain.resolve(tree, tree.root, buyer.wallet);
  await chain.anvil.mine(4);
  await app.index();
  const settled = await matchesOf(app, asked);
  expect(settled).toHaveLength(2);
  expect(settled.find((match) => 'agentId' in match && match.agentId === worker.agentId)).toMatchObject({
    relevance: 0,
    similarity: expect.closeTo(1, 1),
    reputation: expect.objectContaining({ independentSettlements: 1 }),
    liveNodes: 0,
  });
  expect(settled).toEqual(await rebuiltMatches(market.dataSource, asked));

  await chain.anvil.reorg(5);
  await app.index();
  expect(await matchesOf(app, asked)).toEqual(before);
  expect(before).toEqual(await rebuiltMatches(market.dataSource, asked));
  expect(await market.dataSource.query('SELECT * FROM match_briefs')).toEqual([]);
});
