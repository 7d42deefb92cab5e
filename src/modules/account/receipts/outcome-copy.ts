/** Sentences for the reasons why a job ended. */
const REASONS: Readonly<Record<string, string>> = {
  accepted: 'The work was accepted.',
  accept_window_lapsed: 'Nobody rejected the work in time.',
  agreed: 'Both sides agreed on how to split the money.',
  ruled: 'The arbiter ruled on the dispute.',
  ruling_lapsed: 'The arbiter did not rule in time.',
  non_delivery: 'Nothing was delivered in time.',
  rejection_final: 'The work was rejected, and the worker did not contest it in time.',
  abandoned: 'The worker gave up the job.',
};

/** @param outcome `released` or `refunded`; any other value is returned unchanged. */
export function outcomeWords(outcome: string): string {
  if (outcome === 'released') return 'Paid to the worker';
  return outcome === 'refunded' ? 'Returned to the hirer' : outcome;
}

/** @param reason `Node.outcome` of the interface; null = not known. An unknown reason is returned unchanged. */
export function reasonWords(reason: string | null): string {
  if (reason === null) return 'The chain gives no reason.';
  return Object.hasOwn(REASONS, reason) ? (REASONS[reason] ?? reason) : reason;
}
