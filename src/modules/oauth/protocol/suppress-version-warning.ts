const output = console;
const print = output.warn;

/**
 * oidc-provider warns by `console.warn` while it is loaded that it does not support Node 20. This service tests it on
 * Node 20 (test/e2e/oauth), and nothing may write between the lines of the log. All other warnings pass.
 */
output.warn = (...words: unknown[]) => {
  if (!words.some((word) => typeof word === 'string' && word.includes('Unsupported runtime'))) print(...words);
};

/** Removes the filter. Call it once the library is loaded. */
export function endRuntimeNotice(): void {
  output.warn = print;
}
