/** The error that the work fails with; a text when it does not fail. */
export function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'nothing failed',
    (error: unknown) => error,
  );
}

/** The code of the refusal that the work ends with, or `none`. */
export function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: { code?: string; stack?: string }) => error.code ?? `no code: ${error.stack}`,
  );
}
