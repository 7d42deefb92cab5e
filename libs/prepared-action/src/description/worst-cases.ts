import { ACTION_WORDS } from './action-sentences.js';
import { amountOf, promisedOf } from './described-facts.js';
import type { DescriptionFacts } from '../document/prepared-action.js';
import { usdcText } from '../document/shown-text.js';

/*
 * What each side risks that does its own part in time, whatever all others do (docs/decisions/escrow.md#disputes): the
 * number that it signed, or what the arbiter decides where there is one. Null for what is not known; what is then said is
 * true in every case. The sentences begin with "Worst case for you: ", which describe-action.ts adds.
 */

/** What somebody risks who pays for a job. */
export function payersWorstCase(price: string, floor: bigint | null, hasArbiter: boolean | null): string {
  const { payer, payerAlone, payerRuled } = ACTION_WORDS.worst;
  if (hasArbiter === null) return payer(price);
  return hasArbiter ? payerRuled(price, floorText(floor)) : payerAlone(price);
}

/**
 * What the worker of a job risks.
 * @param gets what it gets if the arbiter is silent, as `lapseText` says it.
 * @param hangsOnParent whether it is paid only when a job above is accepted, too.
 */
export function workersWorstCase(gets: string, hasArbiter: boolean | null, hangsOnParent: boolean | null): string {
  const { worker, workerBelow, workerAlone, workerRuled } = ACTION_WORDS.worst;
  if (hangsOnParent === true) return workerBelow;
  if (hasArbiter === null || hangsOnParent === null) return worker;
  return hasArbiter ? workerRuled(gets) : workerAlone;
}

/**
 * What the worker gets if the arbiter is silent, "you get 125.00 USDC": what is left of the floor, as what is promised to
 * helpers is theirs (docs/decisions/escrow.md#money-of-nested-nodes). Where that is not known, what both get.
 */
export function lapseText(facts: DescriptionFacts): string {
  const floor = amountOf(facts.floor);
  const promised = promisedOf(facts);
  return floor === null || promised === null || promised > floor
    ? ACTION_WORDS.allGet('you', floorText(floor))
    : ACTION_WORDS.youGet(usdcText(floor - promised));
}

/** The floor, or "the agreed floor" when it is not known. */
export function floorText(floor: bigint | null): string {
  return floor === null ? ACTION_WORDS.theFloor : usdcText(floor);
}
