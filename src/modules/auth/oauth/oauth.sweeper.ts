import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../platform/time/clock.js';

const INTERVAL_MS = 60_000;
const BATCH = 1000;
/** An application that registered itself and was never allowed anything is forgotten after a day. */
const UNUSED_MS = 86_400_000;

// Rows that a request or another process holds are left for the next round.
const EXPIRED_RECORDS = `
  DELETE FROM oauth_records WHERE (kind, id_hash) IN (
    SELECT kind, id_hash FROM oauth_records WHERE expires_at <= $1
    ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;
const EXPIRED_PROOFS = `
  DELETE FROM dpop_proofs WHERE proof_hash IN (
    SELECT proof_hash FROM dpop_proofs WHERE expires_at <= $1
    ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;
/** Whoever was allowed something once stays, so that it can be named and its next request is not refused. */
const UNUSED_CLIENTS = `
  DELETE FROM oauth_records WHERE (kind, id_hash) IN (
    SELECT client.kind, client.id_hash FROM oauth_records client
    WHERE client.kind = 'Client' AND client.payload->>'registered_by' = 'self' AND client.created_at <= $1
      AND NOT EXISTS (SELECT 1 FROM oauth_grants allowed WHERE allowed.client_id = client.payload->>'client_id')
    ORDER BY client.created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;

/** Deletes what has expired of the authorization server, and applications that nobody ever allowed anything. */
@Injectable()
export class OAuthSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('oauth');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.sweepQuietly();
    }, INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Deletes everything that is over, in batches; returns how many rows. */
  async sweep(): Promise<number> {
    const now = this.clock.wall();
    const unusedSince = new Date(now.getTime() - UNUSED_MS);
    const records = await this.all(EXPIRED_RECORDS, now);
    const proofs = await this.all(EXPIRED_PROOFS, now);
    return records + proofs + (await this.all(UNUSED_CLIENTS, unusedSince));
  }

  private async all(statement: string, until: Date): Promise<number> {
    let deleted = 0;
    for (let batch = BATCH; batch === BATCH && !this.stopped; deleted += batch) {
      [, batch] = await this.dataSource.query<[unknown[], number]>(statement, [until]);
    }
    return deleted;
  }

  private async sweepQuietly(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.warn(`Expired records of the authorization server stay until the next round: ${String(error)}`);
    }
  }
}
