import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ActionFields, checksumAddress, escrowTypedData, type TypedData } from '#libs/contracts';
import { isRootPath } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { buyerOf, type TaskDraft, TaskDrafts } from '../../tasks/task-drafts.js';
import { TaskStore } from '../../tasks/task-store.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, CheckedAction, NodePayment, PreparedKind, SoughtPayment } from '../action/prepared-kind.js';
import { storedBody } from '../action/stored-request.js';
import { messageOf, readBytes32 } from '../payload/typed-message.js';
import { CreateTaskBody, draftIn } from '../dto/create-task.body.js';

/**
 * rule: docs/decisions/interface.md#fields-and-ranges, smallest node amount; a task with less could never be funded.
 */
const SMALLEST_BUDGET = 1_000_000n;
/** Seconds from now to the end of offers. */
const SHORTEST_OFFERS = 3_600;
const LONGEST_OFFERS = 90 * 86_400;

/** What `prepareTaskCreation` takes beside the caller. */
export interface CreateTaskInput {
  readonly draft: TaskDraft;
}

/**
 * A buyer freezes the terms of a new task. Preparing makes the draft, and the signature alone opens the task: no call
 * takes it to the chain, where the first payment carries the hash of the terms.
 */
@Injectable()
export class CreateTask implements PreparedKind<CreateTaskInput> {
  readonly scopes = ['buyer'] as const;

  constructor(
    private readonly drafts: TaskDrafts,
    private readonly tasks: TaskStore,
    private readonly config: ChainConfig,
    private readonly clock: Clock,
  ) {}

  inputOf(request: OriginatingRequest): CreateTaskInput {
    return { draft: draftIn(storedBody(CreateTaskBody, request)) };
  }

  async check({ accountId, walletAddress }: ActionIntent, { draft }: CreateTaskInput): Promise<CheckedAction> {
    if (draft.budget < SMALLEST_BUDGET) throw new ApiError('invalid_body', 'budget is at least 1 USDC.');
    const buyer = buyerOf(accountId, walletAddress);
    if (draft.arbiterWallet === buyer.walletAddress) {
      throw new ApiError('invalid_body', 'arbiter is not the wallet of the buyer: nobody rules on their own money.');
    }
    const task = this.drafts.plan(buyer, draft);
    if (this.config.refusesArbiter(task.arbiterWallet, task.escrowAddress)) {
      throw new ApiError(
        'invalid_body',
        'arbiter is a contract of the escrow or a reserved address: it could not rule.',
      );
    }
    const offersUntil = this.offersUntil(task);
    const escrowAddress = checksumAddress(task.escrowAddress);
    const signer = checksumAddress(buyer.walletAddress);
    return {
      scope: 'buyer',
      taskId: task.id,
      nodeId: null,
      escrowAddress,
      // It is about no node, so no transition uses the nonce up; the buyer can cancel it.
      nonce: 0n,
      signer,
      ownMoney: 0n,
      validUntilSeconds: offersUntil,
      triedCalls: () => [],
      confirm: () => Promise.resolve({ typedData: (fields) => this.typedData(task, fields), directCalls: () => [] }),
      record: (manager, { expiresAt }) => this.drafts.propose(manager, Object.assign(task, { draftUntil: expiresAt })),
    };
  }

  signedCall(): Promise<null> {
    return Promise.resolve(null);
  }

  async onSigned(manager: EntityManager, { taskId }: PreparedActionEntity): Promise<void> {
    if (taskId === null) throw new TypeError('The action names no task');
    await this.tasks.markOpened(manager, taskId, this.clock.now());
  }

  /** The buyer has paid for work of its own hiring under the terms that it froze. */
  isPaidBy({ nodeId, termsHash }: NodePayment, { payload }: Pick<PreparedActionEntity, 'payload'>): boolean {
    return isRootPath(nodeId) && termsHash === readBytes32(messageOf(payload), 'termsHash');
  }

  soughtPayment({ payload }: Pick<PreparedActionEntity, 'payload'>): SoughtPayment {
    return { termsHash: readBytes32(messageOf(payload), 'termsHash') };
  }

  /** Always false: freezing the terms moves no money, so no state of the task makes it meaningless. */
  isSupersededBy(): boolean {
    return false;
  }

  /**
   * Unix seconds of the last moment for offers, which is also the last second of the signature.
   * @throws ApiError `invalid_body` when it is not an hour to 90 days from now.
   */
  private offersUntil({ offersUntil }: TaskEntity): number {
    const seconds = offersUntil.getTime() / 1000;
    const ahead = seconds - this.clock.nowSeconds();
    if (ahead >= SHORTEST_OFFERS && ahead <= LONGEST_OFFERS) return seconds;
    throw new ApiError('invalid_body', 'deadline is at least an hour and at most 90 days from now.');
  }

  private typedData(task: TaskEntity, fields: ActionFields): TypedData {
    const { escrowAddress, buyerWallet, arbiterWallet, budget, termsHash } = task;
    return escrowTypedData(
      'CreateTask',
      { chainId: this.config.chainId, escrowAddress },
      { buyer: buyerWallet, arbiter: arbiterWallet, token: this.config.usdcAddress, budget, termsHash, ...fields },
    );
  }
}
