import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MIN_WORK_SECONDS } from '#libs/contracts';
import { MAX_LEVELS, parentPath } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { wantedLater } from '../../../platform/database/reads/wanted-later.js';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import type { AgentEntity } from '../../agents/agent/agent.entity.js';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { takesOffers } from '../../tasks/task/task.lifecycle.js';
import { type Ancestor, AncestorReader, type AncestorReads, closedBacker } from './ancestors.js';
import { checkIndependence, holdsArbiter } from './hiring-independence.js';
import { COUNT_OFFERS } from './offer-checks.sql.js';
import { DEFAULT_REVISIONS, MAX_REVISIONS, type OfferTerms } from '../quote/quote-offer.js';
import { unixSeconds } from '../quote/quote-typed-data.js';
import type { QuoteEntity } from '../quote/quote.entity.js';
import { MAX_WORK_SECONDS, offerTimesFault } from '../quote/quote-validity.js';
import { type QuotingAccount, QuotingAgent } from './quoting-agent.js';

/** Least price of a node, base units. rule: docs/decisions/interface.md#fields-and-ranges */
const MIN_PRICE = 1_000_000n;
/** Range of accept windows in seconds: 48 hours to 90 days. rule: docs/decisions/interface.md#fields-and-ranges */
const MIN_ACCEPT_WINDOW = 172_800;
const MAX_ACCEPT_WINDOW = 7_776_000;

/** Most offers of one agent for one task that are valid or wait for a signature. (policy) */
const MAX_OFFERS = 25;
/** Time that whoever hires below a node must have to take an offer up, or the offer would stand and be good for nothing. (policy) */
const TIME_TO_PAY_SECONDS = 600;
/** Longest time for which an offer can wait for its signature, whatever ACTION_TTL_SECONDS is. */
const SIGNING_TIME_MS = 3_600_000;
/** The account and wallet that hire. */
export interface Hirer {
  accountId: string;
  wallet: string;
  /** Null for a root node. */
  agentId: string | null;
}

/** An offer that has passed all checks. */
export interface CheckedOffer {
  task: TaskEntity;
  agent: AgentEntity;
  hirer: Hirer;
  /** 0 for a root node. */
  parentNodePath: bigint;
  /** Base units. */
  floor: bigint;
  workSeconds: number;
  acceptWindowSeconds: number;
  maxRevisions: number;
  hirerFunded: boolean;
}

/** How many offers that count an agent has for the task. */
interface AgentOffers {
  readonly agent_id: string;
  readonly offers: number;
}

/** What is read to check an offer. */
interface OfferReads {
  readonly task: Promise<TaskEntity>;
  readonly agent: Promise<AgentEntity>;
  /** The nodes above; empty for a root node, and when there is no such parent. */
  readonly line: Promise<readonly Ancestor[]>;
  readonly isArbiter: Promise<boolean>;
  readonly counts: Promise<readonly AgentOffers[]>;
}

/** Checks whether an account may make an offer now; writes nothing. */
@Injectable()
export class QuoteChecks {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly access: TaskAccess,
    private readonly agents: QuotingAgent,
    private readonly ancestors: AncestorReader,
    private readonly config: ChainConfig,
  ) {}

  /**
   * Checks in the fixed order of docs/decisions/interface.md#order-of-checks: members, visibility (task, agent, parent
   * node), state.
   * @throws ApiError `invalid_body`, `not_found` (task, agent or parent node), `state_conflict`, `terms_mismatch`,
   * `wallet_mismatch`, `insufficient_unallocated`, `nesting_violation`, `node_not_funded`.
   */
  async check(account: QuotingAccount, offer: OfferTerms): Promise<CheckedOffer> {
    const { parentNodePath = 0n, maxRevisions = DEFAULT_REVISIONS, floor = offer.price / 2n } = offer;
    const isRoot = parentNodePath === 0n;
    const hirerFunded = offer.hirerFunded ?? isRoot;
    checkMembers({ ...offer, floor, maxRevisions }, isRoot, this.clock.nowSeconds());
    if (isRoot && !hirerFunded) throw new ApiError('invalid_body', 'A root node is always paid for by its hirer.');
    const read = this.readFor(account, offer, parentNodePath);
    const task = await read.task;
    const agent = await read.agent;
    const line = await read.line;
    const [parent] = line;
    if (!isRoot && parent === undefined) throw new ApiError('not_found', 'There is no such parent node.');
    const acceptWindowSeconds = offer.acceptWindowSeconds ?? task.acceptWindowSeconds;
    const workSeconds = offer.workSeconds ?? this.usualWork(task, parent);
    checkTerms(offer, task, isRoot, acceptWindowSeconds);
    if (parent === undefined) this.checkOpen(task, offer);
    else this.checkUnder(line, parent, { price: offer.price, workSeconds, hirerFunded });
    this.checkPayable(agent, task);
    await checkIndependence(task, agent, line, read.isArbiter);
    checkCount(agent, await read.counts);
    const hirer = parent === undefined ? buyerOf(task) : hirerOf(parent);
    const terms = { floor, workSeconds, acceptWindowSeconds, maxRevisions, hirerFunded };
    return { task, agent, hirer, parentNodePath, ...terms };
  }

  /**
   * Checks that an earlier checked offer may still be signed: its task still takes offers, or its parent node is still
   * funded.
   * @param task the task's row, locked so that nothing is funded meanwhile.
   * @throws ApiError `quote_expired`, `state_conflict`, `node_not_funded`.
   */
  async checkStillWanted(manager: EntityManager, task: TaskEntity, quote: QuoteEntity): Promise<void> {
    if (this.clock.nowMs() > quote.validUntil.getTime()) {
      throw new ApiError('quote_expired', 'The offer has expired.', 'Make a new quote.');
    }
    const parentNodePath = parentPath(quote.nodePath);
    if (parentNodePath === 0n) {
      this.checkOpen(task, quote);
      return;
    }
    const read: AncestorReads = (statement, values) => runPrepared(manager, statement, values);
    const line = await this.ancestors.ancestorsFrom(read, task.id, parentNodePath, this.clock.thisSecond());
    this.checkAlive(line);
  }

  /**
   * Reads what the checks look at, all at once: none of it depends on what another part says. `task` must be awaited first,
   * because whoever may not see it learns nothing of the rest.
   */
  private readFor(account: QuotingAccount, { taskId, agentId }: OfferTerms, parentNodePath: bigint): OfferReads {
    const { transactions } = this;
    const read: AncestorReads = (statement, values) => transactions.lookUp(statement, values);
    const second = this.clock.thisSecond();
    const now = this.clock.now();
    const counted = [taskId, account.id, now, new Date(now.getTime() - SIGNING_TIME_MS)];
    const task = wantedLater(this.access.find(account.id, taskId));
    return {
      task,
      agent: wantedLater(this.agents.find(account, agentId, task)),
      line: wantedLater(
        parentNodePath === 0n
          ? Promise.resolve([])
          : this.ancestors.ancestorsFrom(read, taskId, parentNodePath, second),
      ),
      isArbiter: wantedLater(holdsArbiter(transactions, account.id, taskId)),
      counts: wantedLater(transactions.lookUp<AgentOffers>(COUNT_OFFERS, counted)),
    };
  }

  private checkOpen(task: TaskEntity, { price }: Pick<OfferTerms, 'price'>): void {
    if (!takesOffers(task, this.clock.nowMs())) {
      throw new ApiError('state_conflict', 'The task is not open for quotes.', 'Read the task again.');
    }
    if (price > task.budget) throw new ApiError('state_conflict', "The price is above the task's budget.");
  }

  /** The time to work of an offer that names none: the task's, but below a node no more than fits there. */
  private usualWork({ deliveryWindowSeconds }: TaskEntity, parent: Ancestor | undefined): number {
    if (parent === undefined) return deliveryWindowSeconds;
    return Math.max(MIN_WORK_SECONDS, Math.min(deliveryWindowSeconds, this.timeUnder(parent)));
  }

  /** Seconds of work that fit below a node, when the work is paid for as late as `TIME_TO_PAY_SECONDS` from now. */
  private timeUnder({ deliveryDeadline }: Ancestor): number {
    return unixSeconds(deliveryDeadline) - TIME_TO_PAY_SECONDS - this.clock.nowSeconds();
  }

  private checkUnder(
    line: readonly Ancestor[],
    parent: Ancestor,
    { price, workSeconds, hirerFunded }: Pick<CheckedOffer, 'workSeconds' | 'hirerFunded'> & { price: bigint },
  ): void {
    this.checkAlive(line);
    if (line.length >= MAX_LEVELS) {
      throw new ApiError('nesting_violation', `The tree is ${MAX_LEVELS} levels deep; nobody is hired below that.`);
    }
    if (workSeconds > this.timeUnder(parent)) {
      throw new ApiError(
        'nesting_violation',
        "The time to work, counted from a payment in ten minutes, ends after the parent node's deadline.",
        'Name a shorter work_seconds or an earlier deadline.',
      );
    }
    if (!hirerFunded && price > parent.unallocated) {
      throw new ApiError('insufficient_unallocated', "The price is above what is left of the parent node's floor.");
    }
  }

  /** Money for a contract of the escrow would be lost, so the contract refuses it as a worker. */
  private checkPayable({ walletAddress }: AgentEntity, { escrowAddress }: TaskEntity): void {
    if (walletAddress !== escrowAddress && walletAddress !== this.config.factoryAddress) return;
    throw new ApiError('wallet_mismatch', "The agent's wallet is a contract of the escrow: it cannot work.");
  }

  private checkAlive(line: readonly Ancestor[]): void {
    if (line[0]?.state !== 'funded') throw new ApiError('node_not_funded', 'The parent node is not funded.');
    if (closedBacker(line) !== undefined) {
      throw new ApiError('state_conflict', 'A node above has been refunded: nobody can be hired under it any more.');
    }
  }
}

function checkMembers(
  offer: OfferTerms & Pick<CheckedOffer, 'floor' | 'maxRevisions'>,
  isRoot: boolean,
  nowSeconds: number,
): void {
  // The task's own delivery window, which stands in for an absent time, is in range for every node.
  const { workSeconds = MAX_WORK_SECONDS, validUntil, price, floor, maxRevisions } = offer;
  const fault = offerTimesFault({ workSeconds, validUntil: unixSeconds(validUntil), isRoot }, nowSeconds);
  if (fault !== null) throw new ApiError('invalid_body', fault);
  if (price < MIN_PRICE) throw new ApiError('invalid_body', 'The price is at least 1.00 USDC.');
  if (floor < 0n || floor > price) throw new ApiError('invalid_body', 'The floor is at most the price.');
  if (!Number.isInteger(maxRevisions) || maxRevisions < 0 || maxRevisions > MAX_REVISIONS) {
    throw new ApiError('invalid_body', `max_revisions lies between 0 and ${MAX_REVISIONS}.`);
  }
  const { acceptWindowSeconds } = offer;
  if (acceptWindowSeconds === undefined) return;
  if (acceptWindowSeconds < MIN_ACCEPT_WINDOW || acceptWindowSeconds > MAX_ACCEPT_WINDOW) {
    throw new ApiError('invalid_body', 'accept_window_seconds lies between 172800 and 7776000.');
  }
}

/** Limits the number of offers, because each is checked again at every block with an event of its task. */
function checkCount({ id }: AgentEntity, counts: readonly AgentOffers[]): void {
  const offers = counts.find(({ agent_id: agentId }) => agentId === id)?.offers ?? 0;
  if (offers < MAX_OFFERS) return;
  throw new ApiError(
    'state_conflict',
    `The agent has ${MAX_OFFERS} offers for this task already.`,
    'Wait until one has expired, or cancel the nonce of one on the chain.',
  );
}

function checkTerms(offer: OfferTerms, task: TaskEntity, isRoot: boolean, acceptWindow: number): void {
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
}

function buyerOf({ buyerAccountId: accountId, buyerWallet: wallet }: TaskEntity): Hirer {
  return { accountId, wallet, agentId: null };
}

function hirerOf({ workerAccountId: accountId, workerWallet: wallet, workerAgentId: agentId }: Ancestor): Hirer {
  if (accountId === null) {
    throw new ApiError('state_conflict', 'The wallet that works on the parent node belongs to no account.');
  }
  return { accountId, wallet, agentId };
}
