/** Why a job ended, as a person says it. */
const REASONS: Readonly<Record<string, string>> = {
  accepted: 'The work was accepted.',
  accept_window_lapsed: 'The time to reject the work passed, and nobody had rejected it.',
  agreed: 'Both sides agreed on how to divide the money.',
  ruled: 'The arbiter ruled on the dispute.',
  ruling_lapsed: 'The time for a ruling passed, and no arbiter had ruled.',
  non_delivery: 'Nothing was delivered in time.',
  rejection_final: 'The work was rejected, and nobody contested that in time.',
  abandoned: 'The worker gave the job up.',
};

/** @param outcome `released` or `refunded`; another text is one of a later version. */
export function outcomeWords(outcome: string): string {
  if (outcome === 'released') return 'Paid to the worker';
  return outcome === 'refunded' ? 'Returned to the hirer' : outcome;
}

/** @param reason `Node.outcome` of the interface; null = not known. */
export function reasonWords(reason: string | null): string {
  if (reason === null) return 'The chain says no more.';
  return Object.hasOwn(REASONS, reason) ? (REASONS[reason] ?? reason) : reason;
}
