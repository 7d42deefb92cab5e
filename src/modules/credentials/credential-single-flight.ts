import { digest } from './credential-cache.js';
import type { CredentialChanges } from '../accounts/credential-changes.js';

/**
 * Credentials of one kind that are being read from the database. Requests that come with the same one meanwhile wait for
 * that reading: a client that opens hundreds at once costs the database one look, not hundreds.
 *
 * As with what is remembered (`CredentialCache`), who comes after a change was heard of gets a reading of after it, and
 * while changes cannot be heard nothing is shared.
 */
export class CredentialSingleFlight<Reading> {
  private readonly underWay = new Map<string, Promise<Reading>>();

  constructor(private readonly changes: CredentialChanges) {
    changes.onChange(() => this.underWay.clear());
  }

  /** Rejects as `read` does, for all who wait for it. */
  of(secret: string, read: () => Promise<Reading>): Promise<Reading> {
    if (!this.changes.isListening) return read();
    const name = digest(secret);
    const known = this.underWay.get(name);
    if (known !== undefined) return known;
    const reading = read().finally(() => {
      if (this.underWay.get(name) === reading) this.underWay.delete(name);
    });
    this.underWay.set(name, reading);
    return reading;
  }
}
