import { Injectable } from '@nestjs/common';
import { newId, stripControls } from '#libs/kernel';
import { ChainConfig } from '../../platform/chain/chain-config.js';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import type { AccountEntity } from '../auth/accounts/account.entity.js';
import { type SelectionMode, TaskEntity, type TaskTier } from './task.entity.js';
import { TaskParties } from './task-parties.js';
import { TaskStore } from './task-store.js';
import { termsHash } from './task-terms.js';

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
/** Defaults of design/interface.md §2, in seconds. */
const DEFAULT_ACCEPT_WINDOW = 259_200;
const DEFAULT_DELIVERY_WINDOW = 604_800;

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
}

/** Makes drafts: a task exists for its buyer alone until the chain has its `CreateTask`. */
@Injectable()
export class TaskDrafts {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly chain: ChainConfig,
    private readonly store: TaskStore,
    private readonly parties: TaskParties,
  ) {}

  /** @throws ApiError `wallet_mismatch` when the account has no wallet that the escrow could commit to. */
  async create(buyer: AccountEntity, draft: TaskDraft): Promise<TaskEntity> {
    const { walletAddress } = buyer;
    if (walletAddress === null) {
      throw new ApiError('wallet_mismatch', 'The account has no wallet.', 'Link a wallet to the account first.');
    }
    const task = this.assemble(buyer.id, walletAddress, draft);
    await this.transactions.run(async (manager) => {
      await this.store.save(manager, task);
      await this.parties.admit(manager, task.id, buyer.id, 'buyer');
    });
    return task;
  }

  private assemble(buyerAccountId: string, buyerWallet: string, draft: TaskDraft): TaskEntity {
    const createdAt = this.clock.now();
    const id = newId('task', createdAt.getTime());
    const terms = {
      brief: stripControls(draft.brief),
      criteria: (draft.criteria ?? []).map(stripControls),
      budget: draft.budget,
      acceptWindowSeconds: draft.acceptWindowSeconds ?? DEFAULT_ACCEPT_WINDOW,
      deliveryWindowSeconds: draft.deliveryWindowSeconds ?? DEFAULT_DELIVERY_WINDOW,
      arbiterWallet: draft.arbiterWallet ?? ZERO_ADDRESS,
    };
    return Object.assign(new TaskEntity(), terms, {
      id,
      buyerAccountId,
      buyerWallet,
      title: draft.title === undefined ? null : stripControls(draft.title),
      selectionMode: draft.selectionMode,
      tier: draft.tier ?? 'public',
      status: 'draft' as const,
      selectedAgentId: null,
      termsHash: termsHash(terms),
      escrowAddress: this.chain.escrowAddressOf(buyerWallet, terms.arbiterWallet, id),
      nodeSequence: 0,
      createdAt,
    });
  }
}
