import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { entities } from '../../src/entities.js';
import { migrations } from '../../src/migrations.js';
import { AgentsModule } from '../../src/modules/agents/agents.module.js';
import { DeliveriesModule } from '../../src/modules/deliveries/deliveries.module.js';
import { EscrowModule } from '../../src/modules/escrow/escrow.module.js';
import { IndexerService } from '../../src/modules/escrow/indexer/indexer.service.js';
import { IndexerStatus } from '../../src/modules/escrow/indexed-chain/indexer-status.js';
import { MatchingModule } from '../../src/modules/matching/matching.module.js';
import { QuotesModule } from '../../src/modules/quotes/quotes.module.js';
import { ReceiptsModule } from '../../src/modules/receipts/receipts.module.js';
import { ReputationModule } from '../../src/modules/reputation/reputation.module.js';
import { TasksModule } from '../../src/modules/tasks/tasks.module.js';
import { ChainModule } from '../../src/platform/chain/chain.module.js';
import { ConfigModule } from '../../src/platform/config/config.module.js';
import type { Environment } from '../../src/platform/config/environment.js';
import { DatabaseModule } from '../../src/platform/database/database.module.js';
import { EventsModule } from '../../src/modules/events/events.module.js';
import { IdempotencyModule } from '../../src/platform/idempotency/idempotency.module.js';
import { LoggingModule } from '../../src/platform/logging/logging.module.js';
import { MetricsModule } from '../../src/platform/metrics/metrics.module.js';
import { PaginationModule } from '../../src/platform/pagination/pagination.module.js';
import { SecretsModule } from '../../src/platform/secrets/secrets.module.js';
import { ClockModule } from '../../src/platform/time/clock.module.js';
import { testEnvironment } from './test-environment.js';

/** The parts of the service that follow the chain, without listeners. */
export class IndexerApp {
  private constructor(readonly context: INestApplicationContext) {}

  /** By default the index advances only when told to; with `indexerEnabled` it follows the chain by itself. */
  static async open(databaseUrl: string, own: Partial<Environment>): Promise<IndexerApp> {
    const environment = testEnvironment(databaseUrl, { indexerEnabled: false, chainPollMs: 50, ...own });
    const testing = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoot(environment),
        ClockModule,
        LoggingModule,
        SecretsModule,
        DatabaseModule.forRoot({ entities, migrations }),
        EventsModule,
        ChainModule,
        MetricsModule,
        PaginationModule,
        IdempotencyModule,
        AgentsModule,
        TasksModule,
        QuotesModule,
        EscrowModule,
        DeliveriesModule,
        ReceiptsModule,
        ReputationModule,
        MatchingModule,
      ],
    })
      .setLogger({ log() {}, warn() {}, error() {} })
      .compile();
    try {
      return new IndexerApp(await testing.init());
    } catch (error) {
      // What had started before the error must not outlive the spec.
      await testing.close().catch(() => undefined);
      throw error;
    }
  }

  get<T>(type: abstract new (...args: any[]) => T): T {
    return this.context.get<T>(type, { strict: false });
  }

  get dataSource(): DataSource {
    return this.get(DataSource);
  }

  get status(): IndexerStatus {
    return this.get(IndexerStatus);
  }

  /** Steps until nothing is left to do. */
  async catchUp(): Promise<void> {
    const indexer = this.get(IndexerService);
    while ((await indexer.step()) === 'again');
    await indexer.settled();
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
