import { Logger, type OnModuleDestroy } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Principal } from '../../platform/http/principal.js';
import { noteLastUses, type TableOfCredentials } from './credential-usage.sql.js';

/** Precision of `last_used_at`. */
const PRECISION_MS = 60_000;
const FLUSH_MS = 5_000;

/** A used credential and the time at which its use was last noted. */
export interface UsedCredential {
  readonly principal: Principal;
  /** Milliseconds since the epoch. */
  notedAtMs: number;
}

/**
 * Writes `last_used_at` of one kind of credential off the request path: many in one statement, each at most once a
 * minute.
 */
export abstract class CredentialUsage implements OnModuleDestroy {
  private readonly logger = new Logger('credentials');
  private readonly pending = new Map<string, Date>();
  private readonly statement: string;
  private timer: NodeJS.Timeout | undefined;

  /** @param table has the columns `id` and `last_used_at`. */
  protected constructor(
    private readonly dataSource: DataSource,
    private readonly table: TableOfCredentials,
  ) {
    this.statement = noteLastUses(table, PRECISION_MS);
  }

  /** Notes a use, unless one was noted within the last minute. @param nowMs milliseconds by the wall clock. */
  noteUse(credential: UsedCredential, nowMs: number): void {
    if (nowMs - credential.notedAtMs < PRECISION_MS) return;
    credential.notedAtMs = nowMs;
    this.note(credential.principal.credentialId, nowMs);
  }

  note(id: string, atMs: number): void {
    this.pending.set(id, new Date(atMs));
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes the pending notes to the database. A failure is logged and loses only these notes. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending.size === 0) return;
    const ids = [...this.pending.keys()];
    const times = [...this.pending.values()];
    this.pending.clear();
    try {
      await this.dataSource.query(this.statement, [ids, times]);
    } catch (error) {
      this.logger.warn(`The last use of ${ids.length} rows of ${this.table} was not written: ${String(error)}`);
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }
}
