import pg from 'pg';

const CONNECT_TIMEOUT_MS = 3_000;
const RETRY_MS = 1_000;

/** What is listened to, and who hears it. */
export interface ListenedChannel {
  databaseUrl: string;
  channel: string;
  /** `application_name` of the connection. */
  application: string;
  /** Gets the payload of each notification, in the order of the commits. */
  onNotification: (payload: string) => void;
  /** Called each time when notifications begin to arrive; those of the time before are missed. */
  onListening?: () => void;
  /** Called each time when they no longer arrive, and for each attempt that fails to make them arrive. */
  onLost?: () => void;
  /** Gets the reason of each attempt that fails. */
  onFailure: (error: unknown) => void;
}

/**
 * Listens to one channel of Postgres on a connection of its own, and connects anew when that is lost. It is none of the
 * watched connections (watched-client.ts), which end when nothing was heard for a while: here silence is the ordinary
 * state. So a connection that dies without a word is noticed late, and who must not miss a notification looks by itself
 * from time to time.
 */
export class ChannelListener {
  private client: pg.Client | null = null;
  private retry: NodeJS.Timeout | undefined;
  private connecting: Promise<void> = Promise.resolve();
  private listening = false;
  private stopped = false;

  constructor(private readonly own: ListenedChannel) {}

  /** True while notifications arrive. */
  get isListening(): boolean {
    return this.listening;
  }

  /** Begins to connect. Call it once. */
  start(): void {
    this.connecting = this.connect();
  }

  /** Ends the connection for good. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.connecting;
    await this.client?.end();
  }

  private async connect(): Promise<void> {
    const { databaseUrl, channel, application, onNotification, onListening, onFailure } = this.own;
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: application,
    });
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      onFailure(error);
      this.lost(client);
      return;
    }
    this.listening = true;
    onListening?.();
  }

  private lost(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = null;
    this.listening = false;
    this.own.onLost?.();
    client.end().catch(() => undefined);
    if (this.stopped) return;
    this.retry = setTimeout(() => this.start(), RETRY_MS).unref();
  }
}
