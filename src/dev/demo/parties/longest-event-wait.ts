/**
 * Longest wait of the demo for an event, in milliseconds. It is long because a busy machine is no fault of the market;
 * only an event that never comes takes all of it.
 */
export const LONGEST_EVENT_WAIT_MS = 120_000;
