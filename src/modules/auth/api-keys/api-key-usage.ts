import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** How exact `last_used_at` is. */
export const USAGE_PRECISION_MS = 60_000;
const FLUSH_MS = 5_000;

// Another process may have noted a later use.
const NOTE = `
  UPDATE api_keys SET last_used_at = used.at
  FROM unnest($1::text[], $2::timestamptz[]) AS used(id, at)
  WHERE api_keys.id = used.id
    AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at <= used.at - interval '${USAGE_PRECISION_MS} ms')`;

/** Writes `last_used_at` off the request path: many keys in one statement, each at most once a minute. */
@Injectable()
export class ApiKeyUsage implements OnModuleDestroy {
  private readonly logger = new Logger('credentials');
  private readonly pending = new Map<string, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly dataSource: DataSource) {}

  note(keyId: string, atMs: number): void {
    this.pending.set(keyId, new Date(atMs));
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes what was noted. A failure loses only these notes. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending.size === 0) return;
    const ids = [...this.pending.keys()];
    const times = [...this.pending.values()];
    this.pending.clear();
    try {
      await this.dataSource.query(NOTE, [ids, times]);
    } catch (error) {
      this.logger.warn(`The last use of ${ids.length} keys was not written: ${String(error)}`);
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }
}
