const output = console;
const print = output.warn;

/**
 * While it is loaded, oidc-provider says with `console.warn` that it does not support Node 20. Here it is tested on it
 * (test/e2e/oauth), and nothing may write between the lines of the log. Everything else that is said comes through.
 */
output.warn = (...words: unknown[]) => {
  if (!words.some((word) => typeof word === 'string' && word.includes('Unsupported runtime'))) print(...words);
};

/** Ends the filter, once the library is loaded. */
export function endRuntimeNotice(): void {
  output.warn = print;
}
