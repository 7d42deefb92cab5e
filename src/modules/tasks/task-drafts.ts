import { Injectable } from '@nestjs/common';
import { newId } from '#libs/kernel';
import type { EntityManager } from 'typeorm';
import { ChainConfig } from '../../platform/chain/chain-config.js';
import { Environment } from '../../platform/config/environment.js';
import { runPrepared, runTogether, Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { holdQuota } from '../../platform/quotas/account-quota.js';
import { Clock } from '../../platform/time/clock.js';
import type { AccountEntity } from '../accounts/account.entity.js';
import { type SelectionMode, TaskEntity, type TaskTier } from './task/task.entity.js';
import { TaskParties } from './visibility/task-parties.js';
import { TaskStore } from './task-store.js';
import { TASK_DEFAULTS } from './task/task-defaults.js';
import { COUNT_UNPAID } from './task/task-quota.sql.js';
import { termsHash } from './task/task-terms.js';

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

export interface TaskDraft {
  brief: string;
  /** Base units, greater than zero. */
  budget: bigint;
  selectionMode: SelectionMode;
  title?: string;
  criteria?: readonly string[];
  /** 172,800 (48 h) to 7,776,000 (90 d) seconds. */
  acceptWindowSeconds?: number;
  /** 86,400 (24 h) to 31,536,000 (365 d) seconds. */
  deliveryWindowSeconds?: number;
  tier?: TaskTier;
  /** EIP-55; absent for a tree without an arbiter. */
  arbiterWallet?: string;
  /** Last moment for offers; rounded down to whole seconds. */
  offersUntil?: Date;
}

/** The account that pays, and the wallet that the escrow address is computed from (EIP-55). */
export interface Buyer {
  readonly accountId: string;
  readonly walletAddress: string;
}

/** Creates drafts. Only the buyer sees a task until `CreateTask` is signed. */
@Injectable()
export class TaskDrafts {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly chain: ChainConfig,
    private readonly store: TaskStore,
    private readonly parties: TaskParties,
    private readonly environment: Environment,
  ) {}

  /**
   * Creates a draft without a prepared `create_task` action, for callers that publish it themselves (the local market).
   * @throws ApiError `wallet_mismatch` when the account has no wallet.
   */
  async create({ id, walletAddress }: AccountEntity, draft: TaskDraft): Promise<TaskEntity> {
    const task = this.plan(buyerOf(id, walletAddress), draft);
    await this.transactions.run((manager) => this.write(manager, task));
    return task;
  }

  /** Builds the draft with its frozen terms, id and escrow address. Writes nothing. */
  plan({ accountId, walletAddress }: Buyer, draft: TaskDraft): TaskEntity {
    const createdAt = this.clock.now();
    const id = newId('task', createdAt.getTime());
    const terms = {
      brief: draft.brief,
      criteria: [...(draft.criteria ?? [])],
      budget: draft.budget,
      acceptWindowSeconds: draft.acceptWindowSeconds ?? TASK_DEFAULTS.acceptWindowSeconds,
      deliveryWindowSeconds: draft.deliveryWindowSeconds ?? TASK_DEFAULTS.deliveryWindowSeconds,
      arbiterWallet: draft.arbiterWallet ?? ZERO_ADDRESS,
    };
    return Object.assign(new TaskEntity(), terms, UNTOUCHED, {
      id,
      buyerAccountId: accountId,
      buyerWallet: walletAddress,
      title: draft.title ?? null,
      selectionMode: draft.selectionMode,
      tier: draft.tier ?? TASK_DEFAULTS.tier,
      termsHash: termsHash(terms),
      escrowAddress: this.chain.escrowAddressOf(walletAddress, terms.arbiterWallet, id),
      offersUntil: draft.offersUntil ? wholeSecond(draft.offersUntil.getTime()) : offersFrom(createdAt),
      fundedRoots: [],
      createdAt,
    });
  }

  /**
   * Checks the buyer's quota and writes the draft, in the caller's transaction.
   * @throws ApiError `quota_exceeded` when the buyer has too many unpaid tasks.
   */
  async propose(manager: EntityManager, task: TaskEntity): Promise<void> {
    const accountId = task.buyerAccountId;
    await holdQuota(manager, {
      accountId,
      name: 'tasks',
      limit: this.environment.quotaTasks,
      adding: 1,
      unit: 'tasks that nobody has paid for',
      frees:
        'Fund one of them. A draft that nobody signs is deleted a day after its deadline, a task that nobody paid for 30 ' +
        'days after.',
      used: async () => unpaidIn(await runPrepared(manager, COUNT_UNPAID, [accountId])),
      lockedUse: async (lock) => {
        const [, counted = []] = await runTogether(manager, [lock, { ...COUNT_UNPAID, values: [accountId] }]);
        return unpaidIn(counted);
      },
    });
    await this.write(manager, task);
  }

  /** Writes a planned draft and lets its buyer see it, in the caller's transaction. */
  async write(manager: EntityManager, task: TaskEntity): Promise<void> {
    await this.store.insert(manager, this.store.settle(task));
    await this.parties.admitWithNext(manager, task.id, task.buyerAccountId, 'buyer');
  }
}

/** Values of a new draft for the columns that later events set. */
const UNTOUCHED = {
  nodeSequence: 0,
  draftUntil: null,
  openedAt: null,
  chainStatus: null,
  chainAgentId: null,
  refundable: 0n,
  selectedQuoteId: null,
  selectionActionId: null,
  selectionAgentId: null,
  selectionNodePath: null,
  selectionUntil: null,
  fundingNodePath: null,
  fundingUntil: null,
  hiddenAt: null,
};

/** The number in the rows of `COUNT_UNPAID`. */
function unpaidIn(rows: readonly object[]): number {
  const [row] = rows as readonly { unpaid: number }[];
  return row?.unpaid ?? 0;
}

/**
 * The account as a buyer.
 * @throws ApiError `wallet_mismatch` when it has no wallet.
 */
export function buyerOf(accountId: string, walletAddress: string | null): Buyer {
  if (walletAddress !== null) return { accountId, walletAddress };
  throw new ApiError('wallet_mismatch', 'The account has no wallet.', 'Link a wallet to the account first.');
}

function offersFrom(createdAt: Date): Date {
  return wholeSecond(createdAt.getTime() + TASK_DEFAULTS.offersSeconds * 1000);
}

/** The chain counts whole seconds, and the stored time must equal the signed one. */
function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000);
}
