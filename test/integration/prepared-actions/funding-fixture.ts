import { type Wallet, ZeroAddress } from 'ethers';
import {
  actionIdHash,
  type ActionFields,
  encodeCreateTree,
  type EscrowMessages,
  escrowTypedData,
  nodeNonce,
  treeIdOf,
} from '../../../libs/contracts/src/index.js';
import { EMPTY_REQUEST_DIGEST, newId, nodeIdOf, parentPath } from '../../../libs/kernel/src/index.js';
import { PreparedActionEntity } from '../../../src/modules/prepared-actions/action/prepared-action.entity.js';
import { SigningLinks } from '../../../src/modules/prepared-actions/action/signing-links.js';
import { QuoteEntity } from '../../../src/modules/quotes/quote/quote.entity.js';
import { nodeTerms, quoteTypedData } from '../../../src/modules/quotes/quote/quote-typed-data.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { TaskStore } from '../../../src/modules/tasks/task-store.js';
import { ChainClient } from '../../../src/platform/chain/chain-client.js';
import { ActionFixture, type Trader } from '../../support/action-fixture.js';
import { signTypedData } from '../../support/escrow-fixture.js';
import { quoteRow } from '../../support/market-rows.js';

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
const NO_BODY = EMPTY_REQUEST_DIGEST;
export const PRICE = 100_000_000n;

/** A task whose buyer has signed a selection. */
export interface SelectedTask {
  task: TaskEntity;
  quote: QuoteEntity;
}

/** A task whose first node is funded. */
export interface FundedTask extends SelectedTask {
  nodeId: string;
}

/** The two kinds that bring money in, on their own chain and database, with the keys of all parties. */
export class FundingFixture extends ActionFixture {
  /** A task whose buyer has signed the selection of the worker's signed quote. Nothing of it is on the chain. */
  async selected(buyer: Trader, worker: Trader, change: Partial<QuoteEntity> = {}): Promise<SelectedTask> {
    const { id } = await this.rows.task(buyer.accountId, { buyerWallet: buyer.address, arbiterWallet: ZeroAddress });
    const draft = await this.dataSource.manager.findOneByOrFail(TaskEntity, { id });
    const escrowAddress = this.chain.tree(draft.id, { address: buyer.address } as Wallet).escrow;
    const task = Object.assign(draft, { escrowAddress, openedAt: new Date(), nodeSequence: 1 });
    const quote = await this.quote(task, buyer, worker, { nodePath: 1n, ...change });
    await this.signSelection(task, buyer, quote);
    return { task, quote };
  }

  /** A task whose first root is funded on the chain and in the index. */
  async funded(buyer: Trader, worker: Trader, change: Partial<QuoteEntity> = {}): Promise<FundedTask> {
    const { task, quote } = await this.selected(buyer, worker, change);
    const { transaction } = await this.submit(buyer, await this.prepare('fund_task', buyer, { taskId: task.id }));
    await this.chain.send(transaction!.to, transaction!.data);
    return { task, quote, nodeId: await this.indexed(task, quote, buyer) };
  }

  /** Writes the node of a quote as the index writes it once funded. @returns the node's id. */
  async indexed(task: TaskEntity, quote: QuoteEntity, hirer: Trader): Promise<string> {
    const { nodePath: path, price, floor, maxRevisions, hirerFunded } = quote;
    const deliverBy = new Date(this.app.clock.nowMs() + quote.workSeconds * 1000);
    const node = await this.rows.node(task, {
      path,
      workerAccountId: quote.workerAccountId,
      workerWallet: quote.workerWallet,
      workerAgentId: quote.agentId,
      hirerAccountId: hirer.accountId,
      hirerWallet: hirer.address,
      amount: price,
      floor,
      maxRevisions,
      deliveryDeadline: deliverBy,
      clock: deliverBy,
      hirerFunded,
    });
    return node.id;
  }

  /** A quote with the worker's signature for the task's hirer. */
  async quote(task: TaskEntity, hirer: Trader, worker: Trader, change: Partial<QuoteEntity>): Promise<QuoteEntity> {
    const now = Math.floor(this.app.clock.nowMs() / 1000) * 1000;
    const agentId = await this.rows.agent(worker.accountId, worker.address);
    const nodePath = change.nodePath ?? 1n;
    const isRoot = parentPath(nodePath) === 0n;
    const price = change.price ?? PRICE;
    const own = {
      id: newId('quote', now),
      taskId: task.id,
      agentId,
      workerAccountId: worker.accountId,
      payerAccountId: hirer.accountId,
      nodePath,
      price,
      floor: price / 2n,
      workSeconds: (isRoot ? 8 : 4) * DAY_SECONDS,
      hirerFunded: isRoot,
      termsHash: task.termsHash,
      workerWallet: worker.address,
      validUntil: new Date(now + 2 * DAY_MS),
      actionId: newId('act', now),
      requestDigest: NO_BODY,
      nonce: nodeNonce(nodePath, 0),
      createdAt: new Date(now),
      ...change,
    };
    const quote = Object.assign(new QuoteEntity(), quoteRow(1, own));
    const target = {
      chainId: 31337,
      escrowAddress: task.escrowAddress,
      token: this.chain.usdc,
      hirerWallet: hirer.address,
      arbiterWallet: ZeroAddress,
    };
    const data = quoteTypedData(Object.assign(quote, { requestDigest: NO_BODY }), target);
    quote.signature = await signTypedData(worker.key, data);
    return this.dataSource.manager.save(QuoteEntity, quote);
  }

  /** Stores what a `select_agent` leaves behind once its signature has been submitted. */
  async signSelection(task: TaskEntity, buyer: Trader, quote: QuoteEntity): Promise<void> {
    const { action } = await this.signedAction(
      task,
      buyer,
      'SelectAgent',
      'select_agent',
      quote.validUntil,
      nodeNonce(quote.nodePath, 0),
      {
        terms: nodeTerms(quote),
        token: this.chain.usdc,
      },
    );
    Object.assign(task, {
      selectedQuoteId: quote.id,
      selectionActionId: action.id,
      selectionAgentId: quote.agentId,
      selectionNodePath: quote.nodePath,
      selectionUntil: quote.validUntil,
    });
    const store = this.app.get(TaskStore);
    await store.save(this.dataSource.manager, store.settle(task));
  }

  /** Deploys the escrow of a task, without any node. */
  async deploy(task: TaskEntity): Promise<void> {
    const tree = { buyer: task.buyerWallet, arbiter: task.arbiterWallet, treeId: treeIdOf(task.id) };
    await this.chain.send(this.chain.factory, encodeCreateTree(tree));
  }

  refundOf(task: TaskEntity, party: Trader): Promise<bigint> {
    return this.app.get(ChainClient).refundOf(task.escrowAddress, party.address);
  }

  private async signedAction<P extends 'SelectAgent' | 'CreateTask'>(
    task: TaskEntity,
    buyer: Trader,
    primaryType: P,
    kind: string,
    validUntil: Date,
    nonce: bigint,
    own: Omit<EscrowMessages[P], keyof ActionFields>,
  ): Promise<{ action: PreparedActionEntity }> {
    const id = newId('act', this.app.clock.nowMs());
    const seconds = BigInt(Math.floor(validUntil.getTime() / 1000));
    const fields = { actionId: actionIdHash(id), requestDigest: NO_BODY, nonce, validUntil: seconds };
    const message = { ...own, ...fields } as unknown as EscrowMessages[P];
    const data = escrowTypedData(primaryType, { chainId: 31337, escrowAddress: task.escrowAddress }, message);
    const link = this.app.get(SigningLinks).issue(id);
    const action = Object.assign(new PreparedActionEntity(), {
      id,
      actionIdHash: fields.actionId,
      kind,
      scope: 'buyer',
      accountId: buyer.accountId,
      walletAddress: buyer.address,
      taskId: task.id,
      nodeId: kind === 'select_agent' ? nodeIdOf(task.id, 1n) : null,
      chainId: '31337',
      escrowAddress: task.escrowAddress,
      nonce,
      requestDigest: NO_BODY,
      payload: { ...data },
      validUntil,
      details: {},
      signingTokenHash: link.tokenHash,
      signingTokenSealed: link.tokenSealed,
      createdAt: this.app.clock.now(),
      expiresAt: validUntil,
      signature: await signTypedData(buyer.key, data),
      signedAt: this.app.clock.now(),
    } as const);
    await this.dataSource.manager.save(PreparedActionEntity, action);
    return { action };
  }
}
