import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import type { AgentEntity } from '../agents/agent.entity.js';
import { AgentsService } from '../agents/agents.service.js';
import type { AccountEntity } from '../auth/accounts/account.entity.js';
import { TaskAccess } from '../tasks/task-access.js';
import type { TaskEntity } from '../tasks/task.entity.js';
import { type ParentNode, parentNode } from './parent-node.js';
import type { QuoteOffer } from './quote-offer.js';
import { unixSeconds } from './quote-typed-data.js';
import { offerTimesFault } from './quote.lifecycle.js';

/** The smallest node. rule: design/interface.md §2 */
const MIN_PRICE = 1_000_000n;
/** 48 hours and 90 days. rule: design/interface.md §2 */
const MIN_ACCEPT_WINDOW = 172_800;
const MAX_ACCEPT_WINDOW = 7_776_000;

/** Who hires, and under what limits. */
export interface Hirer {
  accountId: string;
  wallet: string;
  /** Null for a root node. */
  agentId: string | null;
}

/** An offer that may be made now. */
export interface CheckedOffer {
  task: TaskEntity;
  agent: AgentEntity;
  hirer: Hirer;
  parentNodeNumber: number;
  acceptWindowSeconds: number;
  hirerFunded: boolean;
}

/** Whether an account may make an offer now; nothing is written. */
@Injectable()
export class QuoteChecks {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly access: TaskAccess,
    private readonly agents: AgentsService,
  ) {}

  /**
   * Checks in the fixed order of design/interface.md §7: members, visibility, state.
   * @throws ApiError `invalid_body`, `not_found` (task, agent or parent node), `state_conflict`, `terms_mismatch`,
   * `wallet_mismatch`, `insufficient_unallocated`, `nesting_violation`, `node_not_funded`.
   */
  async check(account: Pick<AccountEntity, 'id'>, offer: QuoteOffer): Promise<CheckedOffer> {
    const parentNodeNumber = offer.parentNodeNumber ?? 0;
    const isRoot = parentNodeNumber === 0;
    const hirerFunded = offer.hirerFunded ?? isRoot;
    checkMembers(offer, this.clock.nowSeconds());
    if (isRoot && !hirerFunded) throw new ApiError('invalid_body', 'A root node is always paid for by its hirer.');
    const task = await this.access.find(account.id, offer.taskId);
    const agent = await this.agents.findOwned(account, offer.agentId);
    if (agent.status !== 'active') throw new ApiError('state_conflict', 'The agent is not active.');
    const acceptWindowSeconds = offer.acceptWindowSeconds ?? task.acceptWindowSeconds;
    checkTerms(offer, task, isRoot, acceptWindowSeconds);
    const hirer = isRoot ? buyerOf(task, offer) : await this.hirerUnder(task, parentNodeNumber, offer, hirerFunded);
    checkParties(task, agent, hirer);
    return { task, agent, hirer, parentNodeNumber, acceptWindowSeconds, hirerFunded };
  }

  private async hirerUnder(task: TaskEntity, number: number, offer: QuoteOffer, hirerFunded: boolean): Promise<Hirer> {
    const parent = await parentNode(this.transactions.manager, task.id, number);
    if (!parent) throw new ApiError('not_found', 'There is no such parent node.');
    if (parent.state !== 'funded') throw new ApiError('node_not_funded', 'The parent node is not funded.');
    checkNesting(parent, offer, hirerFunded);
    if (parent.workerAccountId === null) {
      throw new ApiError('state_conflict', 'The wallet that works on the parent node belongs to no account.');
    }
    return { accountId: parent.workerAccountId, wallet: parent.workerWallet, agentId: parent.workerAgentId };
  }
}

function checkMembers(offer: QuoteOffer, nowSeconds: number): void {
  const times = { deliverBy: unixSeconds(offer.deadline), validUntil: unixSeconds(offer.validUntil) };
  const fault = offerTimesFault(times, nowSeconds);
  if (fault !== null) throw new ApiError('invalid_body', fault);
  if (offer.price < MIN_PRICE) throw new ApiError('invalid_body', 'The price is at least 1.00 USDC.');
}

function checkTerms(offer: QuoteOffer, task: TaskEntity, isRoot: boolean, acceptWindow: number): void {
  if (offer.termsHash.toLowerCase() !== task.termsHash.toLowerCase()) {
    throw new ApiError(
      'terms_mismatch',
      "The terms hash is not that of the task's frozen terms.",
      'Read the task again and quote on its terms_hash.',
    );
  }
  if (isRoot && acceptWindow !== task.acceptWindowSeconds) {
    throw new ApiError('terms_mismatch', "The accept window of a root node is the task's.");
  }
  if (acceptWindow < MIN_ACCEPT_WINDOW || acceptWindow > MAX_ACCEPT_WINDOW) {
    throw new ApiError('invalid_body', 'accept_window_seconds lies between 172800 and 7776000.');
  }
}

function buyerOf(task: TaskEntity, { price }: QuoteOffer): Hirer {
  if (task.status !== 'open') throw new ApiError('state_conflict', 'The task is not open for quotes.');
  if (price > task.budget) throw new ApiError('state_conflict', "The price is above the task's budget.");
  return { accountId: task.buyerAccountId, wallet: task.buyerWallet, agentId: null };
}

function checkNesting(parent: ParentNode, { deadline, price }: QuoteOffer, hirerFunded: boolean): void {
  if (deadline > parent.deliveryDeadline) {
    throw new ApiError('nesting_violation', "The deadline is after the parent node's.");
  }
  if (!hirerFunded && price > parent.unallocated) {
    throw new ApiError('insufficient_unallocated', 'The parent node has not enough money that is not promised yet.');
  }
}

function checkParties(task: TaskEntity, agent: AgentEntity, hirer: Hirer): void {
  const { walletAddress, accountId } = agent;
  if (walletAddress === task.buyerWallet || walletAddress === hirer.wallet) {
    throw new ApiError('wallet_mismatch', 'A wallet cannot be hired by itself.', 'Quote with the wallet of an agent.');
  }
  if (accountId === task.buyerAccountId || accountId === hirer.accountId) {
    throw new ApiError('state_conflict', 'An account cannot hire its own agent.');
  }
}
