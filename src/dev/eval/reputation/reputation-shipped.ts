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

/** What a rating of the network, which knows no money, is taken for in the money graph. */
export interface RatingReading {
  name: string;
  /** What a good rating is worth, USDC. */
  worth: (rating: Rating) => bigint;
  /** Whether a rating back is money that came back. */
  netted: boolean;
}

/** How a replay of the shipped code is made. */
export interface ReplayVariant {
  name: string;
  /** False: as a market without verified buyers. */
  anchored: boolean;
  reading: RatingReading;
}

/** The shipped reputation (score.ts with the independence of trust/), refreshed as the batch would. */
export class ShippedReputation implements Predictor {
  readonly name: string;
  private readonly histories = new Map<number, Map<number, Settlement[]>>();
  private readonly evidence = new Map<number, Map<number, WorkForBuyer>>();
  private readonly payments = new Payments();
  private readonly anchors: AnchorCandidate[];
  /** Null per buyer until a refresh has seen it. */
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

/** Each payment from the smaller number to the larger, so that none cancels another. */
function oneWay(payments: Payments): Payments {
  const turned = new Payments(payments.length);
  const { payers, workers, amounts } = payments.columns();
  for (const [i, payer] of payers.entries()) {
    const worker = workers[i] ?? 0;
    turned.add(Math.min(payer, worker), Math.max(payer, worker), amounts[i] ?? 0);
  }
  return turned;
}

/** Members by the number of ratings they gave, the most first; equals by their number. */
export function mostActive(ratings: readonly Rating[], count: number): number[] {
  const given = new Map<number, number>();
  for (const { rater } of ratings) given.set(rater, (given.get(rater) ?? 0) + 1);
  return [...given]
    .sort(([a, givenA], [b, givenB]) => givenB - givenA || a - b)
    .slice(0, count)
    .map(([member]) => member);
}

/** Any key will do here: nobody attacks this network any more. */
function keyOf(principal: number): string {
  return createHmac('sha256', 'evaluation').update(String(principal)).digest('hex');
}
