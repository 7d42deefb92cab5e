import { AgentListService } from '../../../src/modules/agents/search/agent-list.service.js';
import { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { AgentSearchReader } from '../../../src/modules/agents/search/agent-search-reader.js';
import { DeliveriesService } from '../../../src/modules/deliveries/deliveries.service.js';
import { UpcomingDeliveries } from '../../../src/modules/deliveries/upcoming-deliveries.js';
import type { EarningsDto } from '../../../src/modules/earnings/dto/earnings.dto.js';
import { EarningsService } from '../../../src/modules/earnings/earnings.service.js';
import { NodeReader } from '../../../src/modules/escrow/node-reader.js';
import { NodesService } from '../../../src/modules/escrow/nodes.service.js';
import { InboxService } from '../../../src/modules/inbox/inbox.service.js';
import { MemoryCandidateSource } from '../../../src/modules/matching/memory-search/memory-candidate-source.js';
import type { SigningLinks } from '../../../src/modules/prepared-actions/action/signing-links.js';
import { ACTION_STATUSES } from '../../../src/modules/prepared-actions/dto/list-actions.query.js';
import { ActionHistory } from '../../../src/modules/prepared-actions/lifecycle/action-history.js';
import { ActionListService, LOOKED_AT } from '../../../src/modules/prepared-actions/list/action-list.service.js';
import { ListedStatuses } from '../../../src/modules/prepared-actions/list/listed-statuses.js';
import type { KindRegistry } from '../../../src/modules/prepared-actions/registry/kind-registry.js';
import { QuoteListService } from '../../../src/modules/quotes/quote-list.service.js';
import { ReceiptDetailsService } from '../../../src/modules/receipts/receipt-details.service.js';
import { ReceiptsService } from '../../../src/modules/receipts/receipts.service.js';
import { AgentReputationService } from '../../../src/modules/reputation/agent-reputation.service.js';
import { AgentFeedbackService } from '../../../src/modules/identities/feedback/agent-feedback.service.js';
import type { AgentIdentitiesService } from '../../../src/modules/identities/link/agent-identities.service.js';
import { ReputationListService } from '../../../src/modules/reputation/reputation-list.service.js';
import { TASK_STATUSES } from '../../../src/modules/tasks/dto/list-tasks.query.js';
import { TasksService } from '../../../src/modules/tasks/tasks.service.js';
import type { ChainClient } from '../../../src/platform/chain/chain-client.js';
import { Environment } from '../../../src/platform/config/environment.js';
import {
  LISTS,
  READ_SETTINGS,
  ReadConnections,
  type ReadShape,
  SEARCHES,
} from '../../../src/platform/database/reads/read-connections.js';
import { ApiError } from '../../../src/platform/http/api-error.js';
import type { Principal } from '../../../src/platform/http/principal.js';
import { APPROVAL_FACTS } from '../../../src/modules/signing/approval/approval-facts.sql.js';
import type { PreparedStatement } from '../../../src/platform/database/transactions.js';
import { FILLED, fillMarket, ORDINARY } from './flat-market.js';
import { TaskAccess } from '../../../src/modules/tasks/visibility/task-access.js';
import { MatchingSide } from '../../support/matching-side.js';
import { costOf, type PlanNode, planOf, type QueryPlan } from '../../support/query-plan.js';
import { BUYER, NOW, STRANGER, taskId, ulid, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';
import { earnedOf } from '../../support/earned.js';
import { vacuumed } from '../../support/vacuumed.js';

const SMALL = 300;
const LARGE = 30_000;
/**
 * Pages of 8 KiB that a request may read at any size of the market: enough for a page of 25 rows that are looked up one
 * by one in several tables.
 */
const FEW = 250;
/** The same for a page of actions in one status: each of those examined is looked up by key in five indexes. */
const FEW_OF_A_STATUS = 17 * LOOKED_AT;
const PAGE = 25;
const NODE_STATES = ['funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded'] as const;

interface Statement {
  name: string;
  text: string;
  values: readonly unknown[];
  shape: ReadShape;
}

/** Records every statement that it runs. */
class NotedReads extends ReadConnections {
  statements: Statement[] = [];

  constructor(
    environment: Environment,
    private readonly noted: ReadShape,
  ) {
    super(environment, noted);
  }

  override query<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    this.statements.push({ name, text, values, shape: this.noted });
    return super.query(name, text, values);
  }

  override queryParsed<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    this.statements.push({ name, text, values, shape: this.noted });
    return super.queryParsed(name, text, values);
  }
}

/** None of the actions was handed in, so the chain is not asked; and none shows a link to a caller with the scope `read`. */
const NO_CHAIN = {} as ChainClient;
const NO_LINKS = {} as SigningLinks;
/** Every agent has an identity, and the chain is not asked. */
const LINKED = {
  of: () => Promise.resolve({ identity: { registry: '0x', tokenId: 1n }, holds: true }),
} as unknown as AgentIdentitiesService;

/** Tables with a single row, which may be scanned. */
const OF_ONE_ROW = ['match_statistics'];

/** What one request has cost in Postgres. */
interface Cost {
  buffers: number;
  scans: string[];
}

/** An agent that the index of matching returns. */
interface FoundAgent {
  id: string;
  number: number;
  account_id: string;
}

const FOUND_AGENTS = `SELECT id, number, account_id FROM agents WHERE id LIKE 'agent\\_o%' ORDER BY number LIMIT 60`;
const HALF_OF_AGENTS = `SELECT rank::text, agent_number::text AS number FROM agent_words WHERE word = 'common'
  ORDER BY rank DESC, agent_number DESC OFFSET (SELECT count(*) / 2 FROM agents) LIMIT 1`;

function foundInIndex({ id, number, account_id: accountId }: FoundAgent): object {
  const facts = { agentId: id, accountId, ownerCluster: accountId, walletAddress: '0x', liveNodes: 0, impressions: 0 };
  return { agentNumber: number, relevance: 1 + number, dot: 0, facts: { ...facts, reputation: null } };
}

/** What a request that may be refused answers then. A fault is no refusal: its statement would not be measured. */
function refused(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

/** A market of one size, with every reading operation of the service. */
class Market {
  private readonly lists: NotedReads;
  private readonly searches: NotedReads;

  private constructor(
    private readonly side: ReadSide,
    private readonly tasks: number,
    private readonly found: readonly FoundAgent[],
    /** A position in the middle of the agents that have a word which all agents have. */
    private readonly amongAgents: readonly [string, string],
  ) {
    const patient = { budgetMs: 60_000 };
    this.lists = new NotedReads(side.environment, { ...LISTS, ...patient });
    this.searches = new NotedReads(side.environment, { ...SEARCHES, ...patient });
  }

  static async of(tasks: number): Promise<Market> {
    const side = await ReadSide.create();
    await fillMarket(side, tasks);
    await side.fill(
      `INSERT INTO match_terms (word, df) SELECT 'word' || i, 1 FROM generate_series(1, ${tasks}) i UNION SELECT 'x', 9`,
    );
    await side.fill(`UPDATE match_statistics SET agents = 1000`);
    await vacuumed(side.dataSource);
    const found = await side.dataSource.query<FoundAgent[]>(FOUND_AGENTS);
    const [among] = await side.dataSource.query<{ rank: string; number: string }[]>(HALF_OF_AGENTS);
    return new Market(side, tasks, found, [among?.rank ?? '', among?.number ?? '']);
  }

  async close(): Promise<void> {
    await this.lists.onModuleDestroy();
    await this.searches.onModuleDestroy();
    await this.side.close();
  }

  /** Every operation that reads by named statements, with every filter, as one account. Each is one request. */
  requests(accountId: string): Record<string, () => Promise<unknown>> {
    const { side, lists, searches } = this;
    const { cursors, clock } = side;
    const principal = { accountId } as Principal;
    const limit = PAGE;
    const agents = new AgentsService(side.transactions, clock, side.events, new Environment());
    const tasks = new TasksService(lists, cursors);
    const reader = { accountId, scopes: ['read'] };
    const actions = new ActionListService(lists, cursors, new ListedStatuses(lists, this.history()), NO_LINKS);
    const deliveries = new DeliveriesService(lists, cursors);
    const receipts = new ReceiptsService(lists, cursors);
    const quotes = new QuoteListService(lists, cursors, clock);
    const nodes = new NodesService(lists, cursors, clock, side.tasks);
    const inbox = new InboxService(cursors, clock, agents, new NodeReader(lists));
    const agentPages =
      (query: string, ...position: string[]) =>
      (): Promise<unknown> =>
        found.list(principal, {
          limit,
          query,
          ...(position.length > 0 ? { cursor: deep('listAgents', { query, order: 'words' }, ...position) } : {}),
        });
    const { matching } = this.matchingSide();
    const found = new AgentListService(lists, new AgentSearchReader(searches as never), cursors, clock);
    const records = new ReputationListService(lists, cursors);
    const reputation = new AgentReputationService(lists, clock);
    const feedback = new AgentFeedbackService(lists, cursors, agents, LINKED, new Environment());
    const details = new ReceiptDetailsService(lists, new Environment());
    const earned = new EarningsService(lists, clock);
    const task_id = taskId(15);
    const half = this.tasks / 2;
    /** A cursor to the middle of a list. */
    const deep = (operationId: string, filters: Record<string, string | undefined>, ...position: string[]): string =>
      cursors.seal({ accountId, operationId, filters }, position);
    const time = new Date(Date.parse(NOW) + half * 1_000).toISOString();
    const requests: Record<string, () => Promise<unknown>> = {};
    for (const role of [undefined, 'buyer', 'worker'] as const) {
      for (const status of [undefined, ...TASK_STATUSES]) {
        const cursor = deep('listTasks', { status, role }, taskId(half));
        requests[`tasks role=${role} status=${status}`] = () => tasks.list(principal, { limit, role, status });
        requests[`tasks role=${role} status=${status}, deep`] = () =>
          tasks.list(principal, { limit, role, status, cursor });
      }
    }
    for (const status of [undefined, ...ACTION_STATUSES]) {
      const cursor = deep('listActions', { status }, `act_${ulid(half)}`);
      requests[`actions status=${status}`] = () => actions.list(reader, { limit, ...(status && { status }) });
      requests[`actions status=${status}, deep`] = () =>
        actions.list(reader, { limit, cursor, ...(status && { status }) });
    }
    for (const role of [undefined, 'hirer', 'worker'] as const) {
      for (const state of [undefined, ...NODE_STATES]) {
        const agent = accountId === WORKER ? 'agent_worker' : 'agent_o7';
        if (accountId !== WORKER && accountId !== ORDINARY) continue;
        const cursor = deep('listAgentNodes', { agent_id: agent, role, state }, taskId(half), '2');
        requests[`inbox role=${role} state=${state}`] = () => inbox.list(principal, agent, { limit, role, state });
        requests[`inbox role=${role} state=${state}, deep`] = () =>
          inbox.list(principal, agent, { limit, role, state, cursor });
      }
    }
    return {
      ...requests,
      deliveries: () => deliveries.list(principal, { limit }),
      'deliveries, deep': () =>
        deliveries.list(principal, { limit, cursor: deep('listDeliveries', { task_id: undefined }, time, '') }),
      'receipts, deep': () =>
        receipts.list(principal, { limit, cursor: deep('listReceipts', { task_id: undefined }, time, '') }),
      'quotes, deep': () =>
        quotes.list(principal, {
          limit,
          cursor: deep('listQuotes', { task_id: undefined }, `quote_${ulid(half * 2)}`),
        }),
      'deliveries of a task': () => deliveries.list(principal, { limit, task_id }),
      receipts: () => receipts.list(principal, { limit }),
      'receipts of a task': () => receipts.list(principal, { limit, task_id }),
      quotes: () => quotes.list(principal, { limit }),
      'quotes of a task': () => quotes.list(principal, { limit, task_id }),
      'nodes of a task': () => nodes.list(principal, task_id, { limit }).catch(refused),
      agents: () => found.list(principal, { limit }),
      'own agents': () => found.list(principal, { limit, mine: true }),
      'own agents, deep': () =>
        found.list(principal, {
          limit,
          mine: true,
          cursor: deep('listAgents', { mine: 'true' }, `agent_${ulid(half / 5)}`),
        }),
      'agents by a rare word': agentPages('word77'),
      'agents by a word of all': agentPages('common'),
      'agents by a word of all, deep': agentPages('common', ...this.amongAgents, 'follow-alone', 'common'),
      'agents by two words of all': agentPages('common agent'),
      'agents by two words of all, deep': agentPages('common agent', ...this.amongAgents, 'follow', 'agent'),
      'agents by either of two words': agentPages('common or agent'),
      'agents by words that nobody has together': agentPages('common -agent'),
      'agents by a rare word and one of all': agentPages('common word77'),
      earnings: () => earnedOf(earned, accountId),
      matches: () => matching.list(principal, task_id, { limit }).catch(refused),
      'matches, the page after the first': async () => {
        const first = await matching.list(principal, task_id, { limit }).catch(refused);
        if (first?.next_page) await matching.list(principal, task_id, { limit, cursor: first.next_page });
      },
      reputation: () => records.list(principal, { limit }),
      'reputation of an agent, in the list': () => records.list(principal, { limit, agent_id: 'agent_worker' }),
      'reputation of an agent': () => reputation.get('agent_worker'),
      feedback: () => feedback.list(accountId, 'agent_worker', { limit }).catch(refused),
      'feedback, deep': () =>
        feedback
          .list(accountId, 'agent_worker', {
            limit,
            cursor: deep('listAgentFeedback', { agent_id: 'agent_worker' }, time, ''),
          })
          .catch(refused),
      receipt: () => details.find(accountId, `rcpt_${ulid(15)}_1`).catch(refused),
    };
  }

  /** What judges actions; every action of the market is of a kind that is over once its task is. */
  private history(): ActionHistory {
    const kind = { isSupersededBy: ({ taskStatus }: { taskStatus: unknown }) => taskStatus !== 'open' };
    const kinds = { implementationOf: () => kind } as unknown as KindRegistry;
    return new ActionHistory(this.side.transactions, NO_CHAIN, kinds, this.side.clock);
  }

  /** Matching in which the index returns the same agents at any size, because the index is not part of the database. */
  private matchingSide(): MatchingSide {
    const { side, lists, searches, found } = this;
    const thread = { startReading: () => 0, search: () => Promise.resolve(found.map(foundInIndex)) };
    const tasks = new TaskAccess(side.transactions, searches, side.clock);
    const quiet = { events: { on: () => undefined }, reads: lists, searches, tasks };
    const own = Object.assign(Object.create(ReadSide.prototype) as ReadSide, side, quiet);
    return new MatchingSide(own, new MemoryCandidateSource(thread as never, {} as never));
  }

  /**
   * Runs the request, then explains the generic plans of the statements that it ran, with the same settings and values.
   */
  async cost(request: () => Promise<unknown>): Promise<Cost> {
    this.lists.statements = [];
    this.searches.statements = [];
    await request();
    const cost: Cost = { buffers: 0, scans: [] };
    for (const statement of [...this.lists.statements, ...this.searches.statements]) {
      const plan = await this.explain(statement);
      cost.buffers += plan.buffers;
      const scanned = plan.scanned.filter((table) => !OF_ONE_ROW.includes(table));
      cost.scans.push(...scanned.map((table) => `${statement.name}: ${table}`));
    }
    return cost;
  }

  /** The plan nodes of one statement that a request runs. */
  async plannedFor(name: string, request: () => Promise<unknown>): Promise<readonly PlanNode[]> {
    const noting = [this.lists, this.searches];
    for (const reads of noting) reads.statements = [];
    await request();
    const statement = noting.flatMap(({ statements }) => statements).find((noted) => noted.name === name);
    return statement === undefined ? [] : (await this.explain(statement)).nodes;
  }

  /** The result of `make`, and how many rows it read by sequential scans of the table. */
  scannedBy<T>(
    table: string,
    make: (upcoming: UpcomingDeliveries) => Promise<T>,
  ): Promise<{ result: T; rows: number }> {
    const { transactions, clock } = this.side;
    return transactions.run(async (manager) => {
      const result = await make(new UpcomingDeliveries(transactions, clock));
      const [scanned] = await manager.query<{ rows: number }[]>(
        `SELECT pg_stat_get_xact_tuples_returned($1::regclass)::integer AS rows`,
        [table],
      );
      return { result, rows: scanned?.rows ?? -1 };
    });
  }

  /** Large tables that the generic plan of a statement would scan on the usual connections. */
  async scansOf({ text }: PreparedStatement, values: readonly unknown[]): Promise<string[]> {
    const { scanned } = await planOf(this.side.dataSource, text, values, []);
    return scanned.filter((table) => FILLED.includes(table));
  }

  private explain({ text, values, shape }: Statement): Promise<QueryPlan> {
    return costOf(this.side.dataSource, text, values, [...READ_SETTINGS, ...shape.settings]);
  }
}

describe(`every list and every record that is read, on ${SMALL} and ${LARGE} tasks`, () => {
  let small: Market;
  let large: Market;

  beforeAll(async () => {
    small = await Market.of(SMALL);
    large = await Market.of(LARGE);
  }, 400_000);
  afterAll(async () => {
    await small?.close();
    await large?.close();
  });

  it.each([
    ['a buyer of a fifth of all tasks', BUYER],
    ['a worker of a third of all nodes', WORKER],
    ['an ordinary account', ORDINARY],
    ['a new account', STRANGER],
  ])('scans no table and costs alike for %s', async (_who, accountId) => {
    const faults: string[] = [];
    const requests = large.requests(accountId);
    const before = small.requests(accountId);
    for (const [name, request] of Object.entries(requests)) {
      const much = await large.cost(request);
      const little = await small.cost(before[name]!);
      if (much.scans.length > 0) faults.push(`${name} scans ${much.scans.join(', ')}`);
      const few = name.startsWith('actions status') ? FEW_OF_A_STATUS : FEW;
      if (much.buffers > Math.max(few, 3 * little.buffers)) {
        faults.push(`${name} reads ${little.buffers} pages of the small market and ${much.buffers} of the large one`);
      }
    }
    expect(faults).toEqual([]);
    expect(Object.keys(requests).length).toBeGreaterThan(45);
  });

  it('has something to show where it counts', async () => {
    for (const market of [small, large]) {
      for (const name of ['matches', 'agents by a word of all, deep', 'agents by two words of all']) {
        expect(await market.requests(BUYER)[name]!()).toMatchObject({ data: { length: PAGE } });
      }
      expect(await market.requests(BUYER)['agents by words that nobody has together']!()).toMatchObject({ data: [] });
      const earnings = (await market.requests(WORKER)['earnings']!()) as EarningsDto;
      expect(earnings.by_task.length).toBeGreaterThanOrEqual(50);
    }
  });

  it('leaves out all agents of a buyer, of its cluster and wallet without reading them', async () => {
    const nodes = await large.plannedFor('task_visible_matched', () => large.requests(BUYER)['matches']!());
    const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
    expect(indexes).toContain('tasks_pkey');
    expect(indexes.filter((name) => /^agents_.*(?:account_id|wallet)/.test(name))).toEqual([]);
  });

  it.each([
    ['tasks role=worker status=undefined', 'tasks_worker', 'task_parties_at_work_idx'],
    ['tasks role=worker status=open', 'tasks_worker_status', 'task_parties_at_work_status_idx'],
  ])('answers %s without reading what the account buys', async (request, statement, index) => {
    const nodes = await large.plannedFor(`${statement}_${PAGE}`, () => large.requests(BUYER)[request]!());
    const parties = nodes.filter((node) => node['Relation Name'] === 'task_parties');
    expect(parties.map((node) => [node['Index Name'], node['Node Type']])).toEqual([[index, 'Index Only Scan']]);
  });

  it('finds the deliveries of a node without reading those of others', async () => {
    const node = { id: `node_${ulid(15)}_1`, taskId: taskId(15) };
    expect(await large.scannedBy('deliveries', (upcoming) => upcoming.next(node, '0x'))).toEqual({
      result: expect.objectContaining({ revision: 2 }),
      rows: 0,
    });
  });

  it('looks up what surrounds an action that somebody approves', async () => {
    expect(await large.scansOf(APPROVAL_FACTS, ['none', new Date()])).toEqual([]);
  });
});
