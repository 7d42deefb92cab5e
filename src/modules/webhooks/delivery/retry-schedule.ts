import { randomInt } from 'node:crypto';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses before the second try of an event and those that follow; the first comes at once. */
const PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Tries of one event. */
export const MAX_TRIES = PAUSES_MS.length + 1;
/** From the first try to the last. */
const WHOLE_MS = PAUSES_MS.reduce((sum, pause) => sum + pause, 0);
/** Longest pause of an endpoint that is down: its events are behind each other, and all wait for the first. */
const DOWN_PAUSE_MS = HOUR_MS;
/** Events that fail one after the other until the endpoint is down. */
export const DOWN_AFTER = 10;
/** Events of one endpoint that wait; its cursor stops until there are fewer. (policy) */
export const MAX_WAITING = 1000;
/** How long an endpoint may fail until it is disabled. */
export const DISABLED_AFTER_MS = 5 * 24 * HOUR_MS;
/** Longest pause that a receiver may ask for. */
const MAX_ASKED_MS = 24 * HOUR_MS;
/** Share of a pause, in percent, by which it may be longer: endpoints that failed together do not come back together. */
const JITTER_PERCENT = 10;

/** An event that has failed. */
export interface FailedEvent {
  /** Tries so far, at least 1. */
  readonly tries: number;
  /** When it failed first. */
  readonly since: Date;
  /** Whether the endpoint takes nothing at all. */
  readonly isDown: boolean;
}

/**
 * When the event is tried again; null: no more by itself. While the endpoint is down it is tried at least every hour, so that
 * an endpoint that is back need not wait for a day, and is given up no earlier than the schedule is over.
 */
export function nextTry({ tries, since, isDown }: FailedEvent, now: Date): Date | null {
  const pause = PAUSES_MS[tries - 1];
  if (isDown) {
    if (pause === undefined && now.getTime() - since.getTime() >= WHOLE_MS) return null;
    return after(now, Math.min(pause ?? DOWN_PAUSE_MS, DOWN_PAUSE_MS));
  }
  return pause === undefined ? null : after(now, pause);
}

/**
 * Until when a receiver asks for silence (`Retry-After`, in seconds or as a date; RFC 9110 §10.2.3), at most a day; null when
 * it does not.
 */
export function silenceAsked(status: number | null, retryAfter: string | null, now: Date): Date | null {
  if ((status !== 429 && status !== 503) || retryAfter === null) return null;
  const ms = /^[0-9]{1,9}$/.test(retryAfter) ? Number(retryAfter) * SECOND_MS : Date.parse(retryAfter) - now.getTime();
  return ms > 0 ? new Date(now.getTime() + Math.min(ms, MAX_ASKED_MS)) : null;
}

function after(now: Date, pauseMs: number): Date {
  return new Date(now.getTime() + pauseMs + randomInt(Math.floor((pauseMs * JITTER_PERCENT) / 100) + 1));
}
