import { Injectable } from '@nestjs/common';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { passedEverywhere } from '../../../platform/time/passed-moment.js';
import { RegularWork } from '../../../platform/time/regular-work.js';
import { BATCH, NOTE_LAPSES } from './node-clocks.sql.js';

const INTERVAL_MS = 2_000;

/**
 * Notes on nodes that their time limit has passed, so that readers by state compare few clocks themselves. Answers are
 * the same without it.
 */
@Injectable()
export class NodeClocksSweeper extends RegularWork {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super('node-clocks', INTERVAL_MS, 'Time limits of nodes that have passed are not noted');
  }

  /** Notes every passed time limit, except on nodes that are locked. Returns the number of nodes. */
  override async sweep(): Promise<number> {
    const moment = passedEverywhere(this.clock);
    let noted = 0;
    for (let batch = BATCH; batch === BATCH && !this.isEnding; noted += batch) {
      const [row] = await this.transactions.run((manager) =>
        runPrepared<{ nodes: number }>(manager, NOTE_LAPSES, [moment]),
      );
      batch = row?.nodes ?? 0;
    }
    return noted;
  }
}
