/** Ctrl-C, a stop by a supervisor, a closed terminal. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Has a signal stop what this process has started, and then end the process with 1. */
export function stopOnSignals(stop: () => Promise<void>): void {
  for (const signal of STOP_SIGNALS) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
}
