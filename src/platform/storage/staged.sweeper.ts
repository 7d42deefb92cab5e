import { Injectable } from '@nestjs/common';
import { Clock } from '../time/clock.js';
import { RegularWork } from '../time/regular-work.js';
import { ObjectStore } from './object-store.js';

const INTERVAL_MS = 3_600_000;
/** Longer than any upload may take: what is older belongs to a process that died. */
const ORPHANED_MS = 7_200_000;

/** Removes what uploads left behind whose process died, at the start and every hour. */
@Injectable()
export class StagedSweeper extends RegularWork {
  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {
    super('storage', INTERVAL_MS, 'Unfinished uploads stay');
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.begin();
  }

  /** Removes everything that is orphaned; returns how many objects. @throws StorageUnavailableError. */
  override sweep(): Promise<number> {
    return this.store.sweep(new Date(this.clock.wallMs() - ORPHANED_MS));
  }
}
