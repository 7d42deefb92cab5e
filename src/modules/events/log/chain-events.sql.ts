import type { EntityManager } from 'typeorm';
import { lineColumnsOf, linesOf, listsOf } from '../../../platform/database/prepared-lists.js';
import { runPrepared, runWithNext } from '../../../platform/database/transactions.js';

/** Events of one block, one tree and one audience. */
export interface ChainEvents {
  readonly taskId: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  /** Ids of accounts, or `public` alone. */
  readonly audience: readonly string[];
  readonly eventIds: readonly string[];
}

/** Such events as they are stored. */
export interface StoredChainEvents extends ChainEvents {
  readonly id: string;
}

/** Ids hold no space, so that lists of them travel as one text. */
const INSERT = {
  name: 'chain-events-insert',
  text: `INSERT INTO chain_events (block_number, block_hash, task_id, audience, event_ids)
    SELECT block_number, block_hash, task_id, string_to_array(audience, ' '), string_to_array(event_ids, ' ')
    FROM (SELECT ${lineColumnsOf({
      block_number: 'integer',
      block_hash: 'text',
      task_id: 'text',
      audience: 'text',
      event_ids: 'text',
    })}) AS told`,
};

/** Those of each task $1 above its block $2, of which there are few: no older than the blocks that are kept. */
const ABOVE = {
  name: 'chain-events-above',
  text: `SELECT own.id, own.task_id AS "taskId", own.block_number AS "blockNumber", own.block_hash AS "blockHash", own.audience,
      own.event_ids AS "eventIds"
    FROM unnest(${listsOf('text', 'integer')}) AS tree (task_id, block_number)
    JOIN chain_events own ON own.task_id = tree.task_id AND own.block_number > tree.block_number
    WHERE own.block_number > (SELECT min(block) FROM unnest($2::integer[]) AS block)
    ORDER BY own.block_number, own.id`,
};

const DELETE = {
  name: 'chain-events-delete',
  text: `DELETE FROM chain_events USING unnest(${listsOf('integer', 'bigint')}) AS undone (block_number, id)
    WHERE chain_events.block_number = undone.block_number AND chain_events.id = undone.id`,
};

const FORGET = { name: 'chain-events-forget', text: 'DELETE FROM chain_events WHERE block_number < $1' };

/** Remembers events with the blocks that they came from. The statement is sent with the transaction's next one. */
export async function rememberChainEvents(manager: EntityManager, told: readonly ChainEvents[]): Promise<void> {
  if (told.length === 0) return;
  await runWithNext(manager, INSERT, [
    linesOf(told.map(({ blockNumber }) => blockNumber)),
    linesOf(told.map(({ blockHash }) => blockHash)),
    linesOf(told.map(({ taskId }) => taskId)),
    linesOf(told.map(({ audience }) => audience.join(' '))),
    linesOf(told.map(({ eventIds }) => eventIds.join(' '))),
  ]);
}

/** What is remembered of events of tasks above a block of each, in the order of the blocks. */
export async function chainEventsAbove(
  manager: EntityManager,
  trees: readonly { readonly taskId: string; readonly block: number }[],
): Promise<StoredChainEvents[]> {
  if (trees.length === 0) return [];
  return runPrepared<StoredChainEvents>(manager, ABOVE, [
    trees.map(({ taskId }) => taskId),
    trees.map(({ block }) => block),
  ]);
}

/** Forgets events that the chain has undone. */
export async function forgetUndone(manager: EntityManager, undone: readonly StoredChainEvents[]): Promise<void> {
  if (undone.length === 0) return;
  await runPrepared(manager, DELETE, [undone.map(({ blockNumber }) => blockNumber), undone.map(({ id }) => id)]);
}

/** Forgets the events of blocks below `block`, which the chain replaces no more. Sent with the next statement. */
export function forgetFinal(manager: EntityManager, block: number): Promise<void> {
  return runWithNext(manager, FORGET, [block]);
}
