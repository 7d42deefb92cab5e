import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../platform/time/clock.js';
import { TaskDto } from './dto/task.dto.js';
import { TaskEntity } from './task.entity.js';

/** Writes of task rows. The only place that renders a task's document, so that row and document never differ. */
@Injectable()
export class TaskStore {
  constructor(private readonly clock: Clock) {}

  /** The task whoever asks, or null; `lock` keeps other writers of the row out until the transaction ends. */
  load(manager: EntityManager, taskId: string, { lock = false } = {}): Promise<TaskEntity | null> {
    return manager.findOne(TaskEntity, {
      where: { id: taskId },
      ...(lock ? { lock: { mode: 'pessimistic_write' as const } } : {}),
    });
  }

  async save(manager: EntityManager, task: TaskEntity): Promise<void> {
    task.updatedAt = this.clock.now();
    task.document = JSON.stringify(TaskDto.from(task));
    await manager.save(TaskEntity, task);
  }

  /**
   * The next unused node number of the task's tree, starting at 1. Numbers are never given out twice, also when what
   * they were meant for is never signed: the contract refuses re-use, a gap is free.
   */
  async nextNodeNumber(manager: EntityManager, taskId: string): Promise<number> {
    const result: unknown = await manager.query(
      'UPDATE tasks SET node_sequence = node_sequence + 1 WHERE id = $1 RETURNING node_sequence',
      [taskId],
    );
    return nodeSequenceOf(result, taskId);
  }
}

/** TypeORM answers an UPDATE with `[rows, count]`. */
function nodeSequenceOf(result: unknown, taskId: string): number {
  const rows: unknown = Array.isArray(result) ? result[0] : undefined;
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  if (typeof row === 'object' && row !== null && 'node_sequence' in row && typeof row.node_sequence === 'number') {
    return row.node_sequence;
  }
  throw new Error(`task ${taskId} does not exist`);
}
