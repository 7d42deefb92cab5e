import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import type {
  AgentsQuery,
  IndexAnswers,
  IndexOrder,
  IndexQuery,
  IndexQuestion,
  IndexReport,
  IndexState,
} from './index-messages.js';

const BESIDE = new URL('./agent-index.worker.js', import.meta.url);
/** Specs run the sources, which a thread cannot load; the build is beside them. */
const BUILT = new URL('../../../../dist/src/modules/matching/agent-index/agent-index.worker.js', import.meta.url);

/** A thread that says nothing for so long after a question is stuck. */
const STUCK_MS = 2_000;
const FIRST_RESTART_MS = 500;
const LAST_RESTART_MS = 30_000;
const NOT_READY: IndexState = { isReady: false, bytes: 0 };

type AnswerKind = keyof IndexAnswers;

/** Who waits for an answer to which question. */
type Waiting = { readonly [Kind in AnswerKind]: Map<number, (answer: IndexAnswers[Kind]) => void> };

/** A question that has no number yet. */
type Asked = { kind: 'search'; query: IndexQuery } | { kind: 'agents'; query: AgentsQuery };

/** Keeps the index in a thread of its own, so that no request waits for another's search, and starts it again when it ends. */
@Injectable()
export class AgentIndexThread implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('matching');
  private readonly waiting: Waiting = { briefs: new Map(), agents: new Map() };
  private worker: Worker | null = null;
  private state: IndexState = NOT_READY;
  /** Whether it was said of this thread that it is ready. */
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

  /** True while the index answers. */
  get isReady(): boolean {
    return this.state.isReady;
  }

  /** What the index finds, each null while there is none that is up to date. Never rejects. */
  search(query: IndexQuery): { [Kind in AnswerKind]: Promise<IndexAnswers[Kind]> } {
    const id = this.ask({ kind: 'search', query });
    return { briefs: this.answerTo(id, 'briefs'), agents: this.answerTo(id, 'agents') };
  }

  /** What the index knows of agents that take new work; null while there is none. Never rejects. */
  agents(query: AgentsQuery): Promise<IndexAnswers['agents']> {
    return this.answerTo(this.ask({ kind: 'agents', query }), 'agents');
  }

  /** Asks the thread, if there is one that answers. */
  private ask(question: Asked): number | null {
    const { worker } = this;
    if (worker === null || !this.isReady) return null;
    this.questions += 1;
    worker.postMessage({ id: this.questions, ...question } satisfies IndexQuestion);
    return this.questions;
  }

  private answerTo<Kind extends AnswerKind>(id: number | null, kind: Kind): Promise<IndexAnswers[Kind]> {
    const { worker } = this;
    if (id === null || worker === null) return Promise.resolve(null);
    return new Promise((resolve) => {
      const stuck = setTimeout(() => void worker.terminate(), STUCK_MS);
      this.waiting[kind].set(id, (answer) => {
        clearTimeout(stuck);
        resolve(answer);
      });
    });
  }

  private start(): void {
    const order: IndexOrder = { databaseUrl: this.environment.databaseUrl };
    const worker = new Worker(fileURLToPath(existsSync(BESIDE) ? BESIDE : BUILT), {
      workerData: order,
      name: 'match-index',
    });
    this.worker = worker;
    worker.on('message', (report: IndexReport) => {
      if (report.kind === 'state') this.enter(report.state);
      else if (report.kind === 'briefs') this.answer('briefs', report.id, report.briefs);
      else this.answer('agents', report.id, report.agents);
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

  private answer<Kind extends AnswerKind>(kind: Kind, id: number, answer: IndexAnswers[Kind]): void {
    this.waiting[kind].get(id)?.(answer);
    this.waiting[kind].delete(id);
  }

  private ended(): void {
    this.worker = null;
    this.state = NOT_READY;
    this.isKnown = false;
    for (const id of this.waiting.briefs.keys()) this.answer('briefs', id, null);
    for (const id of this.waiting.agents.keys()) this.answer('agents', id, null);
    if (this.stopped) return;
    this.logger.warn(`Matches come from the database until the index is there again, in ${this.restartMs} ms or more`);
    this.restart = setTimeout(() => this.start(), this.restartMs).unref();
    this.restartMs = Math.min(2 * this.restartMs, LAST_RESTART_MS);
  }
}
