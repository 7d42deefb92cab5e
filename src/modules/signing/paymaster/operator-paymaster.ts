import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { RpcFailure, RpcTransport } from '../../../platform/chain/rpc/rpc-transport.js';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { paymasterAnswer } from './paymaster-answer.js';
import { type PaymasterRequest, PaymasterRefusal } from './paymaster-request.js';

/** One question, from sending to the whole answer. */
const TIMEOUT_MS = 8_000;

/** The operator's paymaster service (`PAYMASTER_URL`). Nothing that it says in words, and no address of it, is passed on. */
@Injectable()
export class OperatorPaymaster implements OnApplicationShutdown {
  private readonly logger = new Logger('signing');
  private readonly transport: RpcTransport | null;
  /** What the paymaster wants beside each operation. */
  private readonly context: unknown;

  constructor(private readonly environment: Environment) {
    const { paymasterUrl, paymasterContext } = environment;
    this.transport = paymasterUrl === null ? null : new RpcTransport(paymasterUrl, { timeoutMs: TIMEOUT_MS, batch: 1 });
    this.context = JSON.parse(paymasterContext);
  }

  onApplicationShutdown(): void {
    void this.transport?.destroy();
  }

  /**
   * What the paymaster gives for an operation.
   * @throws PaymasterRefusal when it does not pay for it; ApiError `service_unavailable` when it does not answer, or
   * answers something else.
   */
  async ask(request: PaymasterRequest): Promise<object> {
    const { chainId, displayName } = this.environment;
    const { method, operation, entryPoint } = request;
    const answer = await this.call(method, [operation, entryPoint, `0x${chainId.toString(16)}`, this.context]);
    if ('error' in answer) throw this.refusal(answer.error);
    const given = paymasterAnswer(answer.result, request, displayName);
    if (given === null) throw this.unavailable('BAD_DATA');
    return given;
  }

  private async call(method: string, params: readonly unknown[]): ReturnType<RpcTransport['call']> {
    if (this.transport === null) throw this.unavailable('NONE');
    try {
      return await this.transport.call(method, params);
    } catch (error) {
      if (error instanceof RpcFailure) throw this.unavailable(error.code);
      throw error;
    }
  }

  /** Only a number of the paymaster's own answer gets to the log: its words may hold what its address does. */
  private refusal(error: object): PaymasterRefusal {
    const code = 'code' in error && typeof error.code === 'number' ? error.code : null;
    this.logger.warn({ code }, 'the paymaster does not pay');
    return new PaymasterRefusal(-32_000, 'The paymaster does not pay for this operation.');
  }

  private unavailable(code: string): ApiError {
    this.logger.warn({ code }, 'the paymaster does not answer');
    return new ApiError(
      'service_unavailable',
      'The paymaster does not answer.',
      'Pay the network fee yourself, or wait.',
    );
  }
}
