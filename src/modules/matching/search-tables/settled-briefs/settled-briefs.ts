import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { runPrepared, Transactions } from '../../../../platform/database/transactions.js';
import { Clock } from '../../../../platform/time/clock.js';
import { noteBriefs } from '../match-changes.js';
import { MarketStatistics } from '../market-statistics.js';
import { clearBriefs, weighBriefs } from './brief-vectors.js';
import {
  ADD_BRIEF,
  ADD_UNWEIGHED,
  ANY_UNWEIGHED,
  type BriefRow,
  type KeptBriefRow,
  FORGET_BRIEF,
  KEPT_BRIEFS,
  STALE_BRIEFS,
} from './settled-briefs.sql.js';
import { chooseSearched, judgeNext, searchAgain } from './searched-briefs.js';

/** Briefs that one transaction weighs anew. */
const WEIGHED_AT_ONCE = 100;

/** Most new briefs that a transaction weighs itself; when there are more, StatisticsRunner weighs them. */
const BRIEFS_AT_ONCE = 20;

/** Stores the briefs that agents have settled, as vectors with which other tasks are compared. */
@Injectable()
export class SettledBriefs {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly statistics: MarketStatistics,
  ) {}

  /**
   * Stores the briefs of the tasks in `settled` and deletes those of the other tasks, in the caller's transaction. When
   * many are new at once, as while the index catches up, `StatisticsRunner` weighs them later, because each weighing
   * locks and writes the market's one row of statistics.
   */
  async keepAll(manager: EntityManager, taskIds: readonly string[], settled: ReadonlySet<string>): Promise<void> {
    const rows = await runPrepared<KeptBriefRow>(manager, KEPT_BRIEFS, [[...taskIds]]);
    await searchAgain(
      manager,
      rows.flatMap(({ task_id: taskId, counts }) => (counts === false && settled.has(taskId) ? [taskId] : [])),
    );
    const kept = new Set(rows.map(({ task_id }) => task_id));
    const changing = taskIds.filter((taskId) => kept.has(taskId) !== settled.has(taskId));
    if (changing.length === 0) return;
    const added = changing.filter((taskId) => settled.has(taskId));
    const isLeft = added.length > BRIEFS_AT_ONCE;
    const changed = isLeft ? await runPrepared<BriefRow>(manager, ADD_UNWEIGHED, [added]) : [];
    for (const taskId of isLeft ? changing.filter((id) => !settled.has(id)) : changing) {
      const isSettled = settled.has(taskId);
      // Read for each brief, because the previous brief may have changed the statistics.
      const held = await this.statistics.hold(manager);
      const briefs = await runPrepared<BriefRow>(manager, isSettled ? ADD_BRIEF : FORGET_BRIEF, [taskId]);
      for (const brief of briefs) {
        if (!isSettled) await chooseSearched(manager, [{ digest: brief.digest ?? null }]);
        const termIds = await (isSettled ? weighBriefs : clearBriefs)(manager, [brief]);
        const hasFollowed = await this.statistics.follow(manager, held, termIds);
        // Weighed again, because the update has counted the brief's own words.
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

  /** True while some stored briefs have not been weighed yet. */
  async hasUnweighed(): Promise<boolean> {
    return (await runPrepared(this.transactions.manager, ANY_UNWEIGHED, [])).length > 0;
  }

  /** Weighs the next briefs whose weights were computed with older statistics. Resolves to false when none are left. */
  async weighNext(): Promise<boolean> {
    return this.transactions.run(async (manager) => {
      await this.statistics.hold(manager);
      const stale = await runPrepared<BriefRow>(manager, STALE_BRIEFS, [WEIGHED_AT_ONCE]);
      await weighBriefs(manager, stale);
      await this.note(manager, stale);
      return stale.length === WEIGHED_AT_ONCE;
    });
  }

  /**
   * Judges the next briefs of which it is not known, by the newest trust run, if they count for anybody. Resolves to false
   * when none are left.
   */
  judgeNext(): Promise<boolean> {
    return judgeNext(this.transactions, this.statistics);
  }

  private note(manager: EntityManager, briefs: readonly BriefRow[]): Promise<void> {
    const numbers = briefs.map(({ number }) => number);
    return noteBriefs(manager, numbers, this.clock.now());
  }
}
