import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { GIVEN_BACK_STATES, NonceBitmapWord, type TreeProjection } from '#libs/contracts';
import { isRootPath } from '#libs/kernel';
import { runWithNext } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { DomainEvents } from '../events/domain-events.js';
import type { TreesChanged } from '../events/tree.events.js';
import { recordEvents } from '../events/log/record-events.sql.js';
import { LOCK_OFFERS, type Offer, type OfferRow, SET_STATUSES, toldQuote } from './quote-projection.sql.js';
import { quoteEvent } from './quote/quote-event.js';
import type { QuoteStatus } from './quote/quote.entity.js';
import { isUnsigned } from './quote/quote.lifecycle.js';

type Chain = Pick<TreeProjection, 'nodes' | 'invalidatedNonces'>;

/** Updates the status of offers by the facts of the chain, and records what has changed. */
@Injectable()
export class QuoteProjection implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on('trees_changed', (manager, change) => this.apply(manager, change));
  }

  private async apply(manager: EntityManager, { trees }: TreesChanged): Promise<void> {
    const chains = new Map(trees.map(({ taskId, projection }) => [taskId, indexed(projection)]));
    const rows = await manager.query<OfferRow[]>(LOCK_OFFERS, [[...chains.keys()]]);
    const changed = rows.flatMap((row) => {
      const quote = { ...row, ...toldQuote(row), nonce: BigInt(row.nonce) };
      const chain = chains.get(quote.taskId);
      const status = chain ? statusOf(quote, chain) : quote.status;
      return status === quote.status ? [] : [{ quote, status }];
    });
    if (changed.length === 0) return;
    await runWithNext(manager, { text: SET_STATUSES }, [
      changed.map(({ quote }) => quote.id),
      changed.map(({ status }) => status),
    ]);
    const now = this.clock.now();
    await recordEvents(
      manager,
      changed.map(({ quote, status }) => quoteEvent(quote, told(quote, quote.status), told(quote, status), now)),
    );
  }
}

/** The status that readers see: an offer whose expiry was told does not stand again. */
function told({ expiryTold }: Pick<OfferRow, 'expiryTold'>, status: QuoteStatus): QuoteStatus {
  return expiryTold && status === 'submitted' ? 'expired' : status;
}

/**
 * The status that the chain gives an offer, in this order:
 *
 * | chain                                                                  | status      |
 * |------------------------------------------------------------------------|-------------|
 * | the quoted node was funded with its worker                             | `accepted`  |
 * | not signed yet                                                         | as it was   |
 * | the nonce of its signature was cancelled                               | `withdrawn` |
 * | the quoted node was funded with another worker                         | `declined`  |
 * | for a root node, while another root node is paid and not given back    | `declined`  |
 * | otherwise                                                              | `submitted` |
 *
 * So a declined offer becomes `submitted` again (until it expires) when the task can be given to somebody else, and an
 * offer whose node a reorganisation removed gets its former status back.
 */
export function quoteStatusOnChain(quote: Offer, chain: Chain): QuoteStatus {
  return statusOf(quote, indexed(chain));
}

/** The chain's facts about offers, indexed so that the tree is not searched for each offer. */
interface IndexedChain {
  /** Worker's wallet by path of the node. */
  readonly workers: ReadonlyMap<bigint, string>;
  readonly hasPaidRoot: boolean;
  /** Bits of cancelled nonces by signer and word. */
  readonly cancelled: ReadonlyMap<string, bigint>;
}

function indexed({ nodes, invalidatedNonces }: Chain): IndexedChain {
  const cancelled = new Map<string, bigint>();
  for (const { signer, word, mask } of invalidatedNonces) {
    const key = `${signer} ${word}`;
    cancelled.set(key, (cancelled.get(key) ?? 0n) | mask);
  }
  return {
    workers: new Map(nodes.map(({ path, worker }) => [path, worker])),
    hasPaidRoot: nodes.some(({ path, state }) => isRootPath(path) && !GIVEN_BACK_STATES.includes(state)),
    cancelled,
  };
}

function statusOf(quote: Offer, chain: IndexedChain): QuoteStatus {
  const worker = chain.workers.get(quote.nodePath);
  if (worker === quote.workerWallet) return 'accepted';
  if (quote.signature === null || isUnsigned(quote.status))
    return quote.status === 'accepted' ? 'pending_signature' : quote.status;
  if (isCancelled(quote, chain)) return 'withdrawn';
  if (worker !== undefined || (isRootPath(quote.nodePath) && chain.hasPaidRoot)) return 'declined';
  return quote.status === 'expired' ? 'expired' : 'submitted';
}

function isCancelled({ workerWallet, nonce }: Offer, { cancelled }: IndexedChain): boolean {
  const word = NonceBitmapWord.indexOf(nonce);
  return new NonceBitmapWord(word, cancelled.get(`${workerWallet} ${word}`) ?? 0n).isUsed(nonce);
}
