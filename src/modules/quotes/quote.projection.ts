import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { actionIdHash, GIVEN_BACK_STATES, type TreeProjection } from '#libs/contracts';
import { runWithNext } from '../../platform/database/transactions.js';
import { DomainEvents } from '../events/domain-events.js';
import type { TreesChanged } from '../events/tree.events.js';
import { LOCK_OFFERS, type Offer, type OfferRow, SET_STATUSES } from './quote-projection.sql.js';
import type { QuoteStatus } from './quote/quote.entity.js';
import { isUnsigned } from './quote/quote.lifecycle.js';

type Chain = Pick<TreeProjection, 'nodes' | 'consumedActions' | 'invalidatedNonces'>;

const NONCE_WORD_BITS = 8n;

/** Updates the status of offers by the facts of the chain. */
@Injectable()
export class QuoteProjection implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on('trees_changed', (manager, change) => this.apply(manager, change));
  }

  private async apply(manager: EntityManager, { trees }: TreesChanged): Promise<void> {
    const chains = new Map(trees.map(({ taskId, projection }) => [taskId, indexed(projection)]));
    const rows = await manager.query<OfferRow[]>(LOCK_OFFERS, [[...chains.keys()]]);
    const quotes = rows.map((row) => ({ ...row, nonce: BigInt(row.nonce) }));
    const changed = quotes.flatMap((quote) => {
      const chain = chains.get(quote.taskId);
      const status = chain ? statusOf(quote, chain) : quote.status;
      return status === quote.status ? [] : [{ id: quote.id, status }];
    });
    if (changed.length === 0) return;
    await runWithNext(manager, { text: SET_STATUSES }, [
      changed.map(({ id }) => id),
      changed.map(({ status }) => status),
    ]);
  }
}

/**
 * The status that the chain gives an offer, in this order:
 *
 * | chain                                                                 | status      |
 * |-----------------------------------------------------------------------|-------------|
 * | the quoted node was opened with its worker | `accepted` |
 * | not signed yet                                                         | as it was   |
 * | the nonce of its signature was cancelled, or used for something else   | `withdrawn` |
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
  /** Worker's wallet by node number. */
  readonly workers: ReadonlyMap<number, string>;
  /** Numbers of the root nodes that are paid and not given back. */
  readonly paidRoots: ReadonlySet<number>;
  /** Bits of cancelled nonces by signer and word. `used`: hash of the action by signer and nonce. */
  readonly cancelled: ReadonlyMap<string, bigint>;
  readonly used: ReadonlyMap<string, string>;
}

function indexed({ nodes, consumedActions, invalidatedNonces }: Chain): IndexedChain {
  const paid = nodes.filter(
    ({ parentNumber, fundedAt, state }) =>
      parentNumber === 0 && fundedAt !== null && !GIVEN_BACK_STATES.includes(state),
  );
  const cancelled = new Map<string, bigint>();
  for (const { signer, word, mask } of invalidatedNonces) {
    const key = `${signer} ${word}`;
    cancelled.set(key, (cancelled.get(key) ?? 0n) | mask);
  }
  return {
    workers: new Map(nodes.map(({ number, worker }) => [number, worker])),
    paidRoots: new Set(paid.map(({ number }) => number)),
    cancelled,
    used: new Map(consumedActions.map(({ signer, nonce, actionIdHash: hash }) => [`${signer} ${nonce}`, hash])),
  };
}

function statusOf(quote: Offer, chain: IndexedChain): QuoteStatus {
  if (chain.workers.get(quote.nodeNumber) === quote.workerWallet) return 'accepted';
  if (quote.signature === null || isUnsigned(quote.status))
    return quote.status === 'accepted' ? 'pending_signature' : quote.status;
  if (isWithdrawn(quote, chain)) return 'withdrawn';
  if (hasLost(quote, chain)) return 'declined';
  return quote.status === 'expired' ? 'expired' : 'submitted';
}

function isWithdrawn({ workerWallet, nonce, actionId }: Offer, { cancelled, used }: IndexedChain): boolean {
  const bit = 1n << BigInt.asUintN(Number(NONCE_WORD_BITS), nonce);
  if (((cancelled.get(`${workerWallet} ${nonce >> NONCE_WORD_BITS}`) ?? 0n) & bit) !== 0n) return true;
  // The contract accepts a nonce once, so another action has used this one.
  const user = used.get(`${workerWallet} ${nonce}`);
  return user !== undefined && user !== actionIdHash(actionId);
}

function hasLost({ nodeNumber, parentNodeNumber }: Offer, { paidRoots }: IndexedChain): boolean {
  return parentNodeNumber === 0 && paidRoots.size > (paidRoots.has(nodeNumber) ? 1 : 0);
}
