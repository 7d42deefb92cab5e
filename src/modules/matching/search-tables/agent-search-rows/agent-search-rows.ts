import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../../platform/database/reads/read-connections.js';
import { runPrepared, Transactions } from '../../../../platform/database/transactions.js';
import { arrayText, integersIn } from '../../relevance/pg-array.js';
import { MOST_PENDING } from '../../relevance/matching-limits.js';
import { DUE, KEEP, LOCK, MARK, PENDING } from './agent-search-rows.sql.js';

/** Rows written per transaction. */
const KEPT_AT_ONCE = 1_000;

interface StateRow {
  applied: string | null;
}

interface DueRow extends StateRow {
  snapshot: string;
  numbers: string;
}

/**
 * Maintains the rows of `match_agents`. They are updated shortly after the recorded changes (match-changes.ts); readers
 * ignore the rows that `pending` names.
 */
@Injectable()
export class AgentSearchRows {
  constructor(
    private readonly reads: SearchConnections,
    private readonly transactions: Transactions,
  ) {}

  /** Numbers of agents whose rows may be outdated; null when there are more than MOST_PENDING. */
  async pending(): Promise<ReadonlySet<number> | null> {
    const { name, text } = PENDING;
    const [row] = await this.reads.query<{ numbers: string | null }>(name, text, [MOST_PENDING]);
    const numbers = row?.numbers ?? null;
    return numbers === null ? null : new Set(integersIn(numbers));
  }

  /**
   * Updates the outdated rows, some in each transaction. When it is ended early, the next call starts again.
   * @param signal ends it early.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const [due] = await runPrepared<DueRow>(this.transactions.manager, DUE, []);
    if (due === undefined) throw new RangeError('How far the rows of agents are is one row');
    const numbers = integersIn(due.numbers);
    if (numbers.length === 0 && due.applied !== null) return;
    for (let from = 0; !signal.aborted; from += KEPT_AT_ONCE) {
      const isLast = from + KEPT_AT_ONCE >= numbers.length;
      const isOthers = await this.keep(due, numbers.slice(from, from + KEPT_AT_ONCE), isLast);
      if (isLast || isOthers) return;
    }
  }

  /** @returns true when another process has updated rows meanwhile; then nothing is written here. */
  private keep({ applied, snapshot }: DueRow, numbers: readonly number[], isLast: boolean): Promise<boolean> {
    return this.transactions.run(async (manager) => {
      const [state] = await runPrepared<StateRow>(manager, LOCK, []);
      if (state?.applied !== applied) return true;
      await runPrepared(manager, KEEP, [arrayText(numbers)]);
      if (isLast) await runPrepared(manager, MARK, [snapshot]);
      return false;
    });
  }
}
