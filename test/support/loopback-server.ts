import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Answers a request whose body is whole. */
export type LoopbackAnswer = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/** An HTTP server of a spec on loopback, on a port that was free. */
export class LoopbackServer {
  private constructor(
    private readonly server: Server,
    /** Without a path. */
    readonly url: string,
  ) {}

  /** @param tls certificate and key in PEM; absent for plain HTTP. */
  static async listen(answer: LoopbackAnswer, tls?: { cert: string; key: string }): Promise<LoopbackServer> {
    const server = tls === undefined ? createServer() : createTlsServer(tls);
    server.on('request', (request, response) => {
      response.on('error', () => undefined);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => answer(request, Buffer.concat(chunks).toString('utf8'), response));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    return new LoopbackServer(server, `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}
