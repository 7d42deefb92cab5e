import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RpcCall {
  id: number;
  method: string;
  params: unknown[];
}

/** Changes the chain's answer to a call into what the service gets. `together`: all calls of the request. */
export type Tamper = (call: RpcCall, answer: any, together: readonly RpcCall[]) => unknown;

const UNCHANGED: Tamper = (_call, answer) => answer;

/** Stands between the service and the chain, and can make the chain unreachable or change its answers. */
export class RpcProxy {
  /** `refuse` cuts every connection, `hang` never answers, `error` answers 502. */
  mode: 'pass' | 'refuse' | 'hang' | 'error' = 'pass';
  tamper = UNCHANGED;
  /** Selects calls that are never answered, together with all other calls of the same request. */
  holds: (call: RpcCall) => boolean = () => false;
  /** Every call that was passed on, in order. */
  readonly calls: RpcCall[] = [];
  /** Every call that was never answered because of `hang` or `holds`, in order. */
  readonly held: RpcCall[] = [];
  private readonly agent = new Agent({ keepAlive: true });

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(target: string): Promise<RpcProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new RpcProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (proxy.mode === 'refuse') return void request.socket.destroy();
        const body = Buffer.concat(chunks).toString();
        const isHeld = proxy.mode === 'hang' || callsOf(body).some((call) => proxy.holds(call));
        if (isHeld) return void proxy.held.push(...callsOf(body));
        if (proxy.mode === 'error') return void response.writeHead(502).end('bad gateway');
        void proxy.pass(target, body).then(
          (answer) => response.writeHead(200, { 'content-type': 'application/json' }).end(answer),
          () => request.socket.destroy(),
        );
      });
    });
    return proxy;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.agent.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(target: string, body: string): Promise<string> {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    // A service asks many times a second, and `fetch` takes several times as long.
    const asked = request(target, { method: 'POST', headers, agent: this.agent }).end(body);
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const received = await text(response);
    const calls = callsOf(body);
    this.calls.push(...calls);
    if (this.tamper === UNCHANGED) return received;
    const answer: any = JSON.parse(received);
    const answers: any[] = Array.isArray(answer) ? answer : [answer];
    const changed = answers.map((one) =>
      this.tamper(
        calls.find(({ id }) => id === one.id)!,
        one,
        calls,
      ),
    );
    return JSON.stringify(Array.isArray(answer) ? changed : changed[0]);
  }
}

function callsOf(body: string): RpcCall[] {
  const request: RpcCall | RpcCall[] = JSON.parse(body);
  return Array.isArray(request) ? request : [request];
}
