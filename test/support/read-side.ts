import pg from 'pg';
import type { DataSource } from 'typeorm';
import { AgentEntity } from '../../src/modules/agents/agent/agent.entity.js';
import { AccountEntity } from '../../src/modules/accounts/account.entity.js';
import { TaskAccess } from '../../src/modules/tasks/visibility/task-access.js';
import { TaskEntity } from '../../src/modules/tasks/task/task.entity.js';
import { TaskPartyEntity, type TaskPartyRole } from '../../src/modules/tasks/visibility/task-party.entity.js';
import { TaskStore } from '../../src/modules/tasks/task-store.js';
import { Environment } from '../../src/platform/config/environment.js';
import { ReadConnections, SearchConnections } from '../../src/platform/database/reads/read-connections.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { DomainEvents } from '../../src/modules/events/domain-events.js';
import { Cursors } from '../../src/platform/pagination/cursor.js';
import { Sealer } from '../../src/platform/secrets/sealer.js';
import { Clock } from '../../src/platform/time/clock.js';
import { createMigratedDatabase } from './database.js';
import { address, agentRow, BUYER, NOW, RIVAL, STRANGER, taskId, taskRow, WORKER } from './market-rows.js';

/** A clock that stands still until a spec sets it. */
export class StoppedClock extends Clock {
  private at = Date.parse(NOW);

  override nowMs(): number {
    return this.at;
  }

  set(time: string): void {
    this.at = Date.parse(time);
  }
}

/** The parts of the service that make lists, on their own database. */
export class ReadSide {
  readonly clock = new StoppedClock();
  readonly events = new DomainEvents();
  readonly transactions: Transactions;
  readonly cursors: Cursors;
  readonly reads: ReadConnections;
  readonly searches: SearchConnections;
  readonly tasks: TaskAccess;

  private constructor(
    readonly dataSource: DataSource,
    readonly environment: Environment,
  ) {
    this.transactions = new Transactions(dataSource);
    this.cursors = new Cursors(new Sealer(environment), this.clock);
    this.reads = new ReadConnections(environment);
    this.searches = new SearchConnections(environment);
    this.tasks = new TaskAccess(this.transactions, this.searches, this.clock);
  }

  /** Creates it with the four accounts, and one agent each for worker, rival and stranger. */
  static async create(): Promise<ReadSide> {
    const { url, dataSource } = await createMigratedDatabase();
    const environment = Object.assign(new Environment(), { databaseUrl: url, appSecret: 'x'.repeat(32) });
    const side = new ReadSide(dataSource, environment);
    for (const [index, id] of [BUYER, WORKER, RIVAL, STRANGER].entries()) {
      await side.insert(AccountEntity, { id, name: id, walletAddress: address(index + 1), createdAt: new Date(NOW) });
    }
    for (const owner of [WORKER, RIVAL, STRANGER]) await side.agent(`agent_${owner.slice(5)}`, owner);
    return side;
  }

  async close(): Promise<void> {
    await this.reads.onModuleDestroy();
    await this.searches.onModuleDestroy();
    await this.dataSource.destroy();
  }

  async insert<T extends object>(entity: new () => T, ...rows: object[]): Promise<void> {
    await this.dataSource.getRepository(entity).insert(rows as never);
  }

  /** Runs a statement that makes very many rows, without the time limit that requests have. */
  async fill(sql: string, values: readonly unknown[] = []): Promise<void> {
    const filling = new pg.Client({ connectionString: this.environment.databaseUrl });
    await filling.connect();
    try {
      await filling.query(sql, [...values]);
    } finally {
      await filling.end();
    }
  }

  agent(id: string, accountId: string, change: Partial<AgentEntity> = {}): Promise<void> {
    const walletAddress = address([BUYER, WORKER, RIVAL, STRANGER].indexOf(accountId) + 11);
    return this.insert(AgentEntity, agentRow(id, accountId, { walletAddress, ...change }));
  }

  async task(n: number, change: Partial<TaskEntity> = {}): Promise<TaskEntity> {
    const own = { escrowAddress: address(1_000 + n), ...change };
    const task = Object.assign(new TaskEntity(), taskRow(taskId(n), own));
    await new TaskStore(this.clock).save(this.dataSource.manager, task);
    await this.party(task.id, task.buyerAccountId, 'buyer');
    return task;
  }

  party(task: string, accountId: string, role: TaskPartyRole): Promise<void> {
    return this.insert(TaskPartyEntity, { taskId: task, accountId, role });
  }
}

interface AnyPage {
  data: readonly { id: string }[];
  next_page: string | null;
}

/** Ids of all pages; `between` runs after each page but the last. */
export async function walk(
  list: (cursor?: string) => Promise<AnyPage>,
  between: (page: number) => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 1_000; page += 1) {
    const { data, next_page } = await list(cursor);
    ids.push(...data.map(({ id }) => id));
    if (next_page === null) return ids;
    cursor = next_page;
    await between(page);
  }
  throw new Error('The list has no end');
}
