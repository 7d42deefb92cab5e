import type { EntityManager } from 'typeorm';
import { listsOf } from '../../../platform/database/prepared-lists.js';
import { runPrepared, runWithNext } from '../../../platform/database/transactions.js';
import { LOCK_HEAD } from './event-sequencer.sql.js';

/** Events of one block, one tree and one audience. */
export interface ChainEvents {
  /** Absent while the events wait in the outbox for their place in the log. */
  readonly id: string | null;
  readonly taskId: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  /** Ids of accounts, or `public` alone. */
  readonly audience: readonly string[];
  readonly eventIds: readonly string[];
}

/**
 * Those of each task $1 above its block $2, of which there are few: no older than the blocks that are kept. The sequencer
 * remembers what it moves; what it has not moved yet is in the outbox.
 */
const ABOVE = {
  name: 'chain-events-above',
  text: `WITH tree AS MATERIALIZED (
      SELECT task_id, block_number FROM unnest(${listsOf('text', 'integer')}) AS tree (task_id, block_number)
    ), lowest AS (SELECT min(block_number) AS block FROM tree)
    SELECT own.id, own.task_id AS "taskId", own.block_number AS "blockNumber", own.block_hash AS "blockHash", own.audience,
      own.event_ids AS "eventIds", 0 AS place, own.id AS first
    FROM tree JOIN chain_events own ON own.task_id = tree.task_id AND own.block_number > tree.block_number
    WHERE own.block_number > (SELECT block FROM lowest)
    UNION ALL
    SELECT NULL, own.task_id, own.block_number, own.block_hash, own.audience, array_agg(own.event_id ORDER BY own.id), 1, min(own.id)
    FROM tree JOIN event_outbox own ON own.task_id = tree.task_id AND own.block_number > tree.block_number
    GROUP BY own.task_id, own.block_number, own.block_hash, own.audience
    ORDER BY "blockNumber", place, first`,
};

const DELETE = {
  name: 'chain-events-delete',
  text: `DELETE FROM chain_events USING unnest(${listsOf('integer', 'bigint')}) AS undone (block_number, id)
    WHERE chain_events.block_number = undone.block_number AND chain_events.id = undone.id`,
};

const DETACH = {
  name: 'chain-events-detach',
  text: 'UPDATE event_outbox SET block_number = NULL, block_hash = NULL WHERE event_id = ANY ($1)',
};

const FORGET = { name: 'chain-events-forget', text: 'DELETE FROM chain_events WHERE block_number < $1' };

/**
 * What is remembered of events of tasks above a block of each, in the order of the blocks. The sequencer waits for the end of
 * the transaction, so that no event moves out of the outbox, and past `forgetUndone`, meanwhile.
 */
export async function chainEventsAbove(
  manager: EntityManager,
  trees: readonly { readonly taskId: string; readonly block: number }[],
): Promise<ChainEvents[]> {
  if (trees.length === 0) return [];
  await manager.query(LOCK_HEAD);
  return runPrepared<ChainEvents>(manager, ABOVE, [trees.map(({ taskId }) => taskId), trees.map(({ block }) => block)]);
}

/** Forgets that the chain has caused these events, in the transaction of `chainEventsAbove`: it has undone them. */
export async function forgetUndone(manager: EntityManager, undone: readonly ChainEvents[]): Promise<void> {
  const stored = undone.filter(({ id }) => id !== null);
  const waiting = undone.filter(({ id }) => id === null);
  if (stored.length > 0) {
    await runPrepared(manager, DELETE, [stored.map(({ blockNumber }) => blockNumber), stored.map(({ id }) => id)]);
  }
  if (waiting.length > 0) await runPrepared(manager, DETACH, [waiting.flatMap(({ eventIds }) => eventIds)]);
}

/** Forgets the events of blocks below `block`, which the chain replaces no more. Sent with the next statement. */
export function forgetFinal(manager: EntityManager, block: number): Promise<void> {
  return runWithNext(manager, FORGET, [block]);
}
