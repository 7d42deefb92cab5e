import { Injectable } from '@nestjs/common';
import { checksumAddress, escrowTypedData, nodeNonce, type TaskStatus } from '#libs/contracts';
import { nodeIdOf } from '#libs/kernel';
import type { EntityManager } from 'typeorm';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import type { Offer } from '../../quotes/acceptance/offers.sql.js';
import { QuoteAcceptance } from '../../quotes/acceptance/quote-acceptance.js';
import { nodeTerms, unixSeconds } from '../../quotes/quote/quote-typed-data.js';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { takesOffers } from '../../tasks/task/task.lifecycle.js';
import { TaskStore } from '../../tasks/task-store.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type {
  ActionIntent,
  ActionStanding,
  CheckedAction,
  NodePayment,
  PreparedKind,
  SoughtPayment,
} from '../action/prepared-kind.js';
import { storedBody, storedTask } from '../action/stored-request.js';
import { messageOf, readAddress, readBytes32, readStruct, readUint } from '../payload/typed-message.js';
import { SelectionBody, selectionIn } from '../dto/selection.body.js';
import { QuoteChoice } from '../checks/quote-choice.js';

/** Which task, and which agent the buyer has chosen. */
export interface SelectAgentInput {
  readonly taskId: string;
  /** Null: the service names the best offer. */
  readonly agentId: string | null;
}

/** In these statuses a selection is not superseded. A pending payment is one of them: it pays for the selection. */
const SELECTABLE: readonly TaskStatus[] = ['open', 'selected', 'funding_pending', 'refunded'];

/**
 * The buyer takes an offer that a worker has signed, with exactly its terms. The signature is verified and kept; no call
 * takes it to the chain, because the payment says the same (docs/decisions/escrow.md#kept-signatures).
 */
@Injectable()
export class SelectAgent implements PreparedKind<SelectAgentInput> {
  readonly scopes = ['buyer'] as const;

  constructor(
    private readonly access: TaskAccess,
    private readonly tasks: TaskStore,
    private readonly choice: QuoteChoice,
    private readonly standing: QuoteAcceptance,
    private readonly config: ChainConfig,
    private readonly clock: Clock,
  ) {}

  inputOf(request: OriginatingRequest): SelectAgentInput {
    return { ...storedTask(request), ...selectionIn(storedBody(SelectionBody, request)) };
  }

  async check({ accountId }: ActionIntent, { taskId, agentId }: SelectAgentInput): Promise<CheckedAction> {
    const choose = this.choice.ahead(taskId, agentId);
    const task = await this.access.find(accountId, taskId);
    if (task.buyerAccountId !== accountId) {
      throw new ApiError('not_task_buyer', 'Only the buyer of this task may select an agent.');
    }
    this.refuseClosed(task);
    const quote = await choose(task);
    const signer = checksumAddress(task.buyerWallet);
    const escrowAddress = checksumAddress(task.escrowAddress);
    const { chainId, usdcAddress: token } = this.config;
    return {
      scope: 'buyer',
      taskId,
      nodeId: nodeIdOf(taskId, quote.nodePath),
      escrowAddress,
      nonce: nodeNonce(quote.nodePath, 0),
      signer,
      ownMoney: 0n,
      payment: { to: checksumAddress(quote.workerWallet), amount: 0n },
      // The selection stands as long as the offer, which may be paid for in its last second.
      validUntilSeconds: unixSeconds(quote.validUntil),
      details: { quote_id: quote.id },
      triedCalls: () => [],
      confirm: async () => {
        const refusal = await this.standing.refusal(quote, task, task.buyerWallet);
        if (refusal !== null) throw refusal;
        return {
          typedData: (fields) =>
            escrowTypedData('SelectAgent', { chainId, escrowAddress }, { terms: nodeTerms(quote), token, ...fields }),
          directCalls: () => [],
        };
      },
    };
  }

  signedCall(): Promise<null> {
    return Promise.resolve(null);
  }

  async onSigned(manager: EntityManager, action: PreparedActionEntity): Promise<void> {
    const { quote } = await this.offerOf(action);
    const { id: quoteId, taskId, agentId, nodePath, validUntil: until } = quote;
    const selection = { quoteId, actionId: action.id, agentId, nodePath, until };
    await this.tasks.markSelected(manager, taskId, selection);
    // Read again under the task's lock: the offer may have ended or been taken up meanwhile.
    const offer = await this.offerOf(action);
    if (offer.quote.status !== 'accepted') this.standing.checkSignable(offer);
  }

  /** The buyer has paid the selected worker, at the place and under the terms of the offer. */
  isPaidBy(payment: NodePayment, { payload }: Pick<PreparedActionEntity, 'payload'>): boolean {
    const terms = readStruct(messageOf(payload), 'terms');
    return (
      payment.nodeId === readUint(terms, 'nodeId') &&
      payment.worker === readAddress(terms, 'worker') &&
      payment.amount === readUint(terms, 'amount') &&
      payment.termsHash === readBytes32(terms, 'termsHash')
    );
  }

  soughtPayment({ payload }: Pick<PreparedActionEntity, 'payload'>): SoughtPayment {
    return { nodeId: readUint(readStruct(messageOf(payload), 'terms'), 'nodeId') };
  }

  isSupersededBy({ taskStatus }: ActionStanding): boolean {
    return taskStatus === null || !SELECTABLE.includes(taskStatus);
  }

  /** The offer that a selection takes, as it is now. */
  private async offerOf({ id, details }: PreparedActionEntity): Promise<Offer> {
    const offer = await this.standing.find(String(details['quote_id']));
    if (!offer) throw new Error(`The offer of the selection ${id} is gone`);
    return offer;
  }

  private refuseClosed(task: TaskEntity): void {
    const nowMs = this.clock.nowMs();
    if (takesOffers(task, nowMs)) return;
    if (nowMs > task.offersUntil.getTime() && (task.status === 'expired' || task.status === 'refunded')) {
      throw new ApiError('window_closed', `The time for offers ended at ${task.offersUntil.toISOString()}.`);
    }
    throw new ApiError(
      'state_conflict',
      `The task is ${task.status}; no agent can be selected now.`,
      'Read the task again; its status says what can be done now.',
    );
  }
}
