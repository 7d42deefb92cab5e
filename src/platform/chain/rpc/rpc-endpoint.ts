import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Clock } from '../../time/clock.js';
import { refuseWhileWriting, untilCleared } from '../../database/write-stage.js';
import { ChainUnavailableError } from './chain-unavailable.error.js';
import { ForeignCalls } from './foreign-calls.js';
import { RpcTransport } from './rpc-transport.js';

/** One attempt, from sending to the whole answer. */
const TIMEOUT_MS = 5_000;
/** The same for a call that may run a stranger's contract: shorter, because such a call first waits for its place. */
const FOREIGN_TIMEOUT_MS = 3_000;
/** Pauses before the second and third attempt. */
const RETRY_PAUSES_MS: readonly number[] = [50, 200];
/** No new attempt after this long: somebody is waiting for the answer. */
const RETRY_BUDGET_MS = 2_000;
/** Calls of one turn of the event loop share a request, up to this many. */
const MAX_BATCH = 100;

/** The endpoint answered, and its answer is an error of the method: asking again changes nothing. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';

  constructor(
    readonly method: string,
    /** The `error` member of the answer. */
    readonly answer: object,
  ) {
    super(`The RPC endpoint refused ${method}`);
  }
}

/**
 * Keeps everybody from the chain while nobody has found it to be the one that this process was configured for. It is open
 * from the start, except in a process that started while the chain was away.
 */
@Injectable()
export class ChainGate {
  private readonly checking = new AsyncLocalStorage<true>();
  private checks: (() => Promise<void>)[] = [];

  get isOpen(): boolean {
    return this.checks.length === 0;
  }

  /** Shuts the gate until `check`, which alone may ask the chain meanwhile, has passed beside those of before. */
  shutUntil(check: () => Promise<void>): void {
    this.checks.push(check);
  }

  /** @throws the error of the first check that does not pass; the gate then stays shut. */
  async open(): Promise<void> {
    await this.checking.run(true, async () => {
      for (const check of this.checks) await check();
    });
    this.checks = [];
  }

  /** @throws ChainUnavailableError while the gate is shut, except to a check. */
  pass(): void {
    if (this.isOpen || this.checking.getStore()) return;
    throw new ChainUnavailableError(new Error('it has not answered since this process started'));
  }
}

/**
 * The RPC endpoint: JSON-RPC over HTTP, batched, with a time limit and bounded retries. Only reads go through
 * it, so every call may be repeated; none while a transaction is open. Keeps when it last answered, for `ChainHealth`.
 */
@Injectable()
export class RpcEndpoint implements OnApplicationShutdown {
  private readonly shared: RpcTransport;
  private readonly single: RpcTransport;
  private readonly foreign = new ForeignCalls();
  private answeredAt: number | null = null;
  private failing = false;

  constructor(
    { rpcUrl }: Environment,
    private readonly clock: Clock,
    private readonly gate: ChainGate = new ChainGate(),
  ) {
    this.shared = new RpcTransport(rpcUrl, { timeoutMs: TIMEOUT_MS, batch: MAX_BATCH });
    this.single = new RpcTransport(rpcUrl, { timeoutMs: FOREIGN_TIMEOUT_MS, batch: 1 });
  }

  /** Milliseconds since the endpoint last answered; null when it never did, the newest attempt failed, or nobody may ask it. */
  get sinceAnswerMs(): number | null {
    return !this.gate.isOpen || this.failing || this.answeredAt === null ? null : this.clock.nowMs() - this.answeredAt;
  }

  /**
   * The `result` of a method that changes nothing.
   * @throws RpcRefusal when the endpoint answers with an error; ChainUnavailableError when it does not answer;
   * AskedWhileWriting.
   */
  send(method: string, params: readonly unknown[]): Promise<unknown> {
    return onceCleared(() => this.passed(() => retried(() => this.attempt(method, params))));
  }

  /**
   * As `send`, for a call that may run a stranger's contract: it has an HTTP request of its own, so that no other
   * answer waits for it, and a shorter time limit, and each owner may have only few at once.
   * @param owner for whom the call is made: an account's id, or a wallet.
   */
  sendForeign(owner: string, method: string, params: readonly unknown[]): Promise<unknown> {
    refuseWhileWriting(method);
    const call = () => retried(() => this.attemptBy(this.single, method, params));
    return onceCleared(() => this.passed(() => this.foreign.run(owner, call)));
  }

  /** One attempt without retries. Errors as `send`. */
  async attempt(method: string, params: readonly unknown[]): Promise<unknown> {
    this.gate.pass();
    try {
      return await this.attemptBy(this.shared, method, params);
    } catch (error) {
      // Only shared calls tell whether the endpoint fails: a stranger's contract that is slow says nothing about it.
      if (error instanceof ChainUnavailableError) this.failing = true;
      throw error;
    }
  }

  /** After the listeners have closed, so that the last requests still have their chain. */
  onApplicationShutdown(): void {
    void this.shared.destroy();
    void this.single.destroy();
  }

  /** Asks nothing, and tries nothing again, while the gate is shut. */
  private async passed(ask: () => Promise<unknown>): Promise<unknown> {
    this.gate.pass();
    return ask();
  }

  private async attemptBy(transport: RpcTransport, method: string, params: readonly unknown[]): Promise<unknown> {
    refuseWhileWriting(method);
    const answer = await transport.call(method, params).catch((error: unknown): never => {
      throw new ChainUnavailableError(error);
    });
    this.noteAnswer();
    if ('error' in answer) throw new RpcRefusal(method, answer.error);
    return answer.result;
  }

  private noteAnswer(): void {
    this.answeredAt = this.clock.nowMs();
    this.failing = false;
  }
}

/** Asks at once, or when it is known that the write which asks has anything to do. */
function onceCleared(ask: () => Promise<unknown>): Promise<unknown> {
  const cleared = untilCleared();
  return cleared === null ? ask() : cleared.then(ask);
}

/**
 * Repeats an attempt that got no answer, within the budget. An error that the endpoint answers, or that the program
 * itself raises, is final.
 */
async function retried(attempt: () => Promise<unknown>): Promise<unknown> {
  const startedAt = performance.now();
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const pause = RETRY_PAUSES_MS[failures];
      const isFinal = !(error instanceof ChainUnavailableError) || pause === undefined;
      if (isFinal || performance.now() - startedAt + pause > RETRY_BUDGET_MS) throw error;
      await sleep(pause);
    }
  }
}
