import type { DataSource, DeepPartial } from 'typeorm';
import { newId, nodeIdOf } from '../../libs/kernel/src/index.js';
import { AgentEntity } from '../../src/modules/agents/agent/agent.entity.js';
import { AccountEntity } from '../../src/modules/accounts/account.entity.js';
import { DeliveryEntity } from '../../src/modules/deliveries/delivery.entity.js';
import { EscrowNodeEntity } from '../../src/modules/escrow/node/escrow-node.entity.js';
import { TaskEntity } from '../../src/modules/tasks/task/task.entity.js';
import { TaskPartyEntity, type TaskPartyRole } from '../../src/modules/tasks/visibility/task-party.entity.js';

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const DAY_MS = 86_400_000;

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
    await this.dataSource.query(
      `INSERT INTO agents (id, account_id, name, description, agent_card_url, capabilities, status, available,
                           wallet_address, created_at, updated_at, search)
       VALUES ($1, $2, 'Agent', '', 'https://example.com/card', '{}', $3, true, $4, now(), now(), ''::tsvector)`,
      [id, accountId, status, walletAddress],
    );
    return id;
  }

  async task(buyerAccountId: string, change: DeepPartial<TaskEntity> = {}): Promise<TaskEntity> {
    const now = new Date();
    const id = newId('task', now.getTime());
    const row: DeepPartial<TaskEntity> = {
      id,
      buyerAccountId,
      title: 'Translate 40 pages',
      brief: 'Translate the attached 40 pages.',
      criteria: ['Every page is translated'],
      budget: 250_000_000n,
      selectionMode: 'manual',
      tier: 'public',
      status: 'funded',
      acceptWindowSeconds: 259_200,
      deliveryWindowSeconds: 604_800,
      selectedAgentId: null,
      termsHash: HASH,
      buyerWallet: ZERO_ADDRESS,
      arbiterWallet: ZERO_ADDRESS,
      escrowAddress: `0x${Buffer.from(id).toString('hex').slice(-40)}`,
      nodeSequence: 0,
      createdAt: now,
      updatedAt: now,
      document: '{}',
    };
    const task = this.dataSource.manager.create(TaskEntity, Object.assign(row, change));
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
    own: { number: number; workerAccountId: string; workerWallet: string } & DeepPartial<EscrowNodeEntity>,
  ): Promise<EscrowNodeEntity> {
    const inAWeek = new Date(Date.now() + 7 * DAY_MS);
    const row: DeepPartial<EscrowNodeEntity> = {
      id: nodeIdOf(task.id, own.number),
      taskId: task.id,
      parentNodeId: null,
      hirerAgentId: task.buyerAccountId,
      hirerAccountId: task.buyerAccountId,
      workerAgentId: 'agent_fixture',
      hirerWallet: task.buyerWallet,
      visibleAccountIds: [task.buyerAccountId, own.workerAccountId],
      amount: 100_000_000n,
      pool: 100_000_000n,
      allocated: 0n,
      state: 'funded',
      outcome: null,
      hirerFunded: true,
      deliveryDeadline: inAWeek,
      clock: inAWeek,
      acceptWindowSeconds: 259_200,
      artifactHash: null,
      termsHash: HASH,
      fundedAt: new Date(),
    };
    const node = this.dataSource.manager.create(EscrowNodeEntity, Object.assign(row, own));
    await this.dataSource.manager.insert(EscrowNodeEntity, node);
    await this.party(own.workerAccountId, task.id, 'worker');
    return node;
  }

  async delivery(node: EscrowNodeEntity, payerAccountId: string, buyerAccountId: string): Promise<string> {
    const id = newId('dlv', Date.now());
    await this.dataSource.manager.insert(DeliveryEntity, {
      id,
      taskId: node.taskId,
      nodeId: node.id,
      artifactHash: node.artifactHash ?? HASH,
      status: 'submitted',
      revision: 1,
      payerAccountId,
      buyerAccountId,
      workerAccountId: node.workerAccountId,
      createdAt: new Date(),
    });
    return id;
  }
}
