/** The error that the work fails with; a text when it does not fail. */
export function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'nothing failed',
    (error: unknown) => error,
  );
}
