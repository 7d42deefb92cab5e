import { Injectable } from '@nestjs/common';
import { type ContractCall, contractCall, encodeCreateTree, treeIdOf } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { wantedLater } from '../../../platform/database/reads/wanted-later.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { agentSuspended } from '../../agents/agent-reader.js';
import type { Offer } from '../../quotes/acceptance/offers.sql.js';
import { QuoteAcceptance } from '../../quotes/acceptance/quote-acceptance.js';
import type { QuoteEntity } from '../../quotes/quote/quote.entity.js';
import { TaskEntity } from '../../tasks/task/task.entity.js';
import { isFunded } from '../../tasks/task/task.lifecycle.js';
import { selectedOffers } from './selected-quotes.sql.js';

/** The offer that waits for its buyer's money, and the escrow that the money goes to, which may not be deployed yet. */
@Injectable()
export class SelectedQuotes {
  constructor(
    private readonly transactions: Transactions,
    private readonly chain: ChainClient,
    private readonly acceptance: QuoteAcceptance,
    private readonly config: ChainConfig,
  ) {}

  /** Starts to read the selected offer of a task, before the task itself is known. */
  ahead(taskId: string): Promise<readonly Offer[]> {
    return wantedLater(selectedOffers(this.transactions, [taskId]));
  }

  /**
   * The signed offer that the task's buyer has selected last; null when there is none that can still be paid.
   * @throws ApiError `state_conflict` while its agent is suspended.
   */
  async of({ id: taskId, selectedQuoteId }: TaskEntity, ahead = this.ahead(taskId)): Promise<QuoteEntity | null> {
    if (selectedQuoteId === null) return null;
    // What was read ahead may be of another moment than the task, which had another selection then.
    const offer =
      (await ahead).find(({ quote }) => quote.id === selectedQuoteId) ?? (await this.acceptance.find(selectedQuoteId));
    if (offer?.quote.status !== 'submitted' || offer.quote.signature === null) return null;
    if (offer.isSuspended) throw agentSuspended();
    return offer.quote;
  }

  /** As `of`, for a task that was not read yet. @throws ApiError as `of`; EntityNotFoundError. */
  async forTask(taskId: string): Promise<{ task: TaskEntity; quote: QuoteEntity | null }> {
    const ahead = this.ahead(taskId);
    const task = await this.transactions.manager.findOneByOrFail(TaskEntity, { id: taskId });
    return { task, quote: await this.of(task, ahead) };
  }

  /** Whether the chain has the tree's escrow. @throws ChainUnavailableError. */
  async isDeployed({ escrowAddress }: TaskEntity): Promise<boolean> {
    return (await this.chain.codeAt(escrowAddress)) !== '0x';
  }

  /** The factory's call that deploys the tree's escrow unless it exists, then makes this call, which needs a signature. */
  treeCall({ id, buyerWallet, arbiterWallet }: TaskEntity, then?: Hex): ContractCall {
    const tree = { buyer: buyerWallet, arbiter: arbiterWallet, treeId: treeIdOf(id) };
    return contractCall(this.config.factoryAddress, encodeCreateTree(tree, then));
  }

  /**
   * Refuses a second agent when the chain has an earlier payment for another that the index does not show yet.
   * @throws ApiError `state_conflict`; `service_unavailable`.
   */
  async refusePaidElsewhere(task: TaskEntity, { nodePath }: QuoteEntity): Promise<void> {
    const { escrowAddress, fundingNodePath: earlier } = task;
    if (earlier === null || earlier === nodePath || isFunded(task, earlier)) return;
    if ((await this.chain.nodeAt(escrowAddress, earlier)) === null) return;
    throw new ApiError(
      'state_conflict',
      'The agent that was selected before has been paid already; the index has not caught up with the chain.',
      'Read the task again in a moment.',
    );
  }

  /**
   * Checks what a payment to an escrow that does not exist yet would come to, since it cannot be tried.
   * @throws ApiError `state_conflict` when the worker's wallet no longer stands by the offer; `service_unavailable`.
   */
  async refuseUndeployable(task: TaskEntity, quote: QuoteEntity): Promise<void> {
    const refusal = await this.acceptance.refusal(quote, task, task.buyerWallet);
    if (refusal !== null) throw refusal;
  }
}
