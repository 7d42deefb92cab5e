import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Clock } from '../../../platform/time/clock.js';
import { PayoutScan } from '../payouts/payout-scan.js';
import { TrustRunEntity } from './batch/trust-run.entity.js';
import type { TrustOrder } from './batch/trust-order.js';
import { TrustStatus } from './trust-status.js';
import { TrustThread } from './trust-thread.js';
import { VerifiedBuyerEntity } from './verified-buyer.entity.js';
import type { TrustPhase } from './batch/trust-run.entity.js';
import { DELETE_OLD_RUNS, IS_RUN_DUE } from './trust-runs.sql.js';

/** Time for which rows of past runs are kept. */
const KEPT_MS = 30 * 86_400_000;
const MAX_ERROR_LENGTH = 500;

/**
 * Makes trust runs, one after the other. The caller holds the runner's lock (trust.runner.ts). Even if that lock is
 * lost unnoticed, only the run whose row is still `running` can write, and that is the newest.
 */
@Injectable()
export class TrustRuns {
  /** Resolves when all phases so far are stored. */
  private noted: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly environment: Environment,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly sealer: Sealer,
    private readonly payouts: PayoutScan,
    private readonly thread: TrustThread,
    private readonly status: TrustStatus,
  ) {}

  /** True when the interval has passed since the last run, or the operator has changed the verified buyers since. */
  async isDue(): Promise<boolean> {
    const [row] = await this.transactions.manager.query<{ due: boolean }[]>(IS_RUN_DUE, [
      new Date(this.clock.wallMs() - this.environment.trustIntervalSeconds * 1_000),
    ]);
    return row?.due === true;
  }

  /**
   * Makes one run. A failure leaves the results of the previous run in place, and the reason in the run's row.
   * @throws the error of the run; RunStoppedError after `signal`.
   */
  async run(signal: AbortSignal): Promise<void> {
    const startedMs = this.clock.wallMs();
    const { id, asOf } = await this.begin(startedMs);
    try {
      this.enter(id, 'payouts');
      await this.payouts.follow(signal);
      const order = await this.orderOf(id, asOf);
      const figures = await this.thread.run(order, (phase) => this.enter(id, phase), signal);
      const finishedAt = this.clock.wall();
      await this.transactions.manager.update(TrustRunEntity, { id }, { finishedAt });
      Object.assign(this.status, {
        lastError: null,
        lastFinishedMs: finishedAt.getTime(),
        lastSeconds: (finishedAt.getTime() - startedMs) / 1_000,
        lastFigures: figures,
        anchors: order.anchors.length,
      });
    } catch (error) {
      this.status.lastError = error instanceof Error ? error.message : String(error);
      await this.fail(id, this.status.lastError);
      throw error;
    } finally {
      this.status.phase = null;
    }
  }

  /** Begins a run. A run still marked as running was cut off, because its process has ended or lost its lock. */
  private begin(startedMs: number): Promise<Pick<TrustRunEntity, 'id' | 'asOf'>> {
    const startedAt = new Date(startedMs);
    return this.transactions.run(async (manager) => {
      await manager.update(TrustRunEntity, { status: 'running' }, { status: 'failed', error: 'The run was cut off' });
      await manager.query(DELETE_OLD_RUNS, [new Date(startedMs - KEPT_MS)]);
      const run = { asOf: this.clock.now(), startedAt, status: 'running' as const, phase: 'payouts' as const };
      return manager.save(TrustRunEntity, run);
    });
  }

  private async orderOf(runId: number, asOf: Date): Promise<TrustOrder> {
    const verified = await this.transactions.manager.find(VerifiedBuyerEntity, { order: { accountId: 'ASC' } });
    const anchors = verified.map(({ accountId }) => {
      return { accountId, key: this.sealer.hmac('trust-cohort', accountId).toString('hex') };
    });
    return { databaseUrl: this.environment.databaseUrl, runId, asOfMs: asOf.getTime(), anchors };
  }

  private enter(id: number, phase: TrustPhase): void {
    this.status.phase = phase;
    // Stored for observers only, so a failure must not fail the run. Written in sequence, so that no older phase
    // overwrites a newer one.
    this.noted = this.noted
      .then(() => this.transactions.manager.update(TrustRunEntity, { id, status: 'running' }, { phase }))
      .catch(() => undefined);
  }

  /** Marks the run as failed, unless it is already written; then only its last message was lost. */
  private async fail(id: number, message: string): Promise<void> {
    const error = message.slice(0, MAX_ERROR_LENGTH);
    const change = { status: 'failed' as const, error, finishedAt: this.clock.wall() };
    await this.noted;
    await this.transactions.manager.update(TrustRunEntity, { id, status: 'running' }, change).catch(() => undefined);
  }
}
