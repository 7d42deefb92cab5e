import { LoopbackServer } from '../../support/loopback-server.js';

/** In the path and the query of the operator's URL; nobody but the service may ever see it. */
export const SECRET = 'pmk-7f3a91c0d2e84b65';

/** How an operator's paymaster answers: as it should, with a refusal, not at all, or with something else. */
export type PaymasterMode = 'pays' | 'refuses' | 'fails' | 'babbles';

/** The operator's paymaster service (ERC-7677) of a spec. Its words hold the secret, so that a leak of them shows. */
export class PaymasterEndpoint {
  /** Every request that it got. */
  readonly requests: { method: string; params: any[] }[] = [];
  mode: PaymasterMode = 'pays';

  private server!: LoopbackServer;

  private constructor(
    /** Contract that pays. */
    readonly contract: string,
  ) {}

  static async start(contract: string): Promise<PaymasterEndpoint> {
    const endpoint = new PaymasterEndpoint(contract);
    endpoint.server = await LoopbackServer.listen((request, body, response) => {
      const { id, method, params } = JSON.parse(body);
      endpoint.requests.push({ method, params });
      if (!request.url!.includes(SECRET)) response.statusCode = 401;
      if (endpoint.mode === 'fails') response.statusCode = 502;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...endpoint.answer() }));
    });
    return endpoint;
  }

  /** As an operator writes it into PAYMASTER_URL. */
  get url(): string {
    return `${this.server.url}/v2/${SECRET}?key=${SECRET}`;
  }

  stop(): Promise<void> {
    return this.server.close();
  }

  private answer(): object {
    const result = {
      paymaster: this.contract,
      paymasterData: '0x',
      paymasterVerificationGasLimit: '0x186a0',
      paymasterPostOpGasLimit: '0x0',
      sponsor: { name: SECRET },
      debug: `http://127.0.0.1/${SECRET}`,
    };
    if (this.mode === 'refuses') return { error: { code: -32_000, message: `policy of ${SECRET} is used up` } };
    return { result: this.mode === 'babbles' ? { ...result, paymasterData: SECRET } : result };
  }
}
