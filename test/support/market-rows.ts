import type { DataSource } from 'typeorm';
import { nodeNonce } from '../../libs/contracts/src/index.js';
import { childPath, newId, nodeIdOf, parentPath, pathText } from '../../libs/kernel/src/index.js';
import { AgentEntity } from '../../src/modules/agents/agent/agent.entity.js';
import { AccountEntity } from '../../src/modules/accounts/account.entity.js';
import { DeliveryEntity } from '../../src/modules/deliveries/delivery.entity.js';
import { EscrowNodeEntity } from '../../src/modules/escrow/node/escrow-node.entity.js';
import type { QuoteEntity } from '../../src/modules/quotes/quote/quote.entity.js';
import type { ReceiptEntity } from '../../src/modules/receipts/receipt.entity.js';
import type { SettlementEntity } from '../../src/modules/reputation/settlements/settlement.entity.js';
import { TaskEntity } from '../../src/modules/tasks/task/task.entity.js';
import { TaskPartyEntity, type TaskPartyRole } from '../../src/modules/tasks/visibility/task-party.entity.js';

const DAY_MS = 86_400_000;
export const NOW = '2026-11-20T12:00:00.000Z';
export const BUYER = 'acct_buyer';
export const WORKER = 'acct_worker';
export const RIVAL = 'acct_rival';
export const STRANGER = 'acct_stranger';

/** 26 characters of an id, in the order of `n`. */
export const ulid = (n: number): string => `01k9${String(n).padStart(22, '0')}`;
export const taskId = (n: number): string => `task_${ulid(n)}`;
/** An address or hash that is different for every `n`. */
export const address = (n: number): string => `0x${String(n).padStart(40, '0')}`;
export const bytes32 = (n: number): string => `0x${String(n).padStart(64, '0')}`;

/** An active agent of this account. */
export function agentRow(id: string, accountId: string, change: object = {}): object {
  return {
    id,
    accountId,
    name: id,
    agentCardUrl: 'https://agents.example/card.json',
    capabilities: [],
    walletAddress: address(12),
    createdAt: new Date(NOW),
    updatedAt: new Date(NOW),
    search: () => `''::tsvector`,
    ...change,
  };
}

/** An open task of the buyer. Each needs an `escrowAddress` of its own. */
export function taskRow(id: string, change: Partial<TaskEntity> = {}): Partial<TaskEntity> {
  return {
    id,
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
    nodeSequence: 0,
    offersUntil: new Date('2026-12-04T12:00:00.000Z'),
    createdAt: new Date(NOW),
    ...change,
  };
}

/** A quote of the worker for the buyer's task. `n` orders the ids and is the root node. */
export function quoteRow(n: number, change: Partial<QuoteEntity> = {}): Partial<QuoteEntity> {
  return {
    id: `quote_${ulid(n)}`,
    taskId: taskId(1),
    agentId: 'agent_worker',
    workerAccountId: WORKER,
    payerAccountId: BUYER,
    hirerAgentId: null,
    nodePath: childPath(0n, n),
    price: 120_500_000n,
    floor: 60_250_000n,
    workSeconds: 604_800,
    maxRevisions: 3,
    acceptWindowSeconds: 259_200,
    hirerFunded: true,
    termsHash: bytes32(7),
    workerWallet: address(12),
    status: 'submitted',
    validUntil: new Date('2026-11-23T12:00:00.000Z'),
    actionId: `act_${n}`,
    requestDigest: bytes32(8),
    nonce: nodeNonce(childPath(0n, n), 0),
    signature: '0x12',
    createdAt: new Date(NOW),
    ...change,
  };
}

/** A node of the buyer's task, on which the worker works. Half its amount is its floor. */
export function nodeRow(path: bigint, change: Partial<EscrowNodeEntity> = {}): Partial<EscrowNodeEntity> {
  const amount = change.amount ?? 100_000_000n;
  return {
    id: `node_${ulid(1)}_${pathText(path)}`,
    taskId: taskId(1),
    path,
    parentNodeId: null,
    hirerAgentId: BUYER,
    hirerAccountId: BUYER,
    workerAgentId: 'agent_worker',
    workerAccountId: WORKER,
    hirerWallet: address(1),
    workerWallet: address(12),
    visibleAccountIds: [BUYER, WORKER],
    amount,
    pool: amount,
    allocated: 0n,
    floor: amount / 2n,
    withdrawn: 0n,
    version: 1,
    revisions: 0,
    maxRevisions: 3,
    payOut: false,
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

/** Writes rows of a market as the index would, in one line of a test each. */
export class MarketRows {
  constructor(private readonly dataSource: DataSource) {}

  async account(name: string, walletAddress: string | null = null): Promise<string> {
    const id = newId('acct', Date.now());
    const status = 'active' as const;
    await this.dataSource.manager.insert(AccountEntity, { id, name, walletAddress, status, createdAt: new Date() });
    return id;
  }

  async agent(accountId: string, walletAddress: string, status: AgentEntity['status'] = 'active'): Promise<string> {
    const id = newId('agent', Date.now());
    const own = { name: 'Agent', walletAddress, status, createdAt: new Date(), updatedAt: new Date() };
    await this.dataSource.manager.insert(AgentEntity, agentRow(id, accountId, own));
    return id;
  }

  async task(buyerAccountId: string, change: Partial<TaskEntity> = {}): Promise<TaskEntity> {
    const now = new Date();
    const id = newId('task', now.getTime());
    const row = taskRow(id, {
      buyerAccountId,
      status: 'funded',
      buyerWallet: address(0),
      escrowAddress: `0x${Buffer.from(id).toString('hex').slice(-40)}`,
      offersUntil: new Date(now.getTime() + 14 * DAY_MS),
      createdAt: now,
      updatedAt: now,
      document: '{}',
      ...change,
    });
    const task = this.dataSource.manager.create(TaskEntity, row);
    await this.dataSource.manager.insert(TaskEntity, task);
    await this.party(buyerAccountId, task.id, 'buyer');
    return task;
  }

  async party(accountId: string, taskId: string, role: TaskPartyRole): Promise<void> {
    await this.dataSource.manager.upsert(TaskPartyEntity, { accountId, taskId, role }, ['accountId', 'taskId', 'role']);
  }

  /** A node, whose worker and hirer become parties as the index makes them. */
  async node(
    task: TaskEntity,
    own: { path: bigint; workerAccountId: string; workerWallet: string } & Partial<EscrowNodeEntity>,
  ): Promise<EscrowNodeEntity> {
    const inAWeek = new Date(Date.now() + 7 * DAY_MS);
    const row = nodeRow(own.path, {
      id: nodeIdOf(task.id, own.path),
      taskId: task.id,
      parentNodeId: parentPath(own.path) === 0n ? null : nodeIdOf(task.id, parentPath(own.path)),
      hirerAgentId: task.buyerAccountId,
      hirerAccountId: task.buyerAccountId,
      workerAgentId: 'agent_fixture',
      hirerWallet: task.buyerWallet,
      visibleAccountIds: [task.buyerAccountId, own.workerAccountId],
      deliveryDeadline: inAWeek,
      clock: inAWeek,
      fundedAt: new Date(),
      ...own,
    });
    const node = this.dataSource.manager.create(EscrowNodeEntity, row);
    await this.dataSource.manager.insert(EscrowNodeEntity, node);
    await this.party(own.workerAccountId, task.id, 'worker');
    return node;
  }

  async delivery(node: EscrowNodeEntity, payerAccountId: string, buyerAccountId: string): Promise<string> {
    const id = newId('dlv', Date.now());
    const { taskId, id: nodeId, workerAccountId } = node;
    const artifactHash = node.artifactHash ?? bytes32(1);
    const parties = { payerAccountId, buyerAccountId, workerAccountId };
    const row = deliveryRow(1, { id, taskId, nodeId, artifactHash, ...parties, createdAt: new Date() });
    await this.dataSource.manager.insert(DeliveryEntity, row);
    return id;
  }
}
