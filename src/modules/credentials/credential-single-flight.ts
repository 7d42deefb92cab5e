import { digest } from './credential-cache.js';
import type { CredentialChanges } from '../accounts/credential-changes.js';

/**
 * Shares database reads of credentials of one kind. Concurrent requests with the same credential wait for one read, so
 * a client that sends hundreds at once costs the database one read.
 *
 * As in `CredentialCache`, a request that comes after a received change gets a new read, and nothing is shared while
 * changes of other processes cannot be received.
 */
export class CredentialSingleFlight<Reading> {
  private readonly underWay = new Map<string, Promise<Reading>>();

  constructor(private readonly changes: CredentialChanges) {
    changes.onChange(() => this.underWay.clear());
  }

  /**
   * Returns the result of `read`, or of a read of the same secret that is already running. An error of `read` reaches
   * everyone who waits for it.
   */
  read(secret: string, read: () => Promise<Reading>): Promise<Reading> {
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
