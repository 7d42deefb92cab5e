import type { EntityManager } from 'typeorm';
import type { ChainedFact } from '#libs/contracts';
import { runPrepared, runWithNext } from '../../../platform/database/transactions.js';
import { chainEventsAbove, type ChainEvents } from '../../events/log/chain-events.sql.js';
import { SET_TOLD, type TreeBefore, TREES_BEFORE } from './told-trees.sql.js';

export type { TreeBefore };

/** Of each of these tasks, which are locked, what is shown and told of its tree, by task id. */
export async function treesBefore(
  manager: EntityManager,
  taskIds: readonly string[],
): Promise<Map<string, TreeBefore>> {
  const rows = await runPrepared<TreeBefore>(manager, TREES_BEFORE, [[...taskIds]]);
  return new Map(rows.map((row) => [row.taskId, row]));
}

/** The block up to which what was told still holds; -1 when nothing does. */
function toldUpTo({ toldBlock, rolledBackTo }: TreeBefore): number {
  return Math.min(toldBlock ?? -1, rolledBackTo ?? Number.MAX_SAFE_INTEGER);
}

/**
 * True while the index is made again and has not reached the block up to which the tree was told: what is shown of the
 * tree is newer than its facts.
 */
export function isAheadOfIndex(before: TreeBefore): boolean {
  return toldUpTo(before) > before.tip;
}

/** What is still to be told of one tree. */
export interface TreeNews {
  /** True for facts that nothing has told yet. */
  readonly isNew: (fact: ChainedFact) => boolean;
  /** Events of blocks that the chain has replaced. */
  readonly undone: readonly ChainEvents[];
}

/**
 * What was told of those trees that were rolled back since, above the block to which they were; by task id.
 * @param before of all trees that are published
 */
export async function toldAboveRollbacks(
  manager: EntityManager,
  before: Iterable<TreeBefore>,
): Promise<Map<string, ChainEvents[]>> {
  const rolledBack = [...before].flatMap(({ taskId, toldBlock, rolledBackTo }) =>
    rolledBackTo !== null && toldBlock !== null && toldBlock > rolledBackTo ? [{ taskId, block: rolledBackTo }] : [],
  );
  const told = new Map(rolledBack.map(({ taskId }) => [taskId, [] as ChainEvents[]]));
  for (const events of await chainEventsAbove(manager, rolledBack)) told.get(events.taskId)?.push(events);
  return told;
}

/**
 * Compares what was told of a tree with its facts. An event counts as undone only when the index was rolled back below
 * its block and the facts have no such block: `before` was read a moment earlier than the facts, so that either alone may
 * be of the other side of a rollback.
 * @param told of `toldAboveRollbacks`; undefined: the tree was not rolled back.
 */
export function newsOf(before: TreeBefore, facts: readonly ChainedFact[], told: readonly ChainEvents[] = []): TreeNews {
  const upTo = toldUpTo(before);
  if (told.length === 0) return { isNew: ({ blockNumber }) => blockNumber > upTo, undone: [] };
  const standing = new Set(facts.map(({ blockHash }) => blockHash as string));
  const kept = new Set(told.map(({ blockHash }) => blockHash).filter((hash) => standing.has(hash)));
  return {
    isNew: ({ blockNumber, blockHash }) => blockNumber > upTo && !kept.has(blockHash),
    undone: told.filter(({ blockHash }) => !kept.has(blockHash)),
  };
}

/**
 * Notes that all facts of these trees are told. `block` is the newest of them, null when there is none. The statement is
 * sent with the transaction's next one.
 */
export async function noteTold(
  manager: EntityManager,
  trees: readonly { readonly before: TreeBefore; readonly block: number | null }[],
): Promise<void> {
  if (trees.length === 0) return;
  await runWithNext(manager, SET_TOLD, [
    trees.map(({ before }) => before.taskId),
    trees.map(({ block }) => block ?? -1),
    trees.map(({ before }) => before.rollbackId),
  ]);
}
