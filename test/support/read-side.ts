import pg from 'pg';
import type { DataSource } from 'typeorm';
import { AgentEntity } from '../../src/modules/agents/agent/agent.entity.js';
import { AccountEntity } from '../../src/modules/accounts/account.entity.js';
import { DeliveryEntity } from '../../src/modules/deliveries/delivery.entity.js';
import { EscrowNodeEntity } from '../../src/modules/escrow/node/escrow-node.entity.js';
import { QuoteEntity } from '../../src/modules/quotes/quote/quote.entity.js';
import { ReceiptEntity } from '../../src/modules/receipts/receipt.entity.js';
import { SettlementEntity } from '../../src/modules/reputation/settlements/settlement.entity.js';
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

export const NOW = '2026-11-20T12:00:00.000Z';
export const BUYER = 'acct_buyer';
export const WORKER = 'acct_worker';
export const RIVAL = 'acct_rival';
export const STRANGER = 'acct_stranger';

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

/** 26 characters of an id, in the order of `n`. */
export const ulid = (n: number): string => `01k9${String(n).padStart(22, '0')}`;
export const taskId = (n: number): string => `task_${ulid(n)}`;
/** An address or hash that is different for every `n`. */
export const address = (n: number): string => `0x${String(n).padStart(40, '0')}`;
export const bytes32 = (n: number): string => `0x${String(n).padStart(64, '0')}`;

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
    return this.insert(AgentEntity, {
      id,
      accountId,
      name: id,
      agentCardUrl: 'https://agents.example/card.json',
      capabilities: [],
      walletAddress: address([BUYER, WORKER, RIVAL, STRANGER].indexOf(accountId) + 11),
      createdAt: new Date(NOW),
      updatedAt: new Date(NOW),
      search: () => `''::tsvector`,
      ...change,
    });
  }

  async task(n: number, change: Partial<TaskEntity> = {}): Promise<TaskEntity> {
    const task = Object.assign(new TaskEntity(), {
      id: taskId(n),
      buyerAccountId: BUYER,
      title: 'Audit a contract',
      brief: 'Audit one solidity contract',
      criteria: ['Every finding has a test'],
      budget: 500_000_000n,
      selectionMode: 'manual',
      tier: 'public',
      status: 'open',
      acceptWindowSeconds: 259_200,
      deliveryWindowSeconds: 604_800,
      selectedAgentId: null,
      termsHash: bytes32(7),
      buyerWallet: address(1),
      arbiterWallet: address(0),
      escrowAddress: address(1_000 + n),
      nodeSequence: 0,
      offersUntil: new Date('2026-12-04T12:00:00.000Z'),
      createdAt: new Date(NOW),
      ...change,
    } as const);
    await new TaskStore(this.clock).save(this.dataSource.manager, task);
    await this.party(task.id, task.buyerAccountId, 'buyer');
    return task;
  }

  party(task: string, accountId: string, role: TaskPartyRole): Promise<void> {
    return this.insert(TaskPartyEntity, { taskId: task, accountId, role });
  }
}

/** A quote of the worker for the buyer's task. `n` orders the ids and is the node number. */
export function quoteRow(n: number, change: Partial<QuoteEntity> = {}): Partial<QuoteEntity> {
  return {
    id: `quote_${ulid(n)}`,
    taskId: taskId(1),
    agentId: 'agent_worker',
    workerAccountId: WORKER,
    payerAccountId: BUYER,
    hirerAgentId: null,
    nodeNumber: n,
    parentNodeNumber: 0,
    price: 120_500_000n,
    deadline: new Date('2026-11-30T12:00:00.000Z'),
    acceptWindowSeconds: 259_200,
    hirerFunded: true,
    termsHash: bytes32(7),
    workerWallet: address(12),
    status: 'submitted',
    validUntil: new Date('2026-11-23T12:00:00.000Z'),
    actionId: `act_${n}`,
    requestDigest: bytes32(8),
    nonce: BigInt(n),
    signature: '0x12',
    createdAt: new Date(NOW),
    ...change,
  };
}

/** A root node of the buyer's task, on which the worker works. */
export function nodeRow(number: number, change: Partial<EscrowNodeEntity> = {}): Partial<EscrowNodeEntity> {
  return {
    id: `node_${ulid(1)}_${number}`,
    taskId: taskId(1),
    number,
    parentNodeId: null,
    hirerAgentId: BUYER,
    hirerAccountId: BUYER,
    workerAgentId: 'agent_worker',
    workerAccountId: WORKER,
    hirerWallet: address(1),
    workerWallet: address(12),
    visibleAccountIds: [BUYER, WORKER],
    amount: 100_000_000n,
    pool: 100_000_000n,
    allocated: 0n,
    state: 'funded',
    outcome: null,
    hirerFunded: true,
    deliveryDeadline: new Date('2026-11-27T12:00:00.000Z'),
    clock: new Date('2026-11-27T12:00:00.000Z'),
    acceptWindowSeconds: 259_200,
    artifactHash: null,
    termsHash: bytes32(7),
    fundedAt: new Date(NOW),
    ...change,
  };
}

/** A settlement by which a stranger paid the worker's agent for task n. A higher `n` settles later. */
export function settlementRow(n: number, change: Partial<SettlementEntity> = {}): Partial<SettlementEntity> {
  return {
    nodeId: `node_${n}`,
    taskId: taskId(n),
    agentId: 'agent_worker',
    workerAccountId: WORKER,
    workerWallet: address(12),
    payerAccountId: STRANGER,
    payerWallet: address(4),
    amount: 100n,
    released: 100n,
    outcome: 'accepted',
    settledAt: new Date(Date.parse(NOW) + n * 1_000),
    ...change,
  };
}

/** A delivery of the worker for the buyer's root node. A higher `n` is later. */
export function deliveryRow(n: number, change: Partial<DeliveryEntity> = {}): Partial<DeliveryEntity> {
  return {
    id: `dlv_${ulid(n)}_1_1`,
    taskId: taskId(1),
    nodeId: `node_${ulid(1)}_1`,
    artifactHash: bytes32(n),
    status: 'submitted',
    revision: 1,
    payerAccountId: BUYER,
    buyerAccountId: BUYER,
    workerAccountId: WORKER,
    createdAt: new Date(Date.parse(NOW) + n * 1_000),
    ...change,
  };
}

/** A receipt of the buyer's root node, on which the worker worked. A higher `n` is later. */
export function receiptRow(n: number, change: Partial<ReceiptEntity> = {}): Partial<ReceiptEntity> {
  return {
    id: `rcpt_${ulid(n)}_1`,
    taskId: taskId(1),
    nodeId: `node_${ulid(1)}_1`,
    outcome: 'released',
    amount: 99_000_001n,
    transactionHash: bytes32(n),
    blockNumber: 40 + n,
    payerAccountId: BUYER,
    buyerAccountId: BUYER,
    workerAccountId: WORKER,
    createdAt: new Date(Date.parse(NOW) + n * 1_000),
    ...change,
  };
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
