import type { Wallet } from 'ethers';
import type { DataSource } from 'typeorm';
import { nodeNonce, type NodeTerms } from '../../libs/contracts/src/index.js';
import {
  childPath,
  EMPTY_REQUEST_DIGEST,
  type Hex,
  newId,
  nodeIdOf,
  parentPath,
  pathIndex,
} from '../../libs/kernel/src/index.js';
import { QuoteEntity } from '../../src/modules/quotes/quote/quote.entity.js';
import { TaskEntity } from '../../src/modules/tasks/task/task.entity.js';
import type { ChainMarket, Signing, TestTree } from './chain-market.js';
import { createMigratedDatabase } from './database.js';
import { copyOwnRecords, derivedState } from './derived-state.js';
import { MarketRows, quoteRow } from './market-rows.js';
import { TestService } from './test-service.js';

const DAY_MS = 86_400_000;

export interface Party {
  accountId: string;
  agentId: string;
  wallet: Wallet;
}

/** Rows of a market on a chain that exist before anything happens on the chain. */
export class IndexedMarket {
  private readonly rows: MarketRows;

  constructor(
    readonly chain: ChainMarket,
    readonly dataSource: DataSource,
  ) {
    this.rows = new MarketRows(dataSource);
  }

  /** An account with one agent, both with the same wallet. */
  async party(name: string): Promise<Party> {
    const wallet = this.chain.wallet();
    const accountId = await this.rows.account(name, wallet.address);
    return { accountId, agentId: await this.rows.agent(accountId, wallet.address), wallet };
  }

  async draft(buyer: Party): Promise<TestTree> {
    const id = newId('task', Date.now());
    const tree = this.chain.tree(id, buyer.wallet);
    const own = { id, status: 'draft' as const, escrowAddress: tree.escrow, buyerWallet: buyer.wallet.address };
    await this.rows.task(buyer.accountId, own);
    return tree;
  }

  /** Writes a quote that the worker has signed. @returns what its signature on chain must carry. */
  async quote(
    tree: TestTree,
    terms: NodeTerms,
    worker: Party,
    payer: Party,
  ): Promise<Required<Signing> & { id: string }> {
    const id = newId('quote', Date.now());
    const actionId = newId('act', Date.now());
    const row = quoteRow(pathIndex(terms.nodeId), {
      id,
      taskId: tree.taskId,
      agentId: worker.agentId,
      workerAccountId: worker.accountId,
      payerAccountId: payer.accountId,
      hirerAgentId: parentPath(terms.nodeId) === 0n ? null : payer.agentId,
      nodePath: terms.nodeId,
      price: terms.amount,
      floor: terms.floor,
      workSeconds: terms.workSeconds,
      maxRevisions: terms.maxRevisions,
      acceptWindowSeconds: terms.acceptWindow,
      hirerFunded: terms.hirerFunded,
      termsHash: terms.termsHash,
      workerWallet: worker.wallet.address,
      validUntil: new Date(Date.now() + 30 * DAY_MS),
      actionId,
      requestDigest: EMPTY_REQUEST_DIGEST,
      nonce: nodeNonce(terms.nodeId, 0),
      signature: `0x${'11'.repeat(65)}`,
      createdAt: new Date(),
    });
    await this.dataSource.manager.insert(QuoteEntity, row as QuoteEntity);
    return { id, actionId };
  }

  /** A task whose root node is funded; `quoteId` is the accepted quote. */
  async hired(buyer: Party, worker: Party, amount = 100_000_000n): Promise<HiredTree> {
    const tree = await this.draft(buyer);
    await this.chain.create(tree);
    const root = this.chain.terms({ nodeId: 1n, worker: worker.wallet.address, amount });
    const quote = await this.quote(tree, root, worker, buyer);
    await this.chain.fund(tree, root, worker.wallet, quote);
    return { ...tree, root, quoteId: quote.id };
  }

  /** Hires a child of node 1, paid from node 1's money. `index` must not be in use below it. */
  async hireBelow(tree: HiredTree, index: number, hirer: Party, worker: Party, amount: bigint): Promise<NodeTerms> {
    const terms = this.chain.terms({ nodeId: childPath(1n, index), worker: worker.wallet.address, amount });
    const quote = await this.quote(tree, terms, worker, hirer);
    await this.chain.subcontract(tree, terms, { hirer: hirer.wallet, worker: worker.wallet }, quote);
    return terms;
  }

  task(taskId: string): Promise<TaskEntity> {
    return this.dataSource.manager.findOneByOrFail(TaskEntity, { id: taskId });
  }

  async quoteStatus(id: string): Promise<string> {
    return (await this.dataSource.manager.findOneByOrFail(QuoteEntity, { id })).status;
  }

  /** States of a task's nodes, by their paths. */
  async nodeStates(taskId: string): Promise<Record<string, string>> {
    const sql = 'SELECT path, state FROM escrow_nodes WHERE task_id = $1 ORDER BY path';
    const rows = await this.dataSource.query<{ path: string; state: string }[]>(sql, [taskId]);
    return Object.fromEntries(rows.map(({ path, state }) => [path, state]));
  }

  /** The derived state of an index that is rebuilt from nothing, from the same chain. */
  async rebuilt(): Promise<Record<string, unknown[]>> {
    const { url, dataSource } = await createMigratedDatabase();
    await copyOwnRecords(this.dataSource, dataSource);
    const app = await TestService.start(url, this.connection);
    try {
      await app.index();
      return await derivedState(dataSource);
    } finally {
      await app.close();
      await dataSource.destroy();
    }
  }

  /** Settings of a service on this chain. One that follows the chain asks it often. */
  get connection(): { rpcUrl: string; escrowFactoryAddress: Hex; chainPollMs: number } {
    return { rpcUrl: this.chain.anvil.url, escrowFactoryAddress: this.chain.factory, chainPollMs: 50 };
  }
}

export interface HiredTree extends TestTree {
  root: NodeTerms;
  quoteId: string;
}

/** Makes the id `node_<task>_<path>`. */
export const nodeId = nodeIdOf;
