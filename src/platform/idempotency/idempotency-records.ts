import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Ask } from '../database/batch/held-statements.js';
import { type BoundStatement, runWithNext, type Transactions } from '../database/transactions.js';
import { Sealer } from '../secrets/sealer.js';
import { Clock } from '../time/clock.js';
import {
  COMPLETE_KEY,
  FIND_ANSWER,
  FORGET_KEY,
  LOCK_ANSWER,
  type RecordRow,
  RESERVE_KEY,
} from './idempotency-records.sql.js';

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

/** The rows of `idempotency_records`. Bodies are sealed: they hold a signing_url. */
@Injectable()
export class IdempotencyRecords {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /**
   * The statement that takes the key if nobody has it; it has a row when it did. While another transaction is taking
   * the key, it waits for that one to end, and fails with 55P03 after `waitMs`.
   */
  reservation(reservation: Reservation, waitMs: number, retentionSeconds: number): BoundStatement {
    const nowMs = this.clock.nowMs();
    const { scope, fingerprint, version, accountId, operationId } = reservation;
    const values = [
      scope,
      fingerprint,
      version,
      accountId,
      operationId,
      new Date(nowMs),
      new Date(nowMs + retentionSeconds * 1000),
      `${waitMs}ms`,
    ];
    return { ...RESERVE_KEY, values };
  }

  /** The key's committed answer; null when it has expired or there is none. Waits for no lock. */
  async answerOf(transactions: Transactions, scope: Buffer): Promise<StoredAnswer | null> {
    const [row] = await transactions.lookUp<RecordRow>(FIND_ANSWER, [scope, this.clock.now()]);
    return row && !row.expired ? this.opened(row, scope) : null;
  }

  /** The key's answer, locked; null (and the row gone) when it has expired, null when there is none. */
  async find(ask: Ask, scope: Buffer): Promise<StoredAnswer | null> {
    const [row] = (await ask({ ...LOCK_ANSWER, values: [scope, this.clock.now()] })).rows as RecordRow[];
    if (!row) return null;
    if (row.expired) {
      await ask({ text: FORGET_KEY, values: [scope] });
      return null;
    }
    return this.opened(row, scope);
  }

  /** Stores the answer of a reserved key, as the last thing before COMMIT. */
  async complete(manager: EntityManager, scope: Buffer, answer: StoredAnswer): Promise<void> {
    const body = this.sealer.seal('idempotency-body', Buffer.from(answer.text, 'utf8'), scope.toString('hex'));
    await runWithNext(manager, COMPLETE_KEY, [scope, answer.status, JSON.stringify(answer.headers), body]);
  }

  private opened(row: RecordRow, scope: Buffer): StoredAnswer {
    const body = this.sealer.open('idempotency-body', row.body, scope.toString('hex'));
    if (!body) throw new Error('A stored answer cannot be opened: APP_SECRET was changed while it was kept');
    const { fingerprint, headers, api_version: version } = row;
    return { status: row.status === 409 ? 409 : 200, text: body.toString('utf8'), headers, version, fingerprint };
  }
}
