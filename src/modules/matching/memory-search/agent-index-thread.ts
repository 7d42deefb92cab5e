import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { agentsIn, type IndexedAgent } from './columns/agent-columns.js';
import type { IndexOrder, IndexQuery, IndexQuestion, IndexReport, IndexState } from './index-messages.js';
import { monotonicMs } from './monotonic-clock.js';
import { workerFile } from './worker-file.js';

/** A thread that has not answered a search after this time is stuck and is ended. */
const STUCK_MS = 2_000;
const FIRST_RESTART_MS = 500;
const LAST_RESTART_MS = 30_000;
const NOT_READY: IndexState = { isReady: false, bytes: 0 };

/** Callback that receives the answer to a search. */
type Waiting = (agents: IndexedAgent[] | null) => void;

/**
 * Runs the index in a worker thread, so that a search does not block other requests, and restarts the thread when it
 * ends.
 */
@Injectable()
export class AgentIndexThread implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('matching');
  private readonly waiting = new Map<number, Waiting>();
  private worker: Worker | null = null;
  private state: IndexState = NOT_READY;
  /** True once the log has said that this thread is ready. */
  private isKnown = false;
  private restart: NodeJS.Timeout | undefined;
  private restartMs = FIRST_RESTART_MS;
  private questions = 0;
  private stopped = false;

  constructor(
    private readonly environment: Environment,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    if (this.environment.matchingIndex !== 'memory') return;
    this.metrics.addGauge('match_index_ready', '1 while matches come from memory', () => Number(this.state.isReady));
    this.metrics.addGauge('match_index_bytes', 'Size of the index in memory', () => this.state.bytes);
    this.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.restart);
    await this.worker?.terminate();
  }

  /** True while the index can answer searches. */
  get isReady(): boolean {
    return this.state.isReady;
  }

  /**
   * Tells the index to read changes now, before the query of the coming search is known.
   * @returns the present moment, to pass to `search` as `sinceMs`.
   */
  startReading(): number {
    const nowMs = monotonicMs();
    if (this.isReady) this.ask({ kind: 'read_changes' });
    return nowMs;
  }

  /**
   * Finds agents for a task, as they are at `sinceMs` or later, in no order; null when the index cannot answer. Never
   * rejects.
   */
  search(query: IndexQuery, sinceMs: number): Promise<IndexedAgent[] | null> {
    const { worker } = this;
    if (worker === null || !this.isReady) return Promise.resolve(null);
    this.questions += 1;
    const id = this.questions;
    this.ask({ kind: 'search', id, query, sinceMs });
    return new Promise((resolve) => {
      const stuck = setTimeout(() => void worker.terminate(), STUCK_MS);
      this.waiting.set(id, (agents) => {
        clearTimeout(stuck);
        resolve(agents);
      });
    });
  }

  private ask(question: IndexQuestion): void {
    this.worker?.postMessage(question);
  }

  private start(): void {
    const order: IndexOrder = { databaseUrl: this.environment.databaseUrl };
    const worker = new Worker(workerFile('agent-index.worker.js'), {
      workerData: order,
      name: 'match-index',
    });
    this.worker = worker;
    worker.on('message', (report: IndexReport) => {
      if (report.kind === 'state') this.enter(report.state);
      else this.answer(report.id, report.agents && agentsIn(report.agents));
    });
    worker.once('error', (error) => this.logger.warn(`The index of matches ended: ${String(error)}`));
    worker.once('exit', () => this.ended());
  }

  private enter(state: IndexState): void {
    if (state.isReady && !this.isKnown) {
      this.isKnown = true;
      this.restartMs = FIRST_RESTART_MS;
      this.logger.log(`Matches come from memory: an index of ${state.bytes} bytes`);
    }
    this.state = state;
  }

  private answer(id: number, agents: IndexedAgent[] | null): void {
    this.waiting.get(id)?.(agents);
    this.waiting.delete(id);
  }

  private ended(): void {
    this.worker = null;
    this.state = NOT_READY;
    this.isKnown = false;
    for (const id of this.waiting.keys()) this.answer(id, null);
    if (this.stopped) return;
    this.logger.warn(`Matches come from the database until the index is there again, in ${this.restartMs} ms or more`);
    this.restart = setTimeout(() => this.start(), this.restartMs).unref();
    this.restartMs = Math.min(2 * this.restartMs, LAST_RESTART_MS);
  }
}
