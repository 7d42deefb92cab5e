import type { Check } from '#libs/prepared-action';

/**
 * What the service has prepared is not what was asked for, or has changed since. Nothing was signed, unless `signed` says
 * that the signature had been handed in: then what came back to be sent was not the signed action, and is to be sent by nobody.
 */
export class PreparedActionRejected extends Error {
  override readonly name = 'PreparedActionRejected';

  constructor(
    /** The checks that failed, and when it was to be signed also those that found out too little. */
    readonly failed: readonly Check[],
    /** What the service has answered, for a report. */
    readonly answer: unknown,
    readonly signed = false,
  ) {
    super(`Not ${signed ? 'sent' : 'signed'}: ${failed.map(({ name, detail }) => `${name} (${detail})`).join('; ')}`);
  }
}
