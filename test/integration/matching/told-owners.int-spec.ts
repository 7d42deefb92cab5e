import type { DataSource } from 'typeorm';
import { TaskRanking } from '../../../src/modules/matching/ranking/task-ranking.js';
import { MOST_AGENTS, MOST_OWNERS } from '../../../src/modules/matching/told-owners/matched-event.js';
import { ToldOwners } from '../../../src/modules/matching/told-owners/told-owners.js';
import type { AccountEntity } from '../../../src/modules/accounts/account.entity.js';
import { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { type TaskDraft, TaskDrafts } from '../../../src/modules/tasks/task-drafts.js';
import { TaskStore } from '../../../src/modules/tasks/task-store.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { ChainMarket } from '../../support/chain-market.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { IndexedMarket } from '../../support/indexed-market.js';
import { address } from '../../support/market-rows.js';
import { TestService } from '../../support/test-service.js';

let chain: ChainMarket;
let database: { url: string; dataSource: DataSource };
let service: TestService;
let other: TestService;
let buyer: AccountEntity;
let people = 100;

beforeAll(async () => {
  [chain, database] = await Promise.all([ChainMarket.start(), createMigratedDatabase()]);
  const { connection } = new IndexedMarket(chain, database.dataSource);
  const start = () => TestService.start(database.url, connection);
  [service, other] = await Promise.all([start(), start()]);
  buyer = await person();
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await Promise.all([service?.close(), other?.close()]);
  await database?.dataSource.destroy();
  await chain?.stop();
});

function person(): Promise<AccountEntity> {
  people += 1;
  return service.account(`Person ${people}`, address(people));
}

/** An agent that is found by the word. */
async function agent(owner: AccountEntity, word: string): Promise<string> {
  const profile = { name: `Agent for ${word}`, agentCardUrl: 'https://agents.example/card.json', capabilities: [word] };
  return (await service.get(AgentsService).publish(owner, profile)).id;
}

async function open(word: string, own: Partial<TaskDraft> = {}): Promise<string> {
  const draft = { brief: `Please ${word} this.`, budget: 250_000_000n, selectionMode: 'manual' as const, ...own };
  const { id } = await service.get(TaskDrafts).create(buyer, draft);
  await service.get(Transactions).run((manager) => service.get(TaskStore).markOpened(manager, id, new Date()));
  return id;
}

/** The events that say whose agents match the task, with their readers. */
async function told(taskId: string): Promise<{ owner: string; event: any }[]> {
  const rows = await database.dataSource.query<{ owner: string; document: string }[]>(
    `SELECT audience.account_id AS owner, event.document FROM events event JOIN event_audience audience USING (sequence)
     WHERE event.document LIKE '%"task.matched"%' ORDER BY event.sequence`,
  );
  return rows
    .map(({ owner, document }) => ({ owner, event: JSON.parse(document) }))
    .filter(({ event }) => event.subject.id === taskId);
}

/** Resolves once all that was opened was followed and is in the log. */
async function followed(): Promise<void> {
  await eventually(async () => {
    const [row] = await database.dataSource.query(
      `SELECT NOT EXISTS (SELECT FROM event_outbox) AND (SELECT told_to FROM told_matches) >= (
        SELECT coalesce(max(sequence), 0) FROM event_audience WHERE account_id = 'public'
          AND sequence IN (SELECT sequence FROM events WHERE document LIKE '%"task.opened"%')) AS done`,
    );
    return row.done;
  });
}

it('owners hear of a public task that their agents match, each of its own agents alone', async () => {
  const [one, two, stranger] = [await person(), await person(), await person()];
  const mine = [await agent(one, 'weave'), await agent(one, 'weave')];
  const theirs = await agent(two, 'weave');
  await agent(stranger, 'solder');
  await agent(buyer, 'weave');
  const task = await open('weave');
  await eventually(async () => (await told(task)).length >= 2);
  await followed();
  const events = await told(task);
  expect(new Set(events.map(({ owner }) => owner))).toEqual(new Set([one.id, two.id]));
  expect(events).toHaveLength(2);
  const of = (owner: AccountEntity): any => events.find((each) => each.owner === owner.id)!.event;
  expect(of(one)).toMatchObject({
    type: 'task.matched',
    subject: { kind: 'task', id: task, task_id: task },
    data: { budget: { amount: '250.00', currency: 'USDC' }, deadline: expect.any(String) },
    links: { resource: `/v1/tasks/${task}` },
  });
  expect(new Set(of(one).data.agents.map((each: any) => each.agent_id))).toEqual(new Set(mine));
  expect(of(two).data.agents.map((each: any) => each.agent_id)).toEqual([theirs]);
  const ranks = [of(one), of(two)].flatMap(({ data }) => data.agents.map((each: any) => each.rank));
  expect(new Set(ranks)).toEqual(new Set([1, 2, 3]));
});

it('nobody hears of a task that is private, or that takes no offers any more when its turn comes', async () => {
  await agent(await person(), 'engrave');
  const secret = await open('engrave', { tier: 'private_curated' });
  await followed();
  const { dataSource } = database;
  const [{ told_to: before }] = await dataSource.query('SELECT told_to FROM told_matches');
  await dataSource.query('UPDATE told_matches SET told_to = $1', [Number.MAX_SAFE_INTEGER]);
  const over = await open('engrave');
  await eventually(async () => (await dataSource.query('SELECT FROM event_outbox')).length === 0);
  await dataSource.query(`UPDATE tasks SET status = 'expired' WHERE id = $1`, [over]);
  await dataSource.query('UPDATE told_matches SET told_to = $1', [before]);
  const shown = await open('engrave');
  await eventually(async () => (await told(shown)).length === 1);
  expect([await told(secret), await told(over)]).toEqual([[], []]);
});

it('two processes that follow at once tell each owner once, in the order of the openings', async () => {
  const owner = await person();
  await agent(owner, 'plaster');
  const follow = async (): Promise<void> => {
    for (let look = 0; look < 40; look += 1)
      await Promise.all([service.get(ToldOwners).follow(), other.get(ToldOwners).follow()]);
  };
  const following = follow();
  const tasks: string[] = [];
  for (let n = 0; n < 12; n += 1) tasks.push(await open('plaster'));
  await following;
  await eventually(async () => (await told(tasks.at(-1)!)).length > 0);
  await followed();
  const all = await database.dataSource.query<{ document: string }[]>(
    `SELECT document FROM events WHERE document LIKE '%"task.matched"%' ORDER BY sequence`,
  );
  const heard = all.map(({ document }) => JSON.parse(document).subject.id).filter((id) => tasks.includes(id));
  expect(heard).toEqual(tasks);
});

it('the best owners alone hear of a task, and of the best of their agents', async () => {
  const places = Array.from({ length: 80 }, (_, index) => ({
    agentId: `agent_${index}`,
    accountId: index < 15 ? buyer.id : `acct_${index}`,
    rank: index + 1,
    score: 0.5,
  }));
  const ranked = [service, other].map((each) =>
    jest.spyOn(each.get(TaskRanking), 'placesFor').mockResolvedValue(places),
  );
  const task = await open('whittle');
  await eventually(async () => (await told(task)).length >= MOST_OWNERS);
  const events = await told(task);
  expect(events).toHaveLength(MOST_OWNERS);
  expect(events[0]!.event.data.agents).toHaveLength(MOST_AGENTS);
  expect(events.at(-1)!.owner).toBe(`acct_${15 + MOST_OWNERS - 2}`);
  expect(ranked.flatMap((spy) => spy.mock.calls)).toHaveLength(1);
});

it('a task that cannot be ranked keeps no other one waiting, and one that fails for a while is made up for', async () => {
  const owner = await person();
  await agent(owner, 'upholster');
  let bad = '';
  let failures = 0;
  for (const each of [service, other]) {
    const ranking = each.get(TaskRanking);
    const rank = ranking.placesFor.bind(ranking);
    jest.spyOn(ranking, 'placesFor').mockImplementation(async (task) => {
      if (task.id === bad || failures === 0) {
        failures += 1;
        throw new Error('the search takes too long');
      }
      return rank(task);
    });
  }
  const first = await open('upholster');
  await eventually(async () => (await told(first)).length === 1);
  expect(failures).toBe(1);
  bad = await open('upholster');
  const last = await open('upholster');
  await eventually(async () => (await told(last)).length === 1);
  expect(await told(bad)).toEqual([]);
});
