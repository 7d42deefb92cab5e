/**
 * How long the demo waits for something that comes by itself, milliseconds. Only what never comes takes as long: a busy
 * machine is no fault of the market.
 */
export const PATIENCE_MS = 120_000;
