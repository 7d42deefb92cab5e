import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { RegularWork } from '../../../platform/time/regular-work.js';
import { EventPartitions } from './event-partitions.js';

const INTERVAL_MS = 60_000;
/** Days for which an event can be read at least; a partition goes as a whole, up to seven days later. */
const KEPT_DAYS = 90;

/** Makes the partitions of the log ahead of time, and drops those that are over. */
@Injectable()
export class EventLogSweeper extends RegularWork {
  constructor(private readonly transactions: Transactions) {
    super('events', INTERVAL_MS, 'Partitions of the event log are not maintained');
  }

  /** Returns how many tables were made and dropped. */
  override async sweep(): Promise<number> {
    const made = await this.transactions.run((manager) => new EventPartitions(manager).prepare());
    return made + (await this.transactions.run((manager) => new EventPartitions(manager).dropOver(KEPT_DAYS)));
  }
}
