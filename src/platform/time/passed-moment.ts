import type { Clock } from './clock.js';

/**
 * Most by which another process's clock may be behind this one's. What is stored because a moment has passed is wrong
 * before that moment, so nobody stores it sooner than this after it.
 */
const MARGIN_MS = 5_000;

/** The newest moment that has passed for every process of the service, whole seconds. */
export function passedEverywhere(clock: Clock): Date {
  return new Date(clock.nowSeconds() * 1_000 - MARGIN_MS);
}
