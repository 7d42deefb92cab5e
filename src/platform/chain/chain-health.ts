import { Injectable } from '@nestjs/common';
import { RpcEndpoint } from './rpc/rpc-endpoint.js';

/** An answer this young is believed without asking again. */
const FRESH_MS = 2_000;

/** Whether the chain can be asked at the moment: the readiness probe. */
@Injectable()
export class ChainHealth {
  constructor(private readonly endpoint: RpcEndpoint) {}

  /** Milliseconds since the chain last answered; null when it never did, or the newest attempt failed. */
  get sinceAnswerMs(): number | null {
    return this.endpoint.sinceAnswerMs;
  }

  /**
   * Resolves when the chain answered within 2 s or answers now; one request at most, without retries.
   * @throws RpcRefusal or ChainUnavailableError when it does not.
   */
  async check(): Promise<void> {
    const age = this.endpoint.sinceAnswerMs;
    if (age !== null && age >= 0 && age <= FRESH_MS) return;
    await this.endpoint.attempt('eth_blockNumber', []);
  }
}
