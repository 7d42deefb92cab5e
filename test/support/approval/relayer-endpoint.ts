import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Call } from '../e2e/intents-market.js';

const ID = 'relayer-1';
const KEY = 'the key of the relayer';

/** A relayer that takes a call as OpenZeppelin's does, and sends it. */
export class RelayerEndpoint {
  readonly requests: unknown[] = [];

  private constructor(private readonly server: Server) {}

  static async start(send: (call: Call) => Promise<{ hash: string }>): Promise<RelayerEndpoint> {
    const server = createServer();
    const endpoint = new RelayerEndpoint(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const isKnown = request.headers.authorization === `Bearer ${KEY}`;
        if (request.url !== `/api/v1/relayers/${ID}/transactions` || !isKnown)
          return void response.writeHead(401).end();
        const call = JSON.parse(String(Buffer.concat(chunks)));
        endpoint.requests.push(call);
        void send(call).then(({ hash }) =>
          response.writeHead(201).end(JSON.stringify({ success: true, data: { hash } })),
        );
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return endpoint;
  }

  get variables(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return { RELAYER: `http://127.0.0.1:${port}`, RELAYER_ID: ID, RELAYER_KEY: KEY };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Runs the script of docs/relayers.md for an action. @returns what it prints. */
export async function relayed(actionId: string, env: Record<string, string>): Promise<string> {
  const page = readFileSync('docs/relayers.md', 'utf8');
  const [, script] = /<!-- run by a test -->\s+```js\n([^]+?)```/.exec(page)!;
  const folder = mkdtempSync(join(tmpdir(), 'tasktree-relay-'));
  try {
    const file = join(folder, 'relay.mjs');
    writeFileSync(file, script!);
    return (await promisify(execFile)(process.execPath, [file, actionId], { env })).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
