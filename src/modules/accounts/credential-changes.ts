import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { ChannelListener } from '../../platform/database/notifications/channel-listener.js';
import { Transactions } from '../../platform/database/transactions.js';

const CHANNEL = 'tasktree_credentials';

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
  private readonly listener: ChannelListener;

  constructor({ databaseUrl }: Environment, transactions: Transactions) {
    transactions.onNotify(CHANNEL, (id) => this.tell(id));
    this.listener = new ChannelListener({
      databaseUrl,
      channel: CHANNEL,
      application: 'tasktree-credentials',
      onNotification: (id) => this.tell(id),
      onLost: () => this.tell(null),
      onFailure: (error) =>
        this.logger.warn(`API keys are looked up for each request, their changes are not heard: ${String(error)}`),
    });
  }

  /** True while changes of other processes arrive; only then may credentials be cached. */
  get isListening(): boolean {
    return this.listener.isListening;
  }

  /** @param handler gets the id of a changed key or account, or null when any of them may have changed. */
  onChange(handler: (id: string | null) => void): void {
    this.handlers.push(handler);
  }

  onApplicationBootstrap(): void {
    this.listener.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.listener.stop();
  }

  private tell(id: string | null): void {
    for (const handler of this.handlers) handler(id);
  }
}
