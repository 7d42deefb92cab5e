import { Injectable } from '@nestjs/common';
import { checksumAddress, nodeNonce } from '#libs/contracts';
import { type Hex, nodeIdOf, nodePathOf } from '#libs/kernel';
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
import { messageOf, readStruct, readUint } from '../payload/typed-message.js';

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
    const { parentNodeId, deadline, ...terms } = input;
    const parentNodePath = parentNodeId === null ? 0n : pathOf(input.taskId, parentNodeId);
    const now = this.clock.nowSeconds();
    const validUntil = input.validUntil ?? new Date((now + DEFAULT_VALIDITY_SECONDS) * 1000);
    const untilDeadline = deadline === undefined ? {} : { workSeconds: unixSeconds(deadline) - now };
    const offer = { ...terms, ...untilDeadline, parentNodePath, validUntil };
    const checked = await this.checks.check({ id: accountId, walletAddress }, offer);
    return this.actionFor(checked, offer, requestDigest);
  }

  signedCall(): Promise<null> {
    return Promise.resolve(null);
  }

  async onSigned(manager: EntityManager, action: PreparedActionEntity, signature: Hex): Promise<void> {
    const { id: actionId, taskId, payload } = action;
    if (taskId === null) throw new TypeError('A quote is always for a task');
    const nodePath = readUint(readStruct(messageOf(payload), 'terms'), 'nodeId');
    await this.quotes.acceptSignature(manager, { taskId, nodePath, actionId }, signature);
  }

  /**
   * The state of the parent node does not count here: only the signed message names that node, so `onSigned` checks it.
   * Nor does a released root end the offer: a live node below the root may still hire.
   */
  isSupersededBy({ taskStatus }: ActionStanding): boolean {
    return taskStatus === null || taskStatus === 'cancelled' || taskStatus === 'expired';
  }

  private actionFor(checked: CheckedOffer, offer: OfferTerms, requestDigest: Hex): CheckedAction {
    const { task, agent, hirer, floor, workSeconds, acceptWindowSeconds, maxRevisions, hirerFunded } = checked;
    const signer = checksumAddress(agent.walletAddress);
    const escrowAddress = checksumAddress(task.escrowAddress);
    const target = {
      chainId: this.config.chainId,
      escrowAddress,
      token: this.config.usdcAddress,
      hirerWallet: hirer.wallet,
      arbiterWallet: task.arbiterWallet,
    };
    const { price, validUntil } = offer;
    const terms = { price, floor, workSeconds, acceptWindowSeconds, maxRevisions, hirerFunded };
    const signed = { ...terms, workerWallet: signer, termsHash: task.termsHash };
    let nodePath: bigint | null = null;
    return {
      scope: 'worker',
      taskId: task.id,
      get nodeId() {
        return nodePath === null ? null : nodeIdOf(task.id, nodePath);
      },
      get nonce() {
        return nodePath === null ? 0n : nodeNonce(nodePath, 0);
      },
      escrowAddress,
      signer,
      ownMoney: 0n,
      validUntilSeconds: unixSeconds(validUntil),
      triedCalls: () => [],
      confirm: () =>
        Promise.resolve({
          typedData: (fields) => offerTypedData({ ...signed, nodePath: given(nodePath) }, target, fields),
          directCalls: () => [],
        }),
      reserve: async (manager) => {
        nodePath = await this.tasks.nextNodePath(manager, task.id, checked.parentNodePath);
      },
      record: async (manager, { id: actionId, expiresAt: signUntil }) => {
        const kept = { ...offer, nodePath: given(nodePath), agentId: agent.id, actionId, requestDigest, signUntil };
        await this.quotes.propose(manager, checked, kept);
      },
    };
  }
}

function given(nodePath: bigint | null): bigint {
  if (nodePath === null) throw new Error('A quote was encoded before its node had a place');
  return nodePath;
}

/** The path in the identifier of a node. @throws ApiError `not_found` when it is no identifier of the task's nodes. */
function pathOf(taskId: string, nodeId: string): bigint {
  const path = taskPath(taskId, nodeId);
  if (path === null) throw new ApiError('not_found', 'There is no such parent node.');
  return path;
}

function taskPath(taskId: string, nodeId: string): bigint | null {
  try {
    return nodePathOf(taskId, nodeId);
  } catch {
    // The request names no task at all; which error that is, is said where the task is read.
    return null;
  }
}
