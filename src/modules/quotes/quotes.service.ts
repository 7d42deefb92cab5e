import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { nodeNonce } from '#libs/contracts';
import { type Hex, newId, parentPath, pathIndex, pathText } from '#libs/kernel';
import { insertWithNext } from '../../platform/database/entities/entity-insert.sql.js';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import type { AccountEntity } from '../accounts/account.entity.js';
import { agentSuspended } from '../agents/agent-reader.js';
import { recordEvents } from '../events/log/record-events.sql.js';
import { TaskParties } from '../tasks/visibility/task-parties.js';
import { TaskStore } from '../tasks/task-store.js';
import type { TaskEntity } from '../tasks/task/task.entity.js';
import { type CheckedOffer, QuoteChecks } from './offer-checks/quote-checks.js';
import { QuoteEntity } from './quote/quote.entity.js';
import { quoteEvent } from './quote/quote-event.js';
import type { QuoteOffer, SignedQuote } from './quote/quote-offer.js';
import { isUnsigned } from './quote/quote.lifecycle.js';
import { offerOfAction } from './acceptance/offers.sql.js';
import { QuoteSignatures } from './acceptance/quote-signatures.js';

type Owner = Pick<AccountEntity, 'id'>;
type QuoteKey = Pick<QuoteEntity, 'taskId' | 'nodePath' | 'actionId'>;
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
   * Stores a draft. No signature was requested yet, and only its worker sees it.
   * @throws ApiError as `QuoteChecks.check`.
   */
  async draft(owner: Owner, offer: QuoteOffer): Promise<QuoteEntity> {
    const checked = await this.checks.check(owner, offer);
    const quote = Object.assign(this.assemble(checked, offer), { status: 'draft' as const });
    return this.transactions.run((manager) => this.insert(manager, quote));
  }

  /**
   * Stores a checked offer that waits for its worker's signature, in the transaction that stores the action to sign.
   * Only its worker sees it. Without a signature it ends with that action.
   */
  async propose(manager: EntityManager, checked: CheckedOffer, offer: QuoteOffer): Promise<QuoteEntity> {
    const status = 'pending_signature' as const;
    return this.insert(manager, Object.assign(this.assemble(checked, offer), { status }));
  }

  /**
   * Stores the verified signature of a proposed offer, which the payer sees from now on. The same signature again
   * changes nothing.
   * @param key identifies the quote: its `submit_quote` action, and the unique index of task and node path.
   * @throws ApiError `quote_expired`; `state_conflict` and `node_not_funded` when the task or the parent node no longer
   *   takes offers, the offer has ended otherwise, or its agent is suspended.
   */
  async acceptSignature(manager: EntityManager, key: QuoteKey, signature: Hex): Promise<QuoteEntity> {
    const { taskId, nodePath, actionId } = key;
    // The lock comes first, because it keeps the indexer from accepting a quote meanwhile.
    const task = await this.lockTask(manager, taskId);
    const [offer] = await offerOfAction(this.transactions, [taskId, pathText(nodePath), actionId]);
    if (!offer) throw new Error(`Action ${actionId} has no quote`);
    const { quote, isSuspended } = offer;
    if (isSuspended && isUnsigned(quote.status)) throw agentSuspended();
    return this.submit(manager, task, quote, signature);
  }

  /**
   * Stores an offer with the worker's signature, which the payer sees from now on. It replaces the owner's draft of
   * this node, if there is one.
   * @throws ApiError as `QuoteChecks.check` and `QuoteSignatures.verify`; `state_conflict` when the node's path was
   *   never given out or belongs to another quote.
   */
  async submitSigned(owner: Owner, signed: SignedQuote): Promise<QuoteEntity> {
    const checked = await this.checks.check(owner, signed);
    const quote = this.assemble(checked, signed);
    // Verified before the transaction, because a contract wallet is asked over RPC and no lock may wait for that.
    await this.signatures.verify(quote, checked.task, checked.hirer.wallet, signed.signature);
    Object.assign(quote, { status: 'draft' });
    return this.transactions.run(async (manager) => {
      const task = await this.lockTask(manager, quote.taskId);
      await this.takePlace(manager, task, quote);
      return this.submit(manager, task, quote, signed.signature);
    });
  }

  /**
   * Locks the task's row, so that two quotes cannot take the same place and none is submitted while the task is being
   * funded.
   */
  private async lockTask(manager: EntityManager, taskId: string): Promise<TaskEntity> {
    const task = await this.tasks.load(manager, taskId, { lock: true });
    if (!task) throw new Error(`Task ${taskId} has a quote and no row`);
    return task;
  }

  /**
   * Checks the place of the quote's node: it must be given out and unused, or belong to a draft of the agent, whose id
   * the quote then takes.
   */
  private async takePlace(manager: EntityManager, task: TaskEntity, quote: QuoteEntity): Promise<void> {
    const { taskId, nodePath, agentId } = quote;
    const known = await manager.findOneBy(QuoteEntity, { taskId, nodePath });
    const isOwnDraft = known?.status === 'draft' && known.agentId === agentId;
    if ((known && !isOwnDraft) || pathIndex(nodePath) > task.nodeSequence) throw notGivenOut();
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
      const { status: from } = quote;
      const saved = await this.save(manager, Object.assign(quote, { status: 'submitted' as const, signature }));
      await recordEvents(manager, [quoteEvent(saved, from, 'submitted', this.clock.now(), 'quote.submitted')]);
      return saved;
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

  /** @throws ApiError `state_conflict` when the offer's place is not under the node that it is for; RangeError for none. */
  private assemble(checked: CheckedOffer, { nodePath, ...offer }: QuoteOffer): SignableQuote {
    const { task, agent, hirer, parentNodePath, ...terms } = checked;
    if (parentPath(nodePath) !== parentNodePath) throw notGivenOut();
    const { floor, workSeconds, acceptWindowSeconds, maxRevisions, hirerFunded } = terms;
    const createdAt = this.clock.now();
    return Object.assign(new QuoteEntity(), {
      id: newId('quote', createdAt.getTime()),
      taskId: task.id,
      agentId: agent.id,
      workerAccountId: agent.accountId,
      payerAccountId: hirer.accountId,
      hirerAgentId: hirer.agentId,
      nodePath,
      price: offer.price,
      floor,
      workSeconds,
      acceptWindowSeconds,
      maxRevisions,
      hirerFunded,
      termsHash: task.termsHash,
      workerWallet: agent.walletAddress,
      validUntil: offer.validUntil,
      actionId: offer.actionId,
      requestDigest: offer.requestDigest,
      nonce: nodeNonce(nodePath, 0),
      signUntil: offer.signUntil ?? null,
      signature: null,
      createdAt,
    });
  }
}

function notGivenOut(): ApiError {
  return new ApiError('state_conflict', "The node's place was not given out for this quote.");
}
