import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FetchRequest, isError, JsonRpcProvider, Network } from 'ethers';
import { Environment } from '../config/environment.js';
import { Clock } from '../time/clock.js';
import { ChainUnavailableError } from './chain-unavailable.error.js';

/** One attempt, from sending to the whole answer. */
const TIMEOUT_MS = 5_000;
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
    readonly answer: unknown,
    override readonly cause: unknown,
  ) {
    super(`The RPC endpoint refused ${method}`);
  }
}

/**
 * The RPC endpoint: JSON-RPC over HTTP by ethers, batched, with a time limit and bounded retries. Only reads go through
 * it, so every call may be repeated. Keeps when it last answered, for `ChainHealth`.
 */
@Injectable()
export class RpcEndpoint implements OnApplicationShutdown {
  private readonly provider: JsonRpcProvider;
  private answeredAt: number | null = null;
  private failing = false;

  constructor(
    environment: Environment,
    private readonly clock: Clock,
  ) {
    const request = new FetchRequest(environment.rpcUrl);
    request.timeout = TIMEOUT_MS;
    request.setThrottleParams({ maxAttempts: 1 });
    const network = Network.from(environment.chainId);
    this.provider = new JsonRpcProvider(request, network, {
      staticNetwork: network,
      batchMaxCount: MAX_BATCH,
      batchStallTime: 0,
      cacheTimeout: -1,
    });
  }

  /** Milliseconds since the endpoint last answered; null when it never did, or the newest attempt failed. */
  get sinceAnswerMs(): number | null {
    return this.failing || this.answeredAt === null ? null : this.clock.nowMs() - this.answeredAt;
  }

  /**
   * The `result` of a method that changes nothing.
   * @throws RpcRefusal when the endpoint answers with an error; ChainUnavailableError when it does not answer.
   */
  async send(method: string, params: readonly unknown[]): Promise<unknown> {
    const startedAt = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.attempt(method, params);
      } catch (error) {
        const pause = RETRY_PAUSES_MS[attempt];
        const isFinal = error instanceof RpcRefusal || pause === undefined;
        if (isFinal || performance.now() - startedAt + pause > RETRY_BUDGET_MS) throw error;
        await sleep(pause);
      }
    }
  }

  /** One attempt without retries. Errors as `send`. */
  async attempt(method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      const result: unknown = await this.provider.send(method, [...params]);
      this.noteAnswer();
      return result;
    } catch (error) {
      const answer = errorAnswer(error);
      if (answer !== undefined) {
        this.noteAnswer();
        throw new RpcRefusal(method, answer, error);
      }
      this.failing = true;
      throw new ChainUnavailableError(error);
    }
  }

  /** After the listeners have closed, so that the last requests still have their chain. */
  onApplicationShutdown(): void {
    this.provider.destroy();
  }

  private noteAnswer(): void {
    this.answeredAt = this.clock.nowMs();
    this.failing = false;
  }
}

/** The `error` member of a JSON-RPC answer in what ethers made of it; undefined when there was no such answer. */
function errorAnswer(error: unknown): unknown {
  if (isError(error, 'CALL_EXCEPTION')) return error.info?.error;
  if (isError(error, 'UNKNOWN_ERROR') || isError(error, 'UNSUPPORTED_OPERATION')) {
    const { info, error: answer } = { info: undefined, error: undefined, ...error };
    return answer ?? (typeof info === 'object' && info !== null && 'error' in info ? info.error : undefined);
  }
  return undefined;
}
