import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { actionIdHash, GIVEN_BACK_STATES, type TreeProjection } from '#libs/contracts';
import { DomainEvents } from '../../platform/events/domain-events.js';
import type { TreeChanged } from '../../platform/events/tree.events.js';
import { QuoteEntity, type QuoteStatus } from './quote.entity.js';
import { isUnsigned } from './quote.lifecycle.js';

type Offer = Pick<
  QuoteEntity,
  'status' | 'nodeNumber' | 'parentNodeNumber' | 'workerWallet' | 'actionId' | 'nonce' | 'signature'
>;
type Chain = Pick<TreeProjection, 'nodes' | 'consumedActions' | 'invalidatedNonces'>;

const NONCE_WORD_BITS = 8n;

/** What the chain says of the offers for a task. */
@Injectable()
export class QuoteProjection implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on('tree_changed', (manager, change) => this.apply(manager, change));
  }

  private async apply(manager: EntityManager, { taskId, projection }: TreeChanged): Promise<void> {
    const quotes = await manager.find(QuoteEntity, {
      where: { taskId },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    for (const quote of quotes) {
      const status = quoteStatusOnChain(quote, projection);
      if (status !== quote.status) await manager.update(QuoteEntity, { id: quote.id }, { status });
    }
  }
}

/**
 * The status that the chain gives an offer, in this order:
 *
 * | chain                                                                 | status      |
 * |-----------------------------------------------------------------------|-------------|
 * | its node was opened, with its worker                                   | `accepted`  |
 * | not signed yet                                                         | as it was   |
 * | the nonce of its signature was cancelled, or used for something else   | `withdrawn` |
 * | for a root node, while another root node is paid and not given back    | `declined`  |
 * | otherwise                                                              | `submitted` |
 *
 * So an offer that lost stands again (until it expires) when the task can be given away again, and one whose node a
 * reorganisation took away is what it was before.
 */
export function quoteStatusOnChain(quote: Offer, chain: Chain): QuoteStatus {
  if (isAccepted(quote, chain)) return 'accepted';
  if (quote.signature === null || isUnsigned(quote.status))
    return quote.status === 'accepted' ? 'pending_signature' : quote.status;
  if (isWithdrawn(quote, chain)) return 'withdrawn';
  if (hasLost(quote, chain)) return 'declined';
  return quote.status === 'expired' ? 'expired' : 'submitted';
}

function isAccepted({ nodeNumber, workerWallet }: Offer, { nodes }: Chain): boolean {
  return nodes.some(({ number, worker }) => number === nodeNumber && worker === workerWallet);
}

function isWithdrawn({ workerWallet, nonce, actionId }: Offer, { consumedActions, invalidatedNonces }: Chain): boolean {
  const bit = 1n << BigInt.asUintN(Number(NONCE_WORD_BITS), nonce);
  const isCancelled = invalidatedNonces.some(
    ({ signer, word, mask }) => signer === workerWallet && word === nonce >> NONCE_WORD_BITS && (mask & bit) !== 0n,
  );
  const own = actionIdHash(actionId);
  const isUsedUp = consumedActions.some(
    (action) => action.signer === workerWallet && action.nonce === nonce && action.actionIdHash !== own,
  );
  return isCancelled || isUsedUp;
}

function hasLost({ nodeNumber, parentNodeNumber }: Offer, { nodes }: Chain): boolean {
  if (parentNodeNumber !== 0) return false;
  return nodes.some(
    ({ number, parentNumber, fundedAt, state }) =>
      parentNumber === 0 && number !== nodeNumber && fundedAt !== null && !GIVEN_BACK_STATES.includes(state),
  );
}
