import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared, Transactions } from '../../../../platform/database/transactions.js';
import { Clock } from '../../../../platform/time/clock.js';
import { noteBriefs } from '../match-changes.js';
import { MarketStatistics } from '../market-statistics.js';
import { termIdsOf } from '../term-ids.js';
import {
  TASK_WORDS,
  type TaskTexts,
  type TaskWordRow,
  taskWordsOf,
  taskWordsValues,
} from '../../relevance/task-words.js';

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

const TEXTS: PreparedStatement = {
  name: 'match_briefs_texts',
  text: 'SELECT title, brief, criteria FROM tasks WHERE id = $1',
};

const CLEAR: PreparedStatement = {
  name: 'match_briefs_clear',
  text: 'DELETE FROM match_brief_postings WHERE brief_number = $1 RETURNING term_id',
};

const WRITE: PreparedStatement = {
  name: 'match_briefs_write',
  text: `INSERT INTO match_brief_postings (brief_number, term_id, weight)
    SELECT $1, * FROM unnest($2::integer[], $3::smallint[])`,
};

const MARK: PreparedStatement = {
  name: 'match_briefs_mark',
  text: 'UPDATE match_briefs SET version = (SELECT brief_version FROM match_statistics) WHERE number = $1',
};

interface BriefRow {
  task_id: string;
  number: number;
}

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
        const termIds = await (isSettled ? weigh(manager, brief) : clear(manager, brief));
        const hasFollowed = await this.statistics.follow(manager, held, termIds);
        // Its own words count too.
        if (hasFollowed && isSettled) await weigh(manager, brief);
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
      for (const brief of stale) await weigh(manager, brief);
      await this.note(manager, stale);
      return stale.length === WEIGHED_AT_ONCE;
    });
  }

  private note(manager: EntityManager, briefs: readonly BriefRow[]): Promise<void> {
    const numbers = briefs.map(({ number }) => number);
    return noteBriefs(manager, numbers, this.clock.now());
  }
}

/** @returns numbers of the words that the brief had. */
async function clear(manager: EntityManager, { number }: BriefRow): Promise<number[]> {
  const gone = await runPrepared<{ term_id: number }>(manager, CLEAR, [number]);
  return gone.map(({ term_id }) => term_id);
}

/** @returns numbers of all words of the brief. */
async function weigh(manager: EntityManager, brief: BriefRow): Promise<number[]> {
  const { task_id: taskId, number } = brief;
  const [texts] = await runPrepared<TaskTexts>(manager, TEXTS, [taskId]);
  await clear(manager, brief);
  const rows = texts ? await runPrepared<TaskWordRow>(manager, TASK_WORDS, taskWordsValues(texts)) : [];
  const { vector } = taskWordsOf(rows);
  const ids = await termIdsOf(
    manager,
    rows.map(({ word }) => word),
  );
  const termIds = [...ids.values()];
  const weights = [...ids.keys()].map((word) => vector.get(word) ?? 0);
  await runPrepared(manager, WRITE, [number, termIds, weights]);
  await runPrepared(manager, MARK, [number]);
  return termIds;
}
