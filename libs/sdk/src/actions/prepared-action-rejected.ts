import type { Check } from '#libs/prepared-action';

/** What the service has prepared is not what was asked for, or has changed since. Nothing was signed. */
export class PreparedActionRejected extends Error {
  override readonly name = 'PreparedActionRejected';

  constructor(
    /** The checks that failed, and when it was to be signed also those that found out too little. */
    readonly failed: readonly Check[],
    /** What the service has answered, for a report. */
    readonly answer: unknown,
  ) {
    super(`Not signed: ${failed.map(({ name, detail }) => `${name} (${detail})`).join('; ')}`);
  }
}
