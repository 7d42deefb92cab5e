import { type DataSource, MoreThan } from 'typeorm';
import { UnpublishedTreeEntity } from '../../modules/escrow/publication/unpublished-tree.entity.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import type { ToolResult } from '../operator-tool.js';
import type { TreesCommand } from './trees-arguments.js';
import { ALL, RETRY } from './trees-commands.sql.js';

/** Most trees that are listed: those that were set aside first. */
const LISTED = 200;

/** Reads and moves the record that the indexer keeps of trees which it could not project. */
export class TreesCommands {
  private readonly clock = new Clock();

  constructor(private readonly dataSource: DataSource) {}

  /** @throws ApiError with a sentence for the person at the terminal. */
  run(command: TreesCommand): Promise<ToolResult> {
    return command.name === 'list' ? this.list() : this.retry(command.taskId);
  }

  private async list(): Promise<ToolResult> {
    const { manager } = this.dataSource;
    const where = { attempts: MoreThan(0) };
    const order = { createdAt: 'ASC', taskId: 'ASC' } as const;
    const trees = await manager.find(UnpublishedTreeEntity, { where, order, take: LISTED });
    const setAside = await manager.countBy(UnpublishedTreeEntity, where);
    const waiting = await manager.countBy(UnpublishedTreeEntity, { attempts: 0 });
    const summary = `${setAside} set aside, ${waiting} waiting`;
    return { json: { set_aside: trees.map(wire), total: setAside, waiting }, lines: [...trees.map(lineOf), summary] };
  }

  private async retry(taskId: string): Promise<ToolResult> {
    const rows = await this.dataSource.query<{ task_id: string }[]>(RETRY, [taskId, this.clock.now()]);
    const taskIds = rows.map(({ task_id }) => task_id);
    if (taskIds.length === 0 && taskId !== ALL) {
      throw new ApiError('not_found', `No tree of a task "${taskId}" is set aside.`, 'List those that are.');
    }
    return { json: { retried: taskIds }, lines: taskIds.map((id) => `${id}  is tried again by the running indexer`) };
  }
}

function wire({ taskId, blockNumber, attempts, reason, retryAt, createdAt }: UnpublishedTreeEntity) {
  return {
    task_id: taskId,
    block_number: blockNumber,
    attempts,
    reason,
    retry_at: retryAt.toISOString(),
    since: createdAt.toISOString(),
  };
}

function lineOf({ taskId, blockNumber, attempts, reason, retryAt, createdAt }: UnpublishedTreeEntity): string {
  const since = `since ${createdAt.toISOString()} (block ${blockNumber})`;
  const next = `${attempts} attempts, next ${retryAt.toISOString()}`;
  return [taskId, since, next, reason ?? ''].join('  ');
}
