import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Call } from '../../support/e2e/intents-market.js';
import { LoopbackServer } from '../../support/loopback-server.js';

const ID = 'relayer-1';
const KEY = 'the key of the relayer';

/** A relayer that takes a call as OpenZeppelin's does, and sends it. */
export class RelayerEndpoint {
  readonly requests: unknown[] = [];

  private server!: LoopbackServer;

  private constructor() {}

  static async start(send: (call: Call) => Promise<{ hash: string }>): Promise<RelayerEndpoint> {
    const endpoint = new RelayerEndpoint();
    endpoint.server = await LoopbackServer.listen(({ url, headers }, body, response) => {
      const isKnown = headers.authorization === `Bearer ${KEY}`;
      if (url !== `/api/v1/relayers/${ID}/transactions` || !isKnown) return void response.writeHead(401).end();
      const call = JSON.parse(body);
      endpoint.requests.push(call);
      void send(call).then(({ hash }) =>
        response.writeHead(201).end(JSON.stringify({ success: true, data: { hash } })),
      );
    });
    return endpoint;
  }

  get variables(): Record<string, string> {
    return { RELAYER: this.server.url, RELAYER_ID: ID, RELAYER_KEY: KEY };
  }

  stop(): Promise<void> {
    return this.server.close();
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
