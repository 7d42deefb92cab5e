import { Injectable } from '@nestjs/common';
import {
  type ActionFields,
  checksumAddress,
  type ContractCall,
  contractCall,
  encodeFundTask,
  escrowTypedData,
  nodeNonce,
  senderAuth,
  type TaskStatus,
  type TypedData,
} from '#libs/contracts';
import { type Hex, nodeIdOf, nodePathOf } from '#libs/kernel';
import type { EntityManager } from 'typeorm';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { nodeTerms, unixSeconds, workerAuth } from '../../quotes/quote/quote-typed-data.js';
import type { QuoteEntity } from '../../quotes/quote/quote.entity.js';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { TaskStore } from '../../tasks/task-store.js';
import { HINT_MS } from '../action/action-status.js';
import { type FundingModeName, signedFunding } from '../money/funding-source.js';
import { FundingSources } from '../money/funding-sources.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind, SignedCall } from '../action/prepared-kind.js';
import { storedBody, storedTask } from '../action/stored-request.js';
import { FundingBody, fundingIn } from '../dto/funding.body.js';
import { quoteRefusalOf, trialFields } from '../checks/quote-refusals.js';
import { SelectedQuotes } from '../money/selected-quotes.js';

/** Which task, and how it is paid; without `fundingMode` the service chooses the mode that fits the wallet. */
export interface FundTaskInput {
  readonly taskId: string;
  readonly fundingMode?: FundingModeName;
}

/** A pending payment does not keep another from being prepared, because the chain funds the node only once. */
const FUNDABLE: readonly TaskStatus[] = ['selected', 'funding_pending'];
/** Seconds for which the quote must still stand; in less time no payment could be signed and mined. */
const MIN_STANDING = 60;

/**
 * The buyer takes up the selected quote and pays for it (docs/decisions/escrow.md#signed-actions, `fund_task`): one
 * transaction, which also deploys the tree's escrow where that is missing.
 */
@Injectable()
export class FundTask implements PreparedKind<FundTaskInput> {
  readonly scopes = ['buyer'] as const;

  constructor(
    private readonly access: TaskAccess,
    private readonly tasks: TaskStore,
    private readonly selected: SelectedQuotes,
    private readonly sources: FundingSources,
    private readonly config: ChainConfig,
    private readonly clock: Clock,
  ) {}

  inputOf(request: OriginatingRequest): FundTaskInput {
    return { ...storedTask(request), ...fundingIn(storedBody(FundingBody, request)) };
  }

  /**
   * Also asks the chain, because the calls depend on it: whether the tree is deployed, what the wallet holds and how
   * much of it the escrow may take.
   */
  async check({ accountId }: ActionIntent, { taskId, fundingMode }: FundTaskInput): Promise<CheckedAction> {
    const ahead = this.selected.ahead(taskId);
    const task = await this.access.find(accountId, taskId);
    if (task.buyerAccountId !== accountId) {
      throw new ApiError('not_task_buyer', 'Only the buyer of this task may fund it.');
    }
    refuseUnfundable(task);
    const quote = this.standing(task, await this.selected.of(task, ahead));
    const escrowAddress = checksumAddress(task.escrowAddress);
    const signer = checksumAddress(task.buyerWallet);
    const [isDeployed, source] = await Promise.all([
      this.selected.isDeployed(task),
      // No money of the buyer waits for a `finalize`: while a root node still holds some, nothing is selected.
      this.sources.choose({ escrowAddress, payer: signer, amount: quote.price }, fundingMode),
    ]);
    if (source.name === 'permit' && !isDeployed) throw permitTooEarly();
    const nonce = nodeNonce(quote.nodePath, 0);
    const terms = nodeTerms(quote);
    const payment = (fields: ActionFields, funding = source.funding): ContractCall =>
      contractCall(escrowAddress, encodeFundTask(terms, funding, senderAuth(fields), workerAuth(quote)));
    return {
      scope: 'buyer',
      taskId,
      nodeId: nodeIdOf(taskId, quote.nodePath),
      escrowAddress,
      nonce,
      signer,
      ownMoney: quote.price,
      payment: { to: checksumAddress(quote.workerWallet), amount: quote.price },
      latestSeconds: unixSeconds(quote.validUntil),
      details: { funding_mode: source.name, quote_id: quote.id, fund_by: unixSeconds(quote.validUntil) },
      triedCalls: (fields) =>
        isDeployed && source.isReady ? [{ from: signer, ...payment(fields), asksWallets: true }] : [],
      confirm: async () => {
        if (isDeployed) {
          await this.selected.refusePaidElsewhere(task, quote);
          const trial = { from: signer, ...payment(trialFields(nonce), source.trialFunding), asksWallets: true };
          await this.sources.tryOut(trial, (revert) => quoteRefusalOf(revert, quote.workerWallet));
        } else {
          await this.selected.refuseUndeployable(task, quote);
        }
        return {
          typedData: (fields) =>
            source.typedData(this.actionData(escrowAddress, quote, source.funding.mode, fields), fields),
          // The factory cannot pass on a call that carries no signature, so the payment is then a call of its own.
          directCalls: (fields) =>
            source.directCalls(isDeployed ? [payment(fields)] : [this.selected.treeCall(task), payment(fields)]),
        };
      },
    };
  }

  /** The whole transaction: the tree's escrow where the chain does not have it yet, then the payment. */
  async signedCall(action: PreparedActionEntity, signature: Hex): Promise<SignedCall> {
    const { auth, funding, sender } = signedFunding(action, signature);
    const { task, quote } = await this.selected.forTask(taskIdOf(action));
    const isOver = this.clock.nowMs() > lastUse(action).getTime();
    if (isOver || quote === null || quote.id !== action.details['quote_id']) throw selectionGone();
    const payment = encodeFundTask(nodeTerms(quote), funding, auth, workerAuth(quote));
    if (await this.selected.isDeployed(task)) {
      const call = contractCall(action.escrowAddress, payment);
      return sender === null ? call : { from: sender, ...call };
    }
    // The factory would be the sender of a call that it passes on, and this one must come from the wallet.
    if (sender !== null) throw permitTooEarly();
    return this.selected.treeCall(task, payment);
  }

  /** From now on the payment can be sent: the task shows it as pending until the signature or the quote ends. */
  async onSigned(manager: EntityManager, action: PreparedActionEntity): Promise<void> {
    await this.markSubmitted(manager, action, lastUse(action));
  }

  /**
   * As `onSigned`. Without a signature nothing was verified: the task shows the payment as pending only for `HINT_MS`, in
   * which a transaction reaches a block. A task that refuses the mark is no error: the transaction is stored all the same.
   */
  async onSent(manager: EntityManager, action: PreparedActionEntity): Promise<void> {
    const last = lastUse(action);
    const hint = new Date(Math.min(last.getTime(), this.clock.nowMs() + HINT_MS));
    try {
      await this.markSubmitted(manager, action, action.signature === null ? hint : last);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  isSupersededBy({ taskStatus }: ActionStanding): boolean {
    return taskStatus === null || !FUNDABLE.includes(taskStatus);
  }

  private markSubmitted(manager: EntityManager, action: PreparedActionEntity, until: Date): Promise<void> {
    return this.tasks.markFundingSubmitted(manager, taskIdOf(action), nodeOf(action), until);
  }

  private actionData(escrowAddress: Hex, quote: QuoteEntity, fundingMode: number, fields: ActionFields): TypedData {
    const { chainId, usdcAddress: token } = this.config;
    const message = { terms: nodeTerms(quote), token, fundingMode, ...fields };
    return escrowTypedData('FundTask', { chainId, escrowAddress }, message);
  }

  /** The selected quote, while it can be paid. @throws ApiError `quote_expired`, `state_conflict` when none is selected. */
  private standing({ selectionUntil }: TaskEntity, quote: QuoteEntity | null): QuoteEntity {
    const now = this.clock.nowSeconds();
    if (quote !== null && unixSeconds(quote.validUntil) - now >= MIN_STANDING) return quote;
    if (quote !== null || (selectionUntil !== null && selectionUntil.getTime() < now * 1000)) throw quoteOver();
    throw selectionGone();
  }
}

/** The last moment at which the signature can make the payment. */
function lastUse({ validUntil, details }: PreparedActionEntity): Date {
  return new Date(Math.min(validUntil.getTime(), Number(details['fund_by']) * 1000));
}

function taskIdOf({ taskId }: PreparedActionEntity): string {
  if (taskId === null) throw new TypeError('A payment is always for a task');
  return taskId;
}

/** Path of the node that it pays. */
function nodeOf(action: PreparedActionEntity): bigint {
  const path = action.nodeId === null ? null : nodePathOf(taskIdOf(action), action.nodeId);
  if (path === null) throw new TypeError('A payment is always for a node of its task');
  return path;
}

function refuseUnfundable({ status, selectedQuoteId }: TaskEntity): void {
  if (FUNDABLE.includes(status)) return;
  if (status === 'open' && selectedQuoteId !== null) throw quoteOver();
  const selectFirst = status === 'open' || status === 'refunded';
  throw new ApiError(
    'state_conflict',
    `The task is ${status}; only a task whose buyer has selected an agent can be funded.`,
    selectFirst ? 'Select an agent and hand in the signature first.' : 'Read the task again; it says what can be done.',
  );
}

function quoteOver(): ApiError {
  return new ApiError('quote_expired', "The selected agent's quote no longer stands.", 'Select another quote.');
}

function selectionGone(): ApiError {
  return new ApiError(
    'state_conflict',
    'The selection that was to be funded no longer waits for money.',
    'Read the task again; it may be funded already, or another agent selected.',
  );
}

function permitTooEarly(): ApiError {
  return new ApiError(
    'state_conflict',
    'A permit is used by a transaction of the wallet itself, and the escrow of this task is not deployed yet.',
    'Leave funding_mode out, or name another way.',
  );
}
