import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../app.module.js';
import { AgentsService } from '../../../modules/agents/agents.service.js';
import { Custody } from '../../../modules/artifacts/custody/custody.service.js';
import { AccountsService } from '../../../modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../../modules/credentials/api-keys/api-keys.service.js';
import { PreparedActionsService } from '../../../modules/prepared-actions/prepared-actions.service.js';
import { SubmissionsService } from '../../../modules/prepared-actions/lifecycle/submissions.service.js';
import { WalletNonces } from '../../../modules/prepared-actions/nonces/wallet-nonces.js';
import { QuotesService } from '../../../modules/quotes/quotes.service.js';
import { InvitationsService } from '../../../modules/tasks/invitations/invitations.service.js';
import { TaskDrafts } from '../../../modules/tasks/task-drafts.js';
import { TaskStatusSweeper } from '../../../modules/tasks/task-status.sweeper.js';
import { TaskStore } from '../../../modules/tasks/task-store.js';
import { loadEnvironment } from '../../../platform/config/load-environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import { Clock } from '../../../platform/time/clock.js';
import type { BlockRef } from '../../local-chain/local-chain.js';
import { IS_INDEXED } from './seed-services.sql.js';
import { ScenarioTime } from './scenario-time.js';

const POLL_MS = 20;
const INDEX_TIMEOUT_MS = 20_000;

/**
 * The service's own code without its listeners. It runs the sample market's sixty days, because no HTTP request can
 * set the service's clock. It shares the database with the running service, which indexes the chain for both.
 */
export class SeedServices {
  readonly accounts: AccountsService;
  readonly keys: ApiKeysService;
  readonly agents: AgentsService;
  readonly drafts: TaskDrafts;
  readonly tasks: TaskStore;
  readonly invitations: InvitationsService;
  readonly quotes: QuotesService;
  readonly nonces: WalletNonces;
  readonly transactions: Transactions;
  readonly actions: PreparedActionsService;
  readonly submissions: SubmissionsService;
  readonly custody: Custody;
  readonly store: ObjectStore;
  private readonly time: ScenarioTime;

  private constructor(private readonly context: INestApplicationContext) {
    const get = <T>(type: abstract new (...args: never[]) => T): T => context.get<T>(type, { strict: false });
    this.accounts = get(AccountsService);
    this.keys = get(ApiKeysService);
    this.agents = get(AgentsService);
    this.drafts = get(TaskDrafts);
    this.tasks = get(TaskStore);
    this.invitations = get(InvitationsService);
    this.quotes = get(QuotesService);
    this.nonces = get(WalletNonces);
    this.transactions = get(Transactions);
    this.actions = get(PreparedActionsService);
    this.submissions = get(SubmissionsService);
    this.custody = get(Custody);
    this.store = get(ObjectStore);
    this.time = new ScenarioTime(get(Clock));
  }

  /** @param variables environment of the running service. Only that service indexes the chain and listens. */
  static async open(variables: Readonly<Record<string, string>>): Promise<SeedServices> {
    const own = { INDEXER_ENABLED: 'false', MIGRATE_ON_START: 'false', LOG_LEVEL: 'silent', DATABASE_POOL_SIZE: '4' };
    const module = AppModule.register(loadEnvironment({ ...variables, ...own }));
    return new SeedServices(await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false }));
  }

  /** Sets the time that all later records carry. @param nowMs returns milliseconds since 1970. */
  setTime(nowMs: () => number): void {
    this.time.follow(nowMs);
  }

  /** Runs `work` at another time (milliseconds since 1970); concurrent work keeps the time of `setTime`. */
  atTime<T>(ms: number, work: () => Promise<T>): Promise<T> {
    return this.time.at(ms, work);
  }

  get nowMs(): number {
    return this.time.nowMs;
  }

  /**
   * Waits until the running service has indexed the block with this number and hash; null waits for nothing. Rejects
   * with Error after 20 s.
   */
  async indexed(block: BlockRef | null): Promise<void> {
    if (block === null) return;
    for (let waited = 0; waited < INDEX_TIMEOUT_MS; waited += POLL_MS) {
      if (await this.isIndexed(block)) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`The service has not indexed block ${block.blockNumber} within ${INDEX_TIMEOUT_MS / 1000} s`);
  }

  /**
   * Stores the task statuses that the passing of time has changed, so that the market does not change a moment later.
   */
  async settle(): Promise<void> {
    await this.context.get<TaskStatusSweeper>(TaskStatusSweeper, { strict: false }).sweep();
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  /**
   * True when the index has reached the block's number, has no other block of that number (a reorganised chain), and
   * has published all trees up to it.
   */
  private async isIndexed({ blockNumber, blockHash }: BlockRef): Promise<boolean> {
    const rows: unknown = await this.transactions.manager.query(IS_INDEXED, [blockNumber, blockHash]);
    const row: unknown = Array.isArray(rows) ? rows[0] : null;
    return typeof row === 'object' && row !== null && 'indexed' in row && row.indexed === true;
  }
}
