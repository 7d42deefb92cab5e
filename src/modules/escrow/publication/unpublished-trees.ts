import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { stripControls } from '#libs/kernel';
import { Clock } from '../../../platform/time/clock.js';

/** A tree with more facts than this is published by itself, so that no other tree waits for it. */
const LARGE_TREE_FACTS = 2_000;
/** Pauses between attempts: the first, doubled up to the longest. */
const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 3_600;
/** After this many failures a new fact no longer causes an attempt at once; then the longest pause before that attempt. */
const PATIENT_ATTEMPTS = 3;
const FACT_PAUSE_SECONDS = 60;
const REASON_LENGTH = 500;

const APART = `SELECT tree.id FROM unnest($1::text[]) AS tree (id)
  WHERE EXISTS (SELECT 1 FROM chain_facts fact WHERE fact.task_id = tree.id OFFSET ${LARGE_TREE_FACTS} LIMIT 1)
    OR EXISTS (SELECT 1 FROM unpublished_trees aside WHERE aside.task_id = tree.id AND aside.is_apart)`;

/** The id of the transaction, which no mark of another transaction has. */
const NEW_VERSION = 'pg_current_xact_id()::text::bigint';

const MARK = `INSERT INTO unpublished_trees AS tree (task_id, block_number, is_apart, version, retry_at, created_at)
  SELECT id, $2, is_apart, ${NEW_VERSION}, $4::timestamptz, $4::timestamptz
  FROM unnest($1::text[], $3::boolean[]) AS marked (id, is_apart) ORDER BY id
  ON CONFLICT (task_id) DO UPDATE SET
    block_number = least(tree.block_number, EXCLUDED.block_number), version = EXCLUDED.version,
    is_apart = tree.is_apart OR EXCLUDED.is_apart,
    retry_at = least(tree.retry_at, $4::timestamptz
      + least(greatest(tree.attempts - ${PATIENT_ATTEMPTS}, 0), ${FACT_PAUSE_SECONDS}) * interval '1 second')`;

const SET_ASIDE = `INSERT INTO unpublished_trees AS tree
    (task_id, block_number, is_apart, version, attempts, reason, retry_at, created_at)
  VALUES ($1, $2, true, ${NEW_VERSION}, 1, $3, $4::timestamptz + interval '${FIRST_PAUSE_SECONDS} seconds', $4::timestamptz)
  ON CONFLICT (task_id) DO UPDATE SET
    is_apart = true, attempts = tree.attempts + 1, reason = EXCLUDED.reason,
    retry_at = $4::timestamptz + least(${FIRST_PAUSE_SECONDS} * 2 ^ least(tree.attempts, 20), ${LONGEST_PAUSE_SECONDS})
      * interval '1 second'
  RETURNING attempts`;

const FORGET = 'DELETE FROM unpublished_trees WHERE task_id = ANY($1::text[])';

/** Locks the marks in the order in which `MARK` writes them, so that the two never wait for each other in a circle. */
const FORGET_SEEN = `WITH seen AS MATERIALIZED (
    SELECT tree.task_id FROM unpublished_trees tree
    JOIN unnest($1::text[], $2::bigint[]) AS mark (task_id, version)
      ON mark.task_id = tree.task_id AND mark.version = tree.version
    ORDER BY tree.task_id FOR UPDATE OF tree
  ) DELETE FROM unpublished_trees tree USING seen WHERE tree.task_id = seen.task_id`;

const marksWhere = (condition: string): string => `SELECT task_id AS "taskId", version, block_number AS "blockNumber"
  FROM unpublished_trees WHERE ${condition} AND retry_at <= $1 ORDER BY retry_at, task_id LIMIT $2`;
const WAITING = marksWhere('NOT is_apart');
const DUE_APART = marksWhere('is_apart');

const BACKLOG = `SELECT (SELECT count(*)::integer FROM unpublished_trees WHERE attempts = 0) AS waiting,
  (SELECT count(*)::integer FROM unpublished_trees WHERE attempts > 0) AS "setAside",
  (SELECT min(block_number) FROM unpublished_trees WHERE attempts = 0 AND NOT is_apart) AS "firstBlock"`;

/** A tree that is to be published, as its mark was seen. */
export interface MarkedTree {
  readonly taskId: string;
  /** Says whether the mark is still the same. */
  readonly version: string;
  readonly blockNumber: number;
}

/** How far the published trees lag behind the facts of the index. */
export interface Backlog {
  /** Trees that wait their turn. */
  readonly waiting: number;
  /** Trees that could not be projected. */
  readonly setAside: number;
  /** Every fact below this block is shown, but for those of trees that are apart; null: every fact is. */
  readonly firstBlock: number | null;
}

/** The durable record of trees to publish: a mark is written with the facts and removed with their publication. */
@Injectable()
export class UnpublishedTrees {
  constructor(private readonly clock: Clock) {}

  /** Those of these tasks whose trees are published by themselves, so that they make no others wait. */
  async apartAmong(manager: EntityManager, taskIds: readonly string[]): Promise<Set<string>> {
    if (taskIds.length === 0) return new Set();
    const rows = await manager.query<{ id: string }[]>(APART, [[...taskIds]]);
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Marks trees that have facts, from `block` on, that are not shown yet. A tree that failed is tried again soon.
   * Must be the last write of its transaction, because publishers also touch the marks last.
   * @param apart those of the trees that are published by themselves.
   */
  async mark(
    manager: EntityManager,
    taskIds: readonly string[],
    block: number,
    apart: ReadonlySet<string>,
  ): Promise<void> {
    const areApart = taskIds.map((taskId) => apart.has(taskId));
    if (taskIds.length > 0) await manager.query(MARK, [[...taskIds], block, areApart, this.clock.now()]);
  }

  /** Sets a tree aside that could not be projected. @returns how often that has failed by now. */
  async setAside(manager: EntityManager, taskId: string, block: number, error: Error): Promise<number> {
    const reason = reasonOf(error);
    const values = [taskId, block, reason, this.clock.now()];
    const [row] = await manager.query<{ attempts: number }[]>(SET_ASIDE, values);
    return row?.attempts ?? 1;
  }

  /** Removes the marks of published trees. The caller holds `IndexStore.lockTip`, so nobody else marks them meanwhile. */
  async forget(manager: EntityManager, taskIds: readonly string[]): Promise<void> {
    if (taskIds.length > 0) await manager.query(FORGET, [[...taskIds]]);
  }

  /** Removes these marks of published trees; a mark that is newer than the one read stays. */
  async forgetSeen(manager: EntityManager, trees: readonly MarkedTree[]): Promise<void> {
    if (trees.length === 0) return;
    await manager.query(FORGET_SEEN, [trees.map(({ taskId }) => taskId), trees.map(({ version }) => version)]);
  }

  /** The next trees that wait to be published with others, at most `count`. */
  waiting(manager: EntityManager, count: number): Promise<MarkedTree[]> {
    return manager.query<MarkedTree[]>(WAITING, [this.clock.now(), count]);
  }

  /** The next trees that are to be published by themselves, at most `count`. */
  dueApart(manager: EntityManager, count: number): Promise<MarkedTree[]> {
    return manager.query<MarkedTree[]>(DUE_APART, [this.clock.now(), count]);
  }

  async backlog(manager: EntityManager): Promise<Backlog> {
    const [backlog] = await manager.query<Backlog[]>(BACKLOG);
    return backlog ?? { waiting: 0, setAside: 0, firstBlock: null };
  }
}

function reasonOf({ name, message }: Error): string {
  return stripControls(`${name}: ${message}`).replace(/\s+/gu, ' ').slice(0, REASON_LENGTH);
}
