import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared, runWithNext, type Transactions } from '../database/transactions.js';
import { Sealer } from '../secrets/sealer.js';
import { Clock } from '../time/clock.js';

/** The answer of a key's first use. */
export interface StoredAnswer {
  status: 200 | 409;
  text: string;
  headers: Readonly<Record<string, string>>;
  /** Version that served it. */
  version: string;
  fingerprint: Buffer;
}

/** The members that a reservation writes. */
export interface Reservation {
  scope: Buffer;
  fingerprint: Buffer;
  accountId: string;
  operationId: string;
  version: string;
}

interface RecordRow {
  fingerprint: Buffer;
  api_version: string;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  expired: boolean;
}

// The lock wait is bounded by the statement itself (set_config is local to the transaction): one round trip.
const RESERVE: PreparedStatement = {
  name: 'idempotency-reserve',
  text: `
  WITH bound AS MATERIALIZED (SELECT set_config('lock_timeout', $8, true))
  INSERT INTO idempotency_records
    (scope_hash, fingerprint, api_version, account_id, operation_id, status, headers, body, created_at, expires_at)
  SELECT $1, $2, $3, $4, $5, 0, '{}', '', $6, $7 FROM bound
  ON CONFLICT (scope_hash) DO NOTHING
  RETURNING 1 AS reserved`,
};
const FIND = `
  SELECT fingerprint, api_version, status, headers, body, expires_at <= $2 AS expired
  FROM idempotency_records WHERE scope_hash = $1`;
const ANSWER: PreparedStatement = { name: 'idempotency-answer', text: FIND };
const FIND_LOCKED: PreparedStatement = { name: 'idempotency-find', text: `${FIND} FOR UPDATE` };
const FORGET = 'DELETE FROM idempotency_records WHERE scope_hash = $1';
const COMPLETE: PreparedStatement = {
  name: 'idempotency-complete',
  text: 'UPDATE idempotency_records SET status = $2, headers = $3, body = $4 WHERE scope_hash = $1',
};

/** The rows of `idempotency_records`. Bodies are sealed: they hold a signing_url. */
@Injectable()
export class IdempotencyRecords {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes the key if nobody has it; true when it did. While another transaction is taking it, waits for that one to
   * end.
   * @throws the driver's 55P03 after `waitMs`.
   */
  async reserve(
    manager: EntityManager,
    reservation: Reservation,
    waitMs: number,
    retentionSeconds: number,
  ): Promise<boolean> {
    const nowMs = this.clock.nowMs();
    const { scope, fingerprint, version, accountId, operationId } = reservation;
    const rows = await runPrepared(manager, RESERVE, [
      scope,
      fingerprint,
      version,
      accountId,
      operationId,
      new Date(nowMs),
      new Date(nowMs + retentionSeconds * 1000),
      `${waitMs}ms`,
    ]);
    return rows.length === 1;
  }

  /** The key's committed answer; null when it has expired or there is none. Waits for no lock. */
  async answerOf(transactions: Transactions, scope: Buffer): Promise<StoredAnswer | null> {
    const [row] = await transactions.lookUp<RecordRow>(ANSWER, [scope, this.clock.now()]);
    return row && !row.expired ? this.opened(row, scope) : null;
  }

  /** The key's answer, locked; null (and the row gone) when it has expired, null when there is none. */
  async find(manager: EntityManager, scope: Buffer): Promise<StoredAnswer | null> {
    const [row] = await runPrepared<RecordRow>(manager, FIND_LOCKED, [scope, this.clock.now()]);
    if (!row) return null;
    if (row.expired) {
      await manager.query(FORGET, [scope]);
      return null;
    }
    return this.opened(row, scope);
  }

  /** Stores the answer of a reserved key, as the last thing before COMMIT. */
  async complete(manager: EntityManager, scope: Buffer, answer: StoredAnswer): Promise<void> {
    const body = this.sealer.seal('idempotency-body', Buffer.from(answer.text, 'utf8'), scope.toString('hex'));
    await runWithNext(manager, COMPLETE, [scope, answer.status, JSON.stringify(answer.headers), body]);
  }

  private opened(row: RecordRow, scope: Buffer): StoredAnswer {
    const body = this.sealer.open('idempotency-body', row.body, scope.toString('hex'));
    if (!body) throw new Error('A stored answer cannot be opened: APP_SECRET was changed while it was kept');
    const { fingerprint, headers, api_version: version } = row;
    return { status: row.status === 409 ? 409 : 200, text: body.toString('utf8'), headers, version, fingerprint };
  }
}
