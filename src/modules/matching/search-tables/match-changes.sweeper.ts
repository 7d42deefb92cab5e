import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteBatch, ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';

/** How long a reader may fall behind before it has to load everything anew. (policy) */
export const CHANGES_KEPT_MS = 3_600_000;

/** The first transaction whose changes may not be in the rows of agents yet (agent-rows/), however late those are. */
const NOT_APPLIED = `coalesce((SELECT pg_snapshot_xmin(applied::pg_snapshot)::text::bigint FROM match_agents_state),
  9223372036854775807)`;

const CHANGES = deleteBatch(
  'match_changes',
  'seq',
  `created_at <= $1 AND transaction_id < ${NOT_APPLIED}`,
  'created_at',
);

/** Deletes changes that the rows of agents have, and every index in memory has seen or is too late for. */
@Injectable()
export class MatchChangesSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'matching', 'changes of matches');
  }

  override sweep(): Promise<number> {
    return this.deleteAll(CHANGES, new Date(this.clock.nowMs() - CHANGES_KEPT_MS));
  }
}
