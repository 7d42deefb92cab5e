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
    while ((await indexer.advance()) === 'again');
    await indexer.settled();
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** Everything that is derived from the chain, to compare one index with another. */
export async function derivedState(dataSource: DataSource): Promise<Record<string, unknown[]>> {
  const tables: Record<string, string> = {
    facts: 'SELECT * FROM chain_facts ORDER BY block_number, log_index',
    tip: 'SELECT number, hash FROM chain_blocks ORDER BY number DESC LIMIT 1',
    trees: 'SELECT * FROM escrow_trees ORDER BY task_id',
    nodes: 'SELECT * FROM escrow_nodes ORDER BY id',
    deliveries: 'SELECT * FROM deliveries ORDER BY id',
    receipts: 'SELECT * FROM receipts ORDER BY id',
    settlements: 'SELECT * FROM settlements ORDER BY node_id',
    payouts: 'SELECT * FROM payouts ORDER BY task_id, node_number, recipient',
    evidence: 'SELECT * FROM buyer_evidence ORDER BY agent_id, buyer_cluster_id',
    reputation: 'SELECT * FROM reputation_records ORDER BY agent_id',
    briefs: `SELECT task_id, word, weight FROM match_briefs b JOIN match_brief_postings p ON p.brief_number = b.number
      JOIN match_terms USING (term_id) ORDER BY task_id, word`,
    parties: 'SELECT * FROM task_parties ORDER BY task_id, account_id, role',
    tasks: 'SELECT id, status, selected_agent_id FROM tasks ORDER BY id',
    quotes: 'SELECT id, status FROM quotes ORDER BY id',
  };
  const state: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(tables)) state[name] = await dataSource.query<unknown[]>(sql);
  return state;
}

/**
 * Copies the rows that are not derived from the chain into an empty database, so that an index can be rebuilt there.
 */
export async function copyOwnRecords(from: DataSource, to: DataSource): Promise<void> {
  for (const table of ['accounts', 'agents', 'tasks', 'task_parties', 'quotes']) {
    const [{ rows }] = await from.query<[{ rows: unknown }]>(`SELECT json_agg(t) AS rows FROM ${table} t`);
    if (rows === null) continue;
    await to.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
  await to.query(`DELETE FROM task_parties WHERE role IN ('selected', 'hirer', 'worker')`);
  await to.query(`UPDATE tasks SET status = 'draft', selected_agent_id = NULL`);
  await to.query(`UPDATE quotes SET status = 'submitted'`);
}
