import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { deleteBatch, ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';

const DAY_MS = 86_400_000;
/** What is nobody's account's is kept for less: it names networks. Postgres refuses to delete what is younger than 30. */
const ANONYMOUS_KEPT_DAYS = 31;

const EVENTS = deleteBatch('audit_events', 'id', 'occurred_at <= $1', 'occurred_at');
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

/** Ends the record: of accounts and operators after AUDIT_RETENTION_DAYS, of everybody else after a month. */
@Injectable()
export class AuditSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'audit', 'audit rows');
  }

  override async sweep(): Promise<number> {
    const kept = this.before(this.environment.auditRetentionDays);
    const keptAnonymous = this.before(ANONYMOUS_KEPT_DAYS);
    const events = (await this.deleteAll(EVENTS, kept)) + (await this.deleteAll(ANONYMOUS_EVENTS, keptAnonymous));
    return events + (await this.deleteAll(COUNTS, kept)) + (await this.deleteAll(NETWORK_COUNTS, keptAnonymous));
  }

  private before(days: number): Date {
    return new Date(this.clock.wallMs() - days * DAY_MS);
  }
}
