import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { LOCK_HEAD, LOOK, MOVE } from './event-sequencer.sql.js';
import { OutboxFloor, type OutboxLook } from './outbox-floor.js';

/** Events that one transaction moves. */
const BATCH = 500;

/**
 * Gives recorded events their place in the log, once their transactions have committed. Any number of sequencers may
 * run at the same moment or end at any point: the lock on the head admits one after the other.
 */
@Injectable()
export class EventSequencer {
  private readonly floor = new OutboxFloor();

  constructor(private readonly transactions: Transactions) {}

  /** Age in seconds of the oldest committed event that has no place yet; 0 when there is none. */
  async waitingSeconds(): Promise<number> {
    const values = [this.floor.value];
    const [look] = await this.transactions.manager.query<(OutboxLook & { seconds: number | null })[]>(LOOK, values);
    if (!look) throw new Error('The outbox cannot be looked at');
    this.floor.learn(look);
    // An event of this very moment waits too.
    return look.first === null ? 0 : Math.max(Number.MIN_VALUE, look.seconds ?? 0);
  }

  /** Moves one batch; returns true when there may be more. */
  async moveNext(): Promise<boolean> {
    const moved = await this.transactions.run(async (manager) => {
      const [head] = await manager.query<{ last: string }[]>(LOCK_HEAD);
      if (!head) throw new Error('The log has no head');
      const [row] = await manager.query<{ moved: number }[]>(MOVE, [BATCH, head.last, this.floor.value]);
      return row?.moved ?? 0;
    });
    return moved === BATCH;
  }
}
