import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import pg from 'pg';
import { Environment } from '../config/environment.js';

const CONNECT_TIMEOUT_MS = 1_500;
const QUERY_TIMEOUT_MS = 1_500;

/**
 * A connection of its own for the readiness probe: whether the database answers must not depend on whether a connection of
 * the write pool happens to be free. It is opened when it is first needed, and again after it broke: that it broke while
 * nobody asked says nothing of the database.
 */
@Injectable()
export class HealthConnection implements OnModuleDestroy {
  private client: Promise<pg.Client> | null = null;

  constructor(private readonly environment: Environment) {}

  /** Resolves when the database answers. @throws the driver's error when it does not within three seconds. */
  async check(): Promise<void> {
    const wasOpen = this.client !== null;
    try {
      await this.ask();
    } catch (error) {
      if (!wasOpen) throw error;
      await this.ask();
    }
  }

  async onModuleDestroy(): Promise<void> {
    const { client } = this;
    this.client = null;
    const open = await client?.catch(() => null);
    await open?.end();
  }

  private async ask(): Promise<void> {
    const opening = (this.client ??= this.open());
    try {
      await (await opening).query('SELECT 1');
    } catch (error) {
      this.forget(opening);
      throw error;
    }
  }

  private async open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.environment.databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'tasktree-health',
    });
    // The next check finds that it is broken; without a listener the process would end.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Drops a broken connection; the next check opens another. */
  private forget(opening: Promise<pg.Client>): void {
    if (this.client !== opening) return;
    this.client = null;
    opening.then((client) => client.end()).catch(() => undefined);
  }
}
