import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { LocalAccount } from '../market-folder/local-file.js';
import { WalletMethods, WalletRefusal } from './wallet-methods.js';

const LOOPBACK = '127.0.0.1';
const MAX_BYTES = 256 * 1024;
const INTERNAL_ERROR = -32_603;
const INVALID_REQUEST = -32_600;

/**
 * The wallet of the local market. It holds the keys of the sample people and listens on one local port. The market's
 * pages load a script that offers it as "Demo Wallet"; the service forwards that script's requests and never sees a
 * key.
 */
export class TestWallet {
  private constructor(
    private readonly server: Server,
    private readonly methods: WalletMethods,
    readonly url: string,
  ) {}

  /** Listens on a free port of this machine. @param people called for every request. */
  static async start(rpcUrl: string, people: () => readonly LocalAccount[]): Promise<TestWallet> {
    const methods = new WalletMethods(rpcUrl, people);
    const server = createServer((request, response) => void serveWallet(methods, request, response));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, LOOPBACK, resolve));
    // A test wallet that was not stopped must not keep the process alive.
    server.unref();
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The test wallet has no port');
    return new TestWallet(server, methods, `http://${LOOPBACK}:${address.port}`);
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
    this.methods.close();
  }
}

/** Answers a request `{"method", "params"}` with `{"result"}` or `{"error": {"code", "message"}}`. */
export async function serveWallet(
  methods: Pick<WalletMethods, 'answer'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await answerTo(methods, request).catch((error: unknown) => ({ error: errorOf(error) }));
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(answer));
}

async function answerTo(
  methods: Pick<WalletMethods, 'answer'>,
  request: IncomingMessage,
): Promise<{ result: unknown }> {
  // A browser sends JSON from another site's page only after a preflight request, which this server refuses.
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  if (request.method !== 'POST' || !isJson) throw new WalletRefusal(INVALID_REQUEST, 'Ask by POST, in JSON.');
  const asked: unknown = JSON.parse(await textOf(request));
  if (typeof asked !== 'object' || asked === null || !('method' in asked) || typeof asked.method !== 'string') {
    throw new WalletRefusal(INVALID_REQUEST, 'The request names no method.');
  }
  const params: unknown[] = 'params' in asked && Array.isArray(asked.params) ? asked.params : [];
  return { result: (await methods.answer(asked.method, params)) ?? null };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BYTES) throw new WalletRefusal(INVALID_REQUEST, 'The request is too long.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The error for the page; when the chain's node refused, the node's own error. */
function errorOf(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof WalletRefusal) return { code: error.code, message: error.message };
  const inner = nodeErrorOf(error);
  if (inner) return inner;
  return { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : String(error) };
}

/** ethers keeps what the node answered under `error` or `info.error`. */
function nodeErrorOf(error: unknown): { code: number; message: string; data?: unknown } | null {
  if (typeof error !== 'object' || error === null) return null;
  const info = 'info' in error ? error.info : null;
  const own =
    'error' in error ? error.error : typeof info === 'object' && info !== null && 'error' in info ? info.error : null;
  if (typeof own !== 'object' || own === null || !('code' in own) || !('message' in own)) return null;
  const { code, message } = own;
  if (typeof code !== 'number' || typeof message !== 'string') return null;
  return { code, message, ...('data' in own ? { data: own.data } : {}) };
}
