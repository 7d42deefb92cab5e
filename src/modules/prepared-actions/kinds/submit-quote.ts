import { Injectable } from '@nestjs/common';
import { checksumAddress } from '#libs/contracts';
import { type Hex, nodeIdOf } from '#libs/kernel';
import type { EntityManager } from 'typeorm';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { type CheckedOffer, QuoteChecks } from '../../quotes/offer-checks/quote-checks.js';
import type { OfferTerms } from '../../quotes/quote/quote-offer.js';
import { offerTypedData, unixSeconds } from '../../quotes/quote/quote-typed-data.js';
import { QuotesService } from '../../quotes/quotes.service.js';
import { TaskStore } from '../../tasks/task-store.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { storedBody } from '../action/stored-request.js';
import { QuoteBody, quoteIn, type SubmitQuoteInput } from '../dto/quote.body.js';
import { DEFAULT_VALIDITY_SECONDS } from '../../quotes/quote/quote-validity.js';
import { messageOf, readCount, readStruct } from '../payload/typed-message.js';

const NODE_NUMBER = /_([1-9][0-9]{0,9})$/;

/**
 * A worker offers an agent for a node. The signature is stored and goes to the chain with the call that takes the offer
 * up (docs/decisions/escrow.md#kept-signatures); no call executes the offer alone.
 */
@Injectable()
export class SubmitQuote implements PreparedKind<SubmitQuoteInput> {
  readonly scopes = ['worker'] as const;

  constructor(
    private readonly checks: QuoteChecks,
    private readonly quotes: QuotesService,
    private readonly tasks: TaskStore,
    private readonly config: ChainConfig,
    private readonly clock: Clock,
  ) {}

  inputOf(request: OriginatingRequest): SubmitQuoteInput {
    return quoteIn(storedBody(QuoteBody, request));
  }

  async check(
    { accountId, walletAddress, requestDigest }: ActionIntent,
    input: SubmitQuoteInput,
  ): Promise<CheckedAction> {
    const { parentNodeId, ...terms } = input;
    const parentNodeNumber = parentNodeId === null ? 0 : nodeNumberOf(input.taskId, parentNodeId);
    const validUntil = input.validUntil ?? this.defaultValidity(input.deadline);
    const checked = await this.checks.check(
      { id: accountId, walletAddress },
      { ...terms, parentNodeNumber, validUntil },
    );
    return this.actionFor(checked, { ...terms, parentNodeNumber, validUntil }, requestDigest);
  }

  signedCall(): Promise<null> {
    return Promise.resolve(null);
  }

  async onSigned(manager: EntityManager, action: PreparedActionEntity, signature: Hex): Promise<void> {
    const { id: actionId, taskId, payload } = action;
    if (taskId === null) throw new TypeError('A quote is always for a task');
    const nodeNumber = readCount(readStruct(messageOf(payload), 'terms'), 'nodeId');
    await this.quotes.acceptSignature(manager, { taskId, nodeNumber, actionId }, signature);
  }

  /**
   * The state of the parent node does not count here: only the signed message names that node, so `onSigned` checks it.
   * Nor does a released root end the offer: a live node below the root may still hire.
   */
  isSupersededBy({ nodeState, taskStatus }: ActionStanding): boolean {
    const isOver = taskStatus === null || taskStatus === 'cancelled' || taskStatus === 'expired';
    return isOver || nodeState !== null;
  }

  private actionFor(checked: CheckedOffer, offer: OfferTerms, requestDigest: Hex): CheckedAction {
    const { task, agent, hirer, parentNodeNumber, acceptWindowSeconds, hirerFunded } = checked;
    const signer = checksumAddress(agent.walletAddress);
    const escrowAddress = checksumAddress(task.escrowAddress);
    const target = {
      chainId: this.config.chainId,
      escrowAddress,
      token: this.config.usdcAddress,
      hirerWallet: hirer.wallet,
      arbiterWallet: task.arbiterWallet,
    };
    const { price, deadline, validUntil } = offer;
    const terms = { price, deadline, parentNodeNumber, acceptWindowSeconds, hirerFunded };
    const signed = { ...terms, workerWallet: signer, termsHash: task.termsHash };
    let nodeNumber: number | null = null;
    return {
      scope: 'worker',
      taskId: task.id,
      get nodeId() {
        return nodeNumber === null ? null : nodeIdOf(task.id, nodeNumber);
      },
      escrowAddress,
      signer,
      ownMoney: 0n,
      validUntilSeconds: unixSeconds(validUntil),
      triedCalls: () => [],
      confirm: () =>
        Promise.resolve({
          typedData: (fields) => offerTypedData({ ...signed, nodeNumber: given(nodeNumber) }, target, fields),
          directCalls: () => [],
        }),
      reserve: async (manager) => {
        nodeNumber = await this.tasks.nextNodeNumber(manager, task.id);
      },
      record: async (manager, { id: actionId, nonce, expiresAt: signUntil }) => {
        const kept = { ...offer, agentId: agent.id, actionId, requestDigest, nonce, signUntil };
        await this.quotes.propose(manager, checked, kept, given(nodeNumber));
      },
    };
  }

  private defaultValidity(deadline: Date): Date {
    return new Date(Math.min((this.clock.nowSeconds() + DEFAULT_VALIDITY_SECONDS) * 1000, deadline.getTime()));
  }
}

function given(nodeNumber: number | null): number {
  if (nodeNumber === null) throw new Error('A quote was encoded before its node had a number');
  return nodeNumber;
}

/** The number in the identifier of a node. @throws ApiError `not_found` when it is no identifier of the task's nodes. */
function nodeNumberOf(taskId: string, nodeId: string): number {
  const number = Number(NODE_NUMBER.exec(nodeId)?.[1]);
  if (Number.isInteger(number) && isNodeOf(taskId, nodeId, number)) return number;
  throw new ApiError('not_found', 'There is no such parent node.');
}

function isNodeOf(taskId: string, nodeId: string, number: number): boolean {
  try {
    return nodeIdOf(taskId, number) === nodeId;
  } catch {
    return false;
  }
}
