import { Injectable } from '@nestjs/common';
import { newId } from '#libs/kernel';
import { ReadConnections } from '../../platform/database/read-connections.js';
import { Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { MatchSnapshotEntity, type RankedAgent } from './match-snapshot.entity.js';
import { SNAPSHOT_SLICE } from './match-page.sql.js';

/** As long as the cursors that lead to it. rule: design/interface.md §3 */
const LIFETIME_MS = 72 * 3_600 * 1_000;
/** Expired snapshots that a new one takes away with it. */
const SWEPT_AT_ONCE = 20;

/** Whose ranking of which task. */
export interface SnapshotOwner {
  taskId: string;
  accountId: string;
}

/** Part of a frozen ranking. */
export interface SnapshotSlice {
  /** JSON array of `RankedAgent`, as stored. */
  json: string;
  /** Rows of the whole snapshot. */
  size: number;
}

/** Rankings frozen for the pages after the first, so that those neither repeat nor miss an agent. */
@Injectable()
export class MatchSnapshots {
  constructor(
    private readonly reads: ReadConnections,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Keeps a ranking for 72 hours and returns its id; one equal to what the caller already holds is not kept twice. */
  async freeze({ taskId, accountId }: SnapshotOwner, ranking: RankedAgent[]): Promise<string> {
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
    return this.transactions.run(async (manager) => {
      const same = await manager
        .createQueryBuilder(MatchSnapshotEntity, 'snapshot')
        .select('snapshot.id')
        .where('snapshot.task_id = :taskId AND snapshot.account_id = :accountId', { taskId, accountId })
        .andWhere('snapshot.expires_at > :createdAt AND snapshot.ranking = :ranking::jsonb', {
          createdAt,
          ranking: JSON.stringify(ranking),
        })
        .getOne();
      if (same) {
        await manager.update(MatchSnapshotEntity, { id: same.id }, { expiresAt });
        return same.id;
      }
      const id = newId('snap', createdAt.getTime());
      await manager.insert(MatchSnapshotEntity, { id, taskId, accountId, ranking, createdAt, expiresAt });
      await manager.query(
        `DELETE FROM match_snapshots WHERE id IN (SELECT id FROM match_snapshots WHERE expires_at <= $1
          ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
        [createdAt],
      );
      return id;
    });
  }

  /** The `count` rows behind the first `offset`, or null when the snapshot is not this caller's or has expired. */
  async slice(owner: SnapshotOwner, id: string, offset: number, count: number): Promise<SnapshotSlice | null> {
    const { name, text } = SNAPSHOT_SLICE;
    const now = this.clock.now().toISOString();
    const values = [id, owner.taskId, owner.accountId, now, offset, offset + count - 1];
    const [row] = await this.reads.query<{ size: string; slice: string }>(name, text, values);
    return row ? { json: row.slice, size: Number(row.size) } : null;
  }
}
