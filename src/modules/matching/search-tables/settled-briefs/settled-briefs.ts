import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared, Transactions } from '../../../../platform/database/transactions.js';
import { Clock } from '../../../../platform/time/clock.js';
import { noteBriefs } from '../match-changes.js';
import { MarketStatistics } from '../market-statistics.js';
import { type BriefRow, clearBriefs, weighBriefs } from './brief-vectors.js';

/** Briefs that are weighed anew in one transaction. */
const WEIGHED_AT_ONCE = 100;

/** New briefs of one transaction that are weighed in it. */
const BRIEFS_AT_ONCE = 20;

const KEPT: PreparedStatement = {
  name: 'match_briefs_kept',
  text: 'SELECT task_id FROM match_briefs WHERE task_id = ANY($1::text[])',
};

const FORGET: PreparedStatement = {
  name: 'match_briefs_forget',
  text: 'DELETE FROM match_briefs WHERE task_id = $1 RETURNING task_id, number',
};

const ADD: PreparedStatement = {
  name: 'match_briefs_add',
  text: `INSERT INTO match_briefs (task_id) VALUES ($1) ON CONFLICT (task_id) DO NOTHING RETURNING task_id, number`,
};

/** Without words: whoever weighs briefs gives them. */
const ADD_UNWEIGHED: PreparedStatement = {
  name: 'match_briefs_add_unweighed',
  text: `INSERT INTO match_briefs (task_id) SELECT unnest($1::text[]) ON CONFLICT (task_id) DO NOTHING
    RETURNING task_id, number`,
};

const ANY_UNWEIGHED: PreparedStatement = {
  name: 'match_briefs_any_unweighed',
  text: 'SELECT 1 AS found FROM match_briefs WHERE version = -1 LIMIT 1',
};

/** Briefs with weights of older statistics, at most $1. */
const STALE: PreparedStatement = {
  name: 'match_briefs_stale',
  text: `SELECT task_id, number FROM match_briefs
    WHERE version < (SELECT brief_version FROM match_statistics)
    ORDER BY version, number LIMIT $1 FOR UPDATE SKIP LOCKED`,
};

/** Keeps the briefs that agents have settled, as vectors that other tasks are compared with. */
@Injectable()
export class SettledBriefs {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly statistics: MarketStatistics,
  ) {}

  /**
   * For which of the tasks an agent was paid: the briefs of those are kept, of the others kept no more, in the caller's
   * transaction. Where many come at once, as while an index catches up, their words are left to `StatisticsRunner`: the
   * numbers of the market are one row, which nobody should hold and write for each of them.
   */
  async keepAll(manager: EntityManager, taskIds: readonly string[], settled: ReadonlySet<string>): Promise<void> {
    const rows = await runPrepared<{ task_id: string }>(manager, KEPT, [[...taskIds]]);
    const kept = new Set(rows.map(({ task_id }) => task_id));
    const changing = taskIds.filter((taskId) => kept.has(taskId) !== settled.has(taskId));
    if (changing.length === 0) return;
    const added = changing.filter((taskId) => settled.has(taskId));
    const isLeft = added.length > BRIEFS_AT_ONCE;
    const changed = isLeft ? await runPrepared<BriefRow>(manager, ADD_UNWEIGHED, [added]) : [];
    for (const taskId of isLeft ? changing.filter((id) => !settled.has(id)) : changing) {
      const isSettled = settled.has(taskId);
      // Anew for each: the one before may have changed them.
      const held = await this.statistics.hold(manager);
      const briefs = await runPrepared<BriefRow>(manager, isSettled ? ADD : FORGET, [taskId]);
      for (const brief of briefs) {
        const termIds = await (isSettled ? weighBriefs : clearBriefs)(manager, [brief]);
        const hasFollowed = await this.statistics.follow(manager, held, termIds);
        // Its own words count too.
        if (hasFollowed && isSettled) await weighBriefs(manager, [brief]);
      }
      changed.push(...briefs);
    }
    await this.note(manager, changed);
  }

  /** As `keepAll`, for one task. */
  keep(manager: EntityManager, taskId: string, isSettled: boolean): Promise<void> {
    return this.keepAll(manager, [taskId], new Set(isSettled ? [taskId] : []));
  }

  /** True while briefs are kept whose words nobody has looked at yet. */
  async hasUnweighed(): Promise<boolean> {
    return (await runPrepared(this.transactions.manager, ANY_UNWEIGHED, [])).length > 0;
  }

  /** Weighs the next briefs anew whose weights are of older statistics; false when there are none left. */
  async weighNext(): Promise<boolean> {
    return this.transactions.run(async (manager) => {
      await this.statistics.hold(manager);
      const stale = await runPrepared<BriefRow>(manager, STALE, [WEIGHED_AT_ONCE]);
      await weighBriefs(manager, stale);
      await this.note(manager, stale);
      return stale.length === WEIGHED_AT_ONCE;
    });
  }

  private note(manager: EntityManager, briefs: readonly BriefRow[]): Promise<void> {
    const numbers = briefs.map(({ number }) => number);
    return noteBriefs(manager, numbers, this.clock.now());
  }
}
