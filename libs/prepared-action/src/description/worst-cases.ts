import { ACTION_WORDS } from './action-sentences.js';
import { usdcText } from '../document/shown-text.js';

/*
 * What each side risks that does its own part in time, whatever all others do (docs/decisions/escrow.md#disputes): the
 * number that it signed, or what the arbiter decides where there is one. Null for what is not known; what is then said is
 * true in every case.
 */

/** What somebody risks who pays for a job. */
export function payersWorstCase(price: bigint, floor: bigint | null, hasArbiter: boolean | null): string {
  const { payer, payerAlone, payerRuled } = ACTION_WORDS.worst;
  if (hasArbiter === null) return payer(usdcText(price));
  return hasArbiter ? payerRuled(usdcText(price), floorText(floor)) : payerAlone(usdcText(price));
}

/**
 * What the worker of a job risks.
 * @param hangsOnParent whether it is paid only when a job above is accepted, too.
 */
export function workersWorstCase(
  floor: bigint | null,
  hasArbiter: boolean | null,
  hangsOnParent: boolean | null,
): string {
  const { worker, workerBelow, workerAlone, workerRuled, workerWithoutFloor } = ACTION_WORDS.worst;
  if (hangsOnParent === true) return workerBelow;
  if (hasArbiter === null || hangsOnParent === null) return worker;
  if (!hasArbiter) return workerAlone;
  return floor === 0n ? workerWithoutFloor : workerRuled(floorText(floor));
}

/** The floor, or "the agreed floor" when it is not known. */
export function floorText(floor: bigint | null): string {
  return floor === null ? ACTION_WORDS.theFloor : usdcText(floor);
}
