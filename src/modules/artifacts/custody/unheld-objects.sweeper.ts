import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { Transactions } from '../../../platform/database/transactions.js';
import { type ListedObject, type ObjectKey, ObjectStore, sweepEach } from '../../../platform/storage/object-store.js';
import { Clock } from '../../../platform/time/clock.js';
import { RegularWork } from '../../../platform/time/regular-work.js';
import { ANYBODY_HAS, HELD_BY_NOBODY, LOCK_TO_DELETE } from './custody.sql.js';
import { hashOfKey, objectKeyOf } from './object-key.js';

const INTERVAL_MS = 600_000;
/** Objects that one round looks at; a million of them take a week. */
const LOOKED_AT = 1_000;
/** Far longer than any upload takes: a younger object may be one whose row is not committed yet. */
const OLD_MS = 86_400_000;
/** A crash leaves few. Where there are more, and most are so, the store belongs to another database. */
const MOST_OF_NOBODY = 10;

/**
 * Removes objects that no account has in custody: those of uploads whose transaction failed after the object was brought,
 * or whose process died in between. Each round looks at the next part of the store; a process begins anywhere in it, so
 * that also where processes seldom last, all of it is looked at.
 */
@Injectable()
export class UnheldObjectsSweeper extends RegularWork {
  /** The key behind which a round begins. */
  private last: ObjectKey = randomBytes(32).toString('hex');

  constructor(
    private readonly transactions: Transactions,
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {
    super('artifacts', INTERVAL_MS, 'Objects that no account has in custody stay');
  }

  /**
   * Looks at the next part of the store; returns how many objects were removed. One that cannot be removed holds up no other:
   * its error is thrown once all were tried.
   * @throws StorageUnavailableError; Error when the store seems to be that of another database.
   */
  override async sweep(): Promise<number> {
    const before = new Date(this.clock.wallMs() - OLD_MS);
    const old = (await this.nextPart()).filter(({ since }) => since < before);
    const hashes = old.map(({ key }) => hashOfKey(key));
    const unheld = await this.transactions.manager.query<{ hash: Hex }[]>(HELD_BY_NOBODY, [hashes]);
    if (unheld.length > MOST_OF_NOBODY && unheld.length * 2 > old.length) {
      throw new Error(
        `${unheld.length} of ${old.length} objects are of nobody: is the store that of another database?`,
      );
    }
    return sweepEach(unheld, ({ hash }) => (this.isEnding ? Promise.resolve(false) : this.removeUnheld(hash)));
  }

  /**
   * Removes the object of an artifact unless an account has it in custody, or brings it now. False when it was left.
   * @throws StorageUnavailableError.
   */
  removeUnheld(artifactHash: Hex): Promise<boolean> {
    return this.transactions.run(async (manager) => {
      await manager.query(LOCK_TO_DELETE, [artifactHash]);
      const holders = await manager.query<unknown[]>(ANYBODY_HAS, [artifactHash]);
      if (holders.length > 0) return false;
      await this.store.remove(objectKeyOf(artifactHash));
      return true;
    });
  }

  /** At the end of the store it goes on at its beginning, and looks at nothing twice. */
  private async nextPart(): Promise<ListedObject[]> {
    const begin = this.last;
    const part = await this.store.list(begin, LOOKED_AT);
    if (part.length < LOOKED_AT) {
      const first = await this.store.list('', LOOKED_AT - part.length);
      part.push(...first.filter(({ key }) => key <= begin));
    }
    this.last = part.at(-1)?.key ?? '';
    return part;
  }
}
