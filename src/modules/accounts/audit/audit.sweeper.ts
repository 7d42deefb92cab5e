import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { deleteBatch } from '../../../platform/database/expired-rows.sql.js';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { AuditPartitions } from './audit-partitions.js';

const DAY_MS = 86_400_000;
/**
 * Days for which events without an account are kept; shorter, because they name networks. Postgres refuses to delete
 * rows younger than 30 days.
 */
const ANONYMOUS_KEPT_DAYS = 31;

/** Events whose ids carry no time. They belong to no month's table, so their rows are deleted one by one. */
const OTHER_EVENTS = deleteBatch('audit_events_other', 'id', 'occurred_at <= $1', 'occurred_at');
const ANONYMOUS_EVENTS = deleteBatch(
  'audit_events',
  'id',
  'occurred_at <= $1 AND account_id IS NULL AND request_id IS NOT NULL',
  'occurred_at',
);
const COUNTS = deleteBatch('audit_counts', 'hour, event, source', 'hour <= $1', 'hour');
const NETWORK_COUNTS = deleteBatch(
  'audit_counts',
  'hour, event, source',
  "hour <= $1 AND source NOT LIKE 'acct\\_%'",
  'hour',
);

/**
 * Makes the tables of coming months and ends old records. A month of events is detached as a whole once all of it is
 * older than AUDIT_RETENTION_DAYS, and waits for `npm run audit -- archive`. Events without an account are deleted
 * after 31 days.
 */
@Injectable()
export class AuditSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'audit', 'audit rows');
  }

  /** Returns how many rows were deleted. */
  override async sweep(): Promise<number> {
    const kept = this.before(this.environment.auditRetentionDays);
    const keptAnonymous = this.before(ANONYMOUS_KEPT_DAYS);
    await this.transactions.run((manager) => new AuditPartitions(manager).prepare(this.clock.wall()));
    await this.transactions.run((manager) => new AuditPartitions(manager).detachOver(kept));
    const events = (await this.deleteAll(OTHER_EVENTS, kept)) + (await this.deleteAll(ANONYMOUS_EVENTS, keptAnonymous));
    return events + (await this.deleteAll(COUNTS, kept)) + (await this.deleteAll(NETWORK_COUNTS, keptAnonymous));
  }

  private before(days: number): Date {
    return new Date(this.clock.wallMs() - days * DAY_MS);
  }
}
