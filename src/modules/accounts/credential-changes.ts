import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import pg from 'pg';
import { Environment } from '../../platform/config/environment.js';
import { Transactions } from '../../platform/database/transactions.js';

const CHANNEL = 'tasktree_credentials';
const CONNECT_TIMEOUT_MS = 3_000;
const RETRY_MS = 1_000;

/**
 * Tells every process, when the transaction commits, that a credential has changed: `id` names a key, or an account for
 * all its credentials. This process handles the change before the request is answered, so a revoked key no longer works
 * here once the caller has the answer.
 */
export function announceCredentialChange(transactions: Transactions, id: string): Promise<void> {
  return transactions.notify(CHANNEL, id);
}

/**
 * Reports changed credentials: changes of this process when they commit, changes of other processes by Postgres LISTEN.
 * While the connection is down, changes of others are missed, so no credential may be cached then: see `isListening`.
 */
@Injectable()
export class CredentialChanges implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('credentials');
  private readonly handlers: ((id: string | null) => void)[] = [];
  private client: pg.Client | null = null;
  private retry: NodeJS.Timeout | undefined;
  private connecting: Promise<void> = Promise.resolve();
  private listening = false;
  private stopped = false;

  constructor(
    private readonly environment: Environment,
    transactions: Transactions,
  ) {
    transactions.onNotify(CHANNEL, (id) => this.tell(id));
  }

  /** True while changes of other processes arrive; only then may credentials be cached. */
  get isListening(): boolean {
    return this.listening;
  }

  /** @param handler gets the id of a changed key or account, or null when any of them may have changed. */
  onChange(handler: (id: string | null) => void): void {
    this.handlers.push(handler);
  }

  onApplicationBootstrap(): void {
    this.connecting = this.connect();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.connecting;
    await this.client?.end();
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.environment.databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'tasktree-credentials',
    });
    client.on('notification', ({ payload }) => this.tell(payload ?? null));
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.listening = true;
    } catch (error) {
      this.logger.warn(`API keys are looked up for each request, their changes are not heard: ${String(error)}`);
      this.lost(client);
    }
  }

  /** Drops a lost connection, reports that any credential may have changed, and reconnects after RETRY_MS. */
  private lost(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = null;
    this.listening = false;
    this.tell(null);
    client.end().catch(() => undefined);
    if (this.stopped) return;
    this.retry = setTimeout(() => {
      this.connecting = this.connect();
    }, RETRY_MS).unref();
  }

  private tell(id: string | null): void {
    for (const handler of this.handlers) handler(id);
  }
}
