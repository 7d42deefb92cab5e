import { createHmac } from 'node:crypto';
import { type AnchorCandidate, dealCohorts } from '../../../modules/reputation/trust/cohorts.js';
import { independenceOf } from '../../../modules/reputation/trust/independence.js';
import { moneyGraphOf } from '../../../modules/reputation/trust/money-graph.js';
import { Payments } from '../../../modules/reputation/trust/payments.js';
import {
  evidenceOfBuyer,
  reputationOf,
  type Settlement,
  type WorkForBuyer,
} from '../../../modules/reputation/score/score.js';
import type { Rating } from './alpha-ratings.js';
import type { History, Predictor } from './reputation-predictor.js';

const ANCHORS = 20;
const USDC = 1_000_000n;

/** How a rating is read as a payment, because the network has no amounts. */
export interface RatingReading {
  name: string;
  /** Amount of a good rating in USDC. */
  worth: (rating: Rating) => bigint;
  /** Whether a rating in the other direction counts as money paid back. */
  netted: boolean;
}

/** Settings of one replay of the production code. */
export interface ReplayVariant {
  name: string;
  /** False: a market without verified buyers. */
  anchored: boolean;
  reading: RatingReading;
}

/** The production reputation (score.ts with the independence of trust/), refreshed as the trust run would. */
export class ShippedReputation implements Predictor {
  readonly name: string;
  private readonly histories = new Map<number, Map<number, Settlement[]>>();
  private readonly evidence = new Map<number, Map<number, WorkForBuyer>>();
  private readonly payments = new Payments();
  private readonly anchors: AnchorCandidate[];
  /** By buyer; null for a buyer that no refresh has seen yet. */
  private independence: (number | null)[];

  constructor(
    private readonly history: History,
    private readonly variant: ReplayVariant,
  ) {
    this.name = variant.name;
    this.independence = Array.from({ length: history.members }, () => null);
    this.anchors = mostActive(history.burnIn, ANCHORS).map((principal) => ({ principal, key: keyOf(principal) }));
  }

  predict(ratee: number, timeMs: number): number {
    const buyers = [...(this.evidence.get(ratee) ?? [])].map(([buyer, work]) => ({
      ...work,
      independence: this.independence[buyer] ?? null,
      netValue: this.netValue(buyer, ratee, work.grossValue),
    }));
    return reputationOf(buyers, new Date(timeMs), this.variant.anchored).score;
  }

  learn(rating: Rating): void {
    const { rater, ratee, weight, timeMs } = rating;
    const amount = this.variant.reading.worth(rating) * USDC;
    const good = weight > 0;
    const settlement = {
      amount,
      released: good ? amount : 0n,
      outcome: good ? 'accepted' : 'rejection_final',
      settledAt: new Date(timeMs),
      isPresentWallet: true,
    };
    const ofRatee = this.histories.get(ratee) ?? new Map<number, Settlement[]>();
    const settlements = [...(ofRatee.get(rater) ?? []), settlement];
    this.histories.set(ratee, ofRatee.set(rater, settlements));
    const evidence = this.evidence.get(ratee) ?? new Map<number, WorkForBuyer>();
    this.evidence.set(ratee, evidence.set(rater, evidenceOfBuyer(settlements)));
    if (good && rater !== ratee) this.payments.add(rater, ratee, Number(amount));
  }

  refresh(): void {
    if (!this.variant.anchored) return;
    const { members } = this.history;
    const graph = moneyGraphOf(this.variant.reading.netted ? this.payments : oneWay(this.payments), members);
    this.independence = [...independenceOf(graph, dealCohorts(graph, this.anchors))];
  }

  private netValue(buyer: number, worker: number, gross: bigint): bigint {
    const back = this.evidence.get(buyer)?.get(worker)?.grossValue ?? 0n;
    return gross > back ? gross - back : 0n;
  }
}

/**
 * All payments turned to go from the smaller number to the larger, so that opposite payments add up instead of
 * cancelling.
 */
function oneWay(payments: Payments): Payments {
  const turned = new Payments(payments.length);
  const { payers, workers, amounts } = payments.columns();
  for (const [i, payer] of payers.entries()) {
    const worker = workers[i] ?? 0;
    turned.add(Math.min(payer, worker), Math.max(payer, worker), amounts[i] ?? 0);
  }
  return turned;
}

/** The `count` members that gave the most ratings, the most first; equal ones by their number. */
export function mostActive(ratings: readonly Rating[], count: number): number[] {
  const given = new Map<number, number>();
  for (const { rater } of ratings) given.set(rater, (given.get(rater) ?? 0) + 1);
  return [...given]
    .sort(([a, givenA], [b, givenB]) => givenB - givenA || a - b)
    .slice(0, count)
    .map(([member]) => member);
}

/** Deals the anchors into cohorts. The key need not be secret in an evaluation. */
function keyOf(principal: number): string {
  return createHmac('sha256', 'evaluation').update(String(principal)).digest('hex');
}
