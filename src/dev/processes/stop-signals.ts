/** Ctrl-C, a stop by a supervisor, a closed terminal. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** On a stop signal, runs `stop` and then ends the process with exit code 1. */
export function stopOnSignals(stop: () => Promise<void>): void {
  for (const signal of STOP_SIGNALS) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
}
