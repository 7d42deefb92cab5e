import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Hex, newId } from '#libs/kernel';
import { insertWithNext } from '../../platform/database/entities/entity-insert.sql.js';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import type { AccountEntity } from '../accounts/account.entity.js';
import { TaskParties } from '../tasks/visibility/task-parties.js';
import { TaskStore } from '../tasks/task-store.js';
import type { TaskEntity } from '../tasks/task/task.entity.js';
import { type CheckedOffer, QuoteChecks } from './offer-checks/quote-checks.js';
import { QuoteEntity } from './quote/quote.entity.js';
import type { QuoteOffer, SignedQuote } from './quote/quote-offer.js';
import { isUnsigned } from './quote/quote.lifecycle.js';
import { QuoteSignatures } from './acceptance/quote-signatures.js';

type Owner = Pick<AccountEntity, 'id'>;
type QuoteKey = Pick<QuoteEntity, 'taskId' | 'nodeNumber' | 'actionId'>;
type SignableQuote = QuoteEntity & { requestDigest: Hex };

/**
 * Makes quotes. A quote lets the owner of its agent see the task. A signed quote is binding until it expires, is
 * accepted, or its worker's wallet cancels its nonce on chain; another quote of the same agent does not replace it.
 */
@Injectable()
export class QuotesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly tasks: TaskStore,
    private readonly parties: TaskParties,
    private readonly checks: QuoteChecks,
    private readonly signatures: QuoteSignatures,
  ) {}

  /**
   * Stores a draft with a new node number. No signature was requested yet, and only its worker sees it.
   * @throws ApiError as `QuoteChecks.check`.
   */
  async draft(owner: Owner, offer: QuoteOffer): Promise<QuoteEntity> {
    const checked = await this.checks.check(owner, offer);
    return this.transactions.run(async (manager) => {
      const nodeNumber = await this.tasks.nextNodeNumber(manager, offer.taskId);
      const quote = Object.assign(this.assemble(checked, offer, nodeNumber), { status: 'draft' as const });
      return this.insert(manager, quote);
    });
  }

  /**
   * Stores a checked offer that waits for its worker's signature, in the transaction that stores the action to sign.
   * Only its worker sees it. Without a signature it ends with that action.
   * @param nodeNumber a new number from `TaskStore.nextNodeNumber`.
   */
  async propose(
    manager: EntityManager,
    checked: CheckedOffer,
    offer: QuoteOffer,
    nodeNumber: number,
  ): Promise<QuoteEntity> {
    const status = 'pending_signature' as const;
    return this.insert(manager, Object.assign(this.assemble(checked, offer, nodeNumber), { status }));
  }

  /**
   * Stores the verified signature of a proposed offer, which the payer sees from now on. The same signature again
   * changes nothing.
   * @param key identifies the quote: its `submit_quote` action, and the unique index of task and node number.
   * @throws ApiError `quote_expired`; `state_conflict` and `node_not_funded` when the task or the parent node no longer
   *   takes offers, or the offer has ended otherwise.
   */
  async acceptSignature(manager: EntityManager, key: QuoteKey, signature: Hex): Promise<QuoteEntity> {
    const { taskId, nodeNumber, actionId } = key;
    // The lock comes first, because it keeps the indexer from accepting a quote meanwhile.
    const task = await this.lockTask(manager, taskId);
    const quote = await manager.findOneByOrFail(QuoteEntity, { taskId, nodeNumber, actionId });
    return this.submit(manager, task, quote, signature);
  }

  /**
   * Stores an offer with the worker's signature, which the payer sees from now on. It replaces the owner's draft with
   * this node number, if there is one.
   * @throws ApiError as `QuoteChecks.check` and `QuoteSignatures.verify`; `state_conflict` when the node number was
   *   never assigned or belongs to another quote.
   */
  async submitSigned(owner: Owner, signed: SignedQuote): Promise<QuoteEntity> {
    const checked = await this.checks.check(owner, signed);
    const quote = this.assemble(checked, signed, signed.nodeNumber);
    // Verified before the transaction, because a contract wallet is asked over RPC and no lock may wait for that.
    await this.signatures.verify(quote, checked.task, checked.hirer.wallet, signed.signature);
    Object.assign(quote, { status: 'draft' });
    return this.transactions.run(async (manager) => {
      const task = await this.lockTask(manager, quote.taskId);
      await this.takeNodeNumber(manager, task, quote);
      return this.submit(manager, task, quote, signed.signature);
    });
  }

  /**
   * Locks the task's row, so that two quotes cannot take the same number and none is submitted while the task is being
   * funded.
   */
  private async lockTask(manager: EntityManager, taskId: string): Promise<TaskEntity> {
    const task = await this.tasks.load(manager, taskId, { lock: true });
    if (!task) throw new Error(`Task ${taskId} has a quote and no row`);
    return task;
  }

  /**
   * Checks the quote's node number: it must be assigned and unused, or belong to a draft of the agent, whose id the
   * quote then takes.
   */
  private async takeNodeNumber(manager: EntityManager, task: TaskEntity, quote: QuoteEntity): Promise<void> {
    const { taskId, nodeNumber, agentId } = quote;
    const known = await manager.findOneBy(QuoteEntity, { taskId, nodeNumber });
    const isOwnDraft = known?.status === 'draft' && known.agentId === agentId;
    if ((known && !isOwnDraft) || nodeNumber < 1 || nodeNumber > task.nodeSequence) {
      throw new ApiError('state_conflict', 'The node number was not given out for this quote.');
    }
    if (known) Object.assign(quote, { id: known.id, createdAt: known.createdAt });
  }

  private async submit(
    manager: EntityManager,
    task: TaskEntity,
    quote: QuoteEntity,
    signature: Hex,
  ): Promise<QuoteEntity> {
    if (isUnsigned(quote.status)) {
      await this.checks.checkStillWanted(manager, task, quote);
      return this.save(manager, Object.assign(quote, { status: 'submitted' as const, signature }));
    }
    // The wallet has signed the same offer again, or the chain has already opened the node.
    if (quote.status === 'submitted' || quote.status === 'accepted') {
      return this.save(manager, Object.assign(quote, { signature }));
    }
    throw new ApiError('state_conflict', `The quote is ${quote.status}.`, 'Make a new quote.');
  }

  /** Writes a new quote. The statements are sent with the next one of the transaction. */
  private async insert(manager: EntityManager, quote: QuoteEntity): Promise<QuoteEntity> {
    await insertWithNext(manager, QuoteEntity, quote);
    await this.parties.admitWithNext(manager, quote.taskId, quote.workerAccountId, 'quoted');
    return quote;
  }

  private async save(manager: EntityManager, quote: QuoteEntity): Promise<QuoteEntity> {
    await manager.save(QuoteEntity, quote);
    await this.parties.admit(manager, quote.taskId, quote.workerAccountId, 'quoted');
    return quote;
  }

  private assemble(checked: CheckedOffer, offer: QuoteOffer, nodeNumber: number): SignableQuote {
    const { task, agent, hirer, parentNodeNumber, acceptWindowSeconds, hirerFunded } = checked;
    const createdAt = this.clock.now();
    return Object.assign(new QuoteEntity(), {
      id: newId('quote', createdAt.getTime()),
      taskId: task.id,
      agentId: agent.id,
      workerAccountId: agent.accountId,
      payerAccountId: hirer.accountId,
      hirerAgentId: hirer.agentId,
      nodeNumber,
      parentNodeNumber,
      price: offer.price,
      deadline: offer.deadline,
      acceptWindowSeconds,
      hirerFunded,
      termsHash: task.termsHash,
      workerWallet: agent.walletAddress,
      validUntil: offer.validUntil,
      actionId: offer.actionId,
      requestDigest: offer.requestDigest,
      nonce: offer.nonce,
      signUntil: offer.signUntil ?? null,
      signature: null,
      createdAt,
    });
  }
}
