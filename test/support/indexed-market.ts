import type { HDNodeWallet } from 'ethers';
import type { DataSource } from 'typeorm';
import type { NodeTerms } from '../../libs/contracts/src/index.js';
import { EMPTY_REQUEST_DIGEST, type Hex, newId, nodeIdOf } from '../../libs/kernel/src/index.js';
import { QuoteEntity } from '../../src/modules/quotes/quote/quote.entity.js';
import { TaskEntity } from '../../src/modules/tasks/task/task.entity.js';
import type { ChainMarket, Signing, TestTree } from './chain-market.js';
import { createMigratedDatabase } from './database.js';
import { copyOwnRecords, derivedState } from './derived-state.js';
import { MarketRows, quoteRow } from './market-rows.js';
import { TestService } from './test-service.js';

export interface Party {
  accountId: string;
  agentId: string;
  wallet: HDNodeWallet;
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
    const nonce = BigInt(terms.nodeId) * 300n;
    const row = quoteRow(terms.nodeId, {
      id,
      taskId: tree.taskId,
      agentId: worker.agentId,
      workerAccountId: worker.accountId,
      payerAccountId: payer.accountId,
      hirerAgentId: terms.parentNodeId === 0 ? null : payer.agentId,
      parentNodeNumber: terms.parentNodeId,
      price: terms.amount,
      deadline: new Date(terms.deliverBy * 1000),
      acceptWindowSeconds: terms.acceptWindow,
      hirerFunded: terms.hirerFunded,
      termsHash: terms.termsHash,
      workerWallet: worker.wallet.address,
      validUntil: new Date(terms.deliverBy * 1000),
      actionId,
      requestDigest: EMPTY_REQUEST_DIGEST,
      nonce,
      signature: `0x${'11'.repeat(65)}`,
      createdAt: new Date(),
    });
    await this.dataSource.manager.insert(QuoteEntity, row as QuoteEntity);
    return { id, actionId, nonce };
  }

  /** A task whose root node is selected and funded; `quoteId` is the accepted quote. */
  async hired(buyer: Party, worker: Party, amount = 100_000_000n): Promise<HiredTree> {
    const tree = await this.draft(buyer);
    await this.chain.create(tree);
    const root = await this.chain.terms({ nodeId: 1, worker: worker.wallet.address, amount });
    const quote = await this.quote(tree, root, worker, buyer);
    await this.chain.select(tree, root, worker.wallet, quote);
    await this.chain.fund(tree, root);
    return { ...tree, root, quoteId: quote.id };
  }

  /** Hires a child of node 1, paid from node 1's money. `nodeId` must not be in use. */
  async hireBelow(tree: HiredTree, nodeId: number, hirer: Party, worker: Party, amount: bigint): Promise<NodeTerms> {
    const own = { nodeId, parentNodeId: 1, worker: worker.wallet.address, amount };
    const terms = await this.chain.terms(own);
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

  /** States of a task's nodes, by node number. */
  async nodeStates(taskId: string): Promise<Record<number, string>> {
    const sql = 'SELECT number, state FROM escrow_nodes WHERE task_id = $1 ORDER BY number';
    const rows = await this.dataSource.query<{ number: number; state: string }[]>(sql, [taskId]);
    return Object.fromEntries(rows.map(({ number, state }) => [number, state]));
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

/** Makes the id `node_<task>_<number>`. */
export const nodeId = nodeIdOf;
