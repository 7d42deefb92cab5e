import { Injectable } from '@nestjs/common';
import { NodeState, type StoredNode } from '#libs/contracts';
import { formatUsdc, type Hex, parentPath } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { agentSuspended } from '../../agents/agent-reader.js';
import { WorkedNodes } from '../../earnings/worked-nodes/worked-nodes.js';
import type { AccessibleNode } from '../../escrow/node/node-access.js';
import type { Offer } from '../../quotes/acceptance/offers.sql.js';
import { QuoteAcceptance } from '../../quotes/acceptance/quote-acceptance.js';
import { unixSeconds } from '../../quotes/quote/quote-typed-data.js';
import type { QuoteEntity } from '../../quotes/quote/quote.entity.js';
import { isUnsigned, quoteStatusAt } from '../../quotes/quote/quote.lifecycle.js';
import { TIME_TO_SIGN_SECONDS } from '../action/prepared-kind.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { FINALIZE_OTHERS, MOST_WRITTEN, PendingFinalizations } from '../money/pending-finalizations.js';

/** What the chain's latest state says of taking up a quote. */
export interface TakeUp {
  /** The last second at which the quote can be taken up: its own, or that from which its work still fits. */
  readonly latestSeconds: number;
  /** Nodes under the hiring one that must be finalized first, because the price needs the money that they have sent back. */
  readonly unwritten: readonly bigint[];
}

/** Which quote a node's worker may take to hire under the node. */
@Injectable()
export class SubcontractQuotes {
  constructor(
    private readonly offers: QuoteAcceptance,
    private readonly worked: WorkedNodes,
    private readonly ends: PendingFinalizations,
    private readonly chain: ChainClient,
    private readonly clock: Clock,
  ) {}

  /** The signed quote that an action takes. @throws ApiError `state_conflict` when it is gone, or its agent suspended. */
  async takenBy({ details }: PreparedActionEntity): Promise<QuoteEntity> {
    const offer = await this.offers.find(String(details['quote_id']));
    if (offer?.isSuspended === true) throw agentSuspended();
    if (offer && offer.quote.signature !== null) return offer.quote;
    throw new ApiError('state_conflict', 'The quote that was to be taken is gone.', 'Take another quote.');
  }

  /** The quote as the hirer may see it: signed, and for a node of this task. @throws ApiError `not_found`. */
  async shownTo(accountId: string, taskId: string, quoteId: string): Promise<Offer> {
    const offer = await this.offers.find(quoteId);
    const isOfHirer = offer?.quote.taskId === taskId && offer.quote.payerAccountId === accountId;
    if (isOfHirer && !isUnsigned(offer.quote.status)) return offer;
    throw new ApiError('not_found', 'There is no such quote for this task.');
  }

  /**
   * Refuses a quote that cannot be taken for the node, by what is stored.
   * @throws ApiError `state_conflict`, `quote_expired`, `terms_mismatch`.
   */
  refuseUnusable(
    { quote, isSuspended }: Offer,
    node: AccessibleNode,
    asked: { acceptWindowSeconds: number; termsHash: string },
  ): void {
    this.refuseOver(quote, node, asked);
    if (isSuspended) throw agentSuspended();
  }

  private refuseOver(
    quote: QuoteEntity,
    node: AccessibleNode,
    asked: { acceptWindowSeconds: number; termsHash: string },
  ): void {
    if (parentPath(quote.nodePath) !== node.path) {
      throw new ApiError('state_conflict', 'The quote is for another node.', 'Take a quote for a node under this one.');
    }
    const status = quoteStatusAt(quote.status, unixSeconds(quote.validUntil), this.clock.nowSeconds());
    if (status === 'expired') throw new ApiError('quote_expired', 'The quote no longer stands.', ANOTHER_QUOTE);
    if (status !== 'submitted' || quote.signature === null) {
      throw new ApiError('state_conflict', `The quote is ${status}; only a submitted one can be taken.`, ANOTHER_QUOTE);
    }
    if (quote.acceptWindowSeconds !== asked.acceptWindowSeconds) {
      throw new ApiError(
        'terms_mismatch',
        'The quote was signed for another accept window.',
        `Ask with accept_window_seconds ${quote.acceptWindowSeconds}, or for a new quote.`,
      );
    }
    if (quote.termsHash.toLowerCase() !== asked.termsHash.toLowerCase()) {
      throw new ApiError('terms_mismatch', "The quote was signed for other terms than the task's.", ANOTHER_QUOTE);
    }
  }

  /**
   * Refuses by the chain's latest state of parent and child; rules about the whole tree are left to the tried call.
   * @param nodeId of the hiring node.
   * @throws ApiError `node_not_funded`, `wallet_mismatch`, `state_conflict`, `window_closed`, `nesting_violation`,
   * `insufficient_unallocated`; ChainUnavailableError.
   */
  async refuseByChain(escrow: Hex, nodeId: string, node: AccessibleNode, quote: QuoteEntity): Promise<TakeUp> {
    const [parent, child] = await Promise.all([
      this.chain.nodeAt(escrow, node.path),
      this.chain.nodeAt(escrow, quote.nodePath),
    ]);
    if (parent?.state !== NodeState.Funded) {
      throw notFunded('The node is no longer funded on the chain; the index has not caught up yet.');
    }
    if (parent.worker !== node.workerWallet) {
      throw new ApiError('wallet_mismatch', 'The wallet known for this node is not the one the chain would accept.');
    }
    if (child !== null) {
      throw new ApiError('state_conflict', 'The quote has been taken up already.', 'Read the nodes of the task again.');
    }
    this.refuseUnfitting(parent, quote);
    const unwritten = await this.unwrittenFor(escrow, nodeId, parent, quote);
    const latestSeconds = Math.min(unixSeconds(quote.validUntil), parent.deliverBy - quote.workSeconds);
    return { latestSeconds, unwritten };
  }

  private refuseUnfitting({ deliverBy }: StoredNode, quote: QuoteEntity): void {
    const now = this.clock.nowSeconds();
    if (now >= deliverBy) {
      throw new ApiError('window_closed', "The node's time to deliver is over; nobody can be hired under it any more.");
    }
    if (now + TIME_TO_SIGN_SECONDS + quote.workSeconds > deliverBy) {
      throw new ApiError('nesting_violation', "The quote's time to work ends after the node's own.", ANOTHER_QUOTE);
    }
  }

  /**
   * The fewest subcontracts that must be finalized before the node may promise the price: time has sent their money back,
   * but the contract counts it as promised until then.
   */
  private async unwrittenFor(
    escrow: Hex,
    nodeId: string,
    { floor, allocated }: StoredNode,
    { hirerFunded, price, taskId }: QuoteEntity,
  ): Promise<readonly bigint[]> {
    const written = floor - allocated;
    if (hirerFunded || price <= written) return [];
    const below = price > floor || allocated === 0n ? [] : await this.worked.returnsTo({ id: nodeId, taskId });
    const { paths, amount } = await this.ends.returnsOf(escrow, below, price - written);
    const unallocated = written + amount;
    if (price <= unallocated) return paths;
    throw new ApiError(
      'insufficient_unallocated',
      `Of the node's floor ${formatUsdc(unallocated)} USDC are not promised to others, which is less than the price.`,
      below.length > MOST_WRITTEN ? FINALIZE_SOME : ANOTHER_PRICE,
    );
  }
}

const ANOTHER_PRICE =
  'Take a quote with a lower price or one that you pay from your wallet; subcontracts that end without pay free their part.';
const FINALIZE_SOME = `One call finalizes at most ${MOST_WRITTEN} subcontracts. ${FINALIZE_OTHERS}`;
const ANOTHER_QUOTE = 'Take another quote, or ask for a new one.';

/** The refusal of a node that cannot hire, because no money is in it. */
export function notFunded(reason: string): ApiError {
  return new ApiError('node_not_funded', reason, 'Read the node again; its state says what can be done now.');
}
