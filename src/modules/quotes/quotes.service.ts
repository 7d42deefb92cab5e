import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Hex, newId } from '#libs/kernel';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import type { AccountEntity } from '../auth/accounts/account.entity.js';
import { TaskParties } from '../tasks/task-parties.js';
import { TaskStore } from '../tasks/task-store.js';
import { type CheckedOffer, QuoteChecks } from './quote-checks.js';
import { QuoteEntity } from './quote.entity.js';
import type { QuoteOffer, SignedQuote } from './quote-offer.js';
import { QuoteSignatures } from './quote-signatures.js';

type Owner = Pick<AccountEntity, 'id'>;
type SignableQuote = QuoteEntity & { requestDigest: Hex };

/** Making quotes. A quote lets the owner of its agent see the task. */
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
   * Keeps an offer that nobody has signed yet, with a node number of its own; only its worker sees it.
   * @throws ApiError as `QuoteChecks.check`.
   */
  async draft(owner: Owner, offer: QuoteOffer): Promise<QuoteEntity> {
    const checked = await this.checks.check(owner, offer);
    return this.transactions.run(async (manager) => {
      const nodeNumber = await this.tasks.nextNodeNumber(manager, offer.taskId);
      const quote = Object.assign(this.assemble(checked, offer, nodeNumber), { status: 'draft' as const });
      return this.save(manager, quote);
    });
  }

  /**
   * Keeps an offer with the worker's signature: from now on the payer sees it. Signs the owner's draft with this node
   * number, if there is one.
   * @throws ApiError as `QuoteChecks.check` and `QuoteSignatures.verify`; `state_conflict` when the node number was
   * never given out or belongs to another quote.
   */
  async submitSigned(owner: Owner, signed: SignedQuote): Promise<QuoteEntity> {
    const checked = await this.checks.check(owner, signed);
    const quote = this.assemble(checked, signed, signed.nodeNumber);
    // Before the transaction: a contract wallet is asked over RPC, and no lock waits for that.
    await this.signatures.verify(quote, checked.task, checked.hirer.wallet, signed.signature);
    Object.assign(quote, { status: 'submitted', signature: signed.signature });
    return this.transactions.run(async (manager) => {
      await this.takeNodeNumber(manager, quote);
      return this.save(manager, quote);
    });
  }

  /** Gives the quote its node number: one given out and unused, or that of a draft, which the quote then becomes. */
  private async takeNodeNumber(manager: EntityManager, quote: QuoteEntity): Promise<void> {
    const { taskId, nodeNumber, agentId } = quote;
    // Locks the task's row, so that two quotes never take one number at the same time.
    const task = await this.tasks.load(manager, taskId, { lock: true });
    const known = await manager.findOneBy(QuoteEntity, { taskId, nodeNumber });
    const isOwnDraft = known?.status === 'draft' && known.agentId === agentId;
    if ((known && !isOwnDraft) || nodeNumber < 1 || nodeNumber > (task?.nodeSequence ?? 0)) {
      throw new ApiError('state_conflict', 'The node number was not given out for this quote.');
    }
    if (known) Object.assign(quote, { id: known.id, createdAt: known.createdAt });
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
      signature: null,
      createdAt,
    });
  }
}
