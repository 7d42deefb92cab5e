import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { LOCK_HEAD, MOVE } from './event-sequencer.sql.js';

/** Events that one transaction moves. */
const BATCH = 500;

/**
 * Gives recorded events their place in the log, once their transactions have committed. Any number of sequencers may
 * run at the same moment or end at any point: the lock on the head admits one after the other.
 */
@Injectable()
export class EventSequencer {
  constructor(private readonly transactions: Transactions) {}

  /** Moves one batch; returns true when there may be more. */
  async moveNext(): Promise<boolean> {
    const moved = await this.transactions.run(async (manager) => {
      const [head] = await manager.query<{ last: string }[]>(LOCK_HEAD);
      if (!head) throw new Error('The log has no head');
      const [row] = await manager.query<{ moved: number }[]>(MOVE, [BATCH, head.last]);
      return row?.moved ?? 0;
    });
    return moved === BATCH;
  }
}
