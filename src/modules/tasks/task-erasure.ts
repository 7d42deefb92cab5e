import type { EntityManager } from 'typeorm';
import { TaskEntity } from './task.entity.js';
import type { TaskStore } from './task-store.js';

/**
 * Renders the documents of a buyer's tasks again after their texts were erased, in the caller's transaction. The terms
 * hash stays as signed; it can be checked only by somebody who kept the text.
 * @returns ids of the tasks.
 */
export async function renderErasedTasks(
  manager: EntityManager,
  store: TaskStore,
  accountId: string,
): Promise<string[]> {
  const order = { id: 'ASC' } as const;
  const own = await manager.find(TaskEntity, { select: { id: true }, where: { buyerAccountId: accountId }, order });
  for (const { id } of own) {
    const task = await store.load(manager, id, { lock: true });
    if (task) await store.save(manager, task);
  }
  return own.map(({ id }) => id);
}
