import { randomUUID } from 'node:crypto';
import { bytesToHex, sha256 } from '../../../libs/kernel/src/index.js';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import { ERROR_CODES } from '../../../src/platform/http/error-codes.js';
import { isDetails } from '../../support/e2e/answers.js';
import type { ApiAnswer } from '../../support/market.js';
import { TcpProxy } from '../../support/resilience/tcp-proxy.js';
import { HttpMarket } from './http-market.js';
import { Random } from '../../support/random.js';
import type { Call, Trader } from './trader.js';

const ANSWER_MS = 25_000;
const LAST_LINES = 40;

/** A task that the walk has made. */
export interface WalkTask {
  id: string;
  termsHash: string;
  escrow: string;
  buyer: Trader;
  arbiter: Trader | null;
  /** Seconds. */
  acceptWindow: number;
}

/** A prepared action, and who prepared it. */
export interface WalkAction {
  who: Trader;
  scope: Scope;
  action: any;
}

/** What a request has besides its path. */
export interface WalkRequest {
  body?: unknown;
  /** A body that is sent unchanged. */
  raw?: { text: string | Buffer; type: string };
  /** Null: no idempotency key is sent. */
  idempotencyKey?: string | null;
  /** Null: no API key is sent. */
  key?: string | null;
}

/** A random walk through the market: who takes part, what was made, and the rules that every answer must follow. */
export class Walk {
  calls = 0;
  /** How often each status and code was answered, and what wallets have done. */
  readonly counts = new Map<string, number>();
  readonly tasks: WalkTask[] = [];
  readonly actions: WalkAction[] = [];
  /** Moments at which a time limit decides, in unix seconds. */
  readonly dues: number[] = [];
  /** Ids of tasks whose root node was paid at least once. */
  readonly funded = new Set<string>();
  /** True at the end, when wallets sign and send everything they have prepared. */
  isWindingDown = false;
  /** What is broken now; null: nothing. */
  fault: string | null = null;
  /** True while the token is paused or an address is blocked by it. */
  tokenTrouble = false;
  /** True while the index may not have read the newest block. */
  lagging = false;
  private readonly log: string[] = [];

  private constructor(
    readonly market: HttpMarket,
    readonly slowRpc: TcpProxy,
    readonly random: Random,
    readonly traders: readonly Trader[],
    readonly arbiter: Trader,
  ) {}

  /** Starts with eight accounts, two of them with contract wallets, and an arbiter. */
  static async start(seed: number): Promise<Walk> {
    const market = await HttpMarket.start();
    const slowRpc = await TcpProxy.start(Number(new URL(market.stack.rpc.url).port));
    await market.service.stop('SIGTERM');
    await market.serve({ RPC_URL: `http://127.0.0.1:${slowRpc.port}` });
    const traders: Trader[] = [];
    for (let number = 1; number <= 8; number += 1) {
      traders.push(await market.trader(`Trader ${number}`, number > 6 ? 'contract' : 'key'));
    }
    return new Walk(market, slowRpc, new Random(seed), traders, await market.trader('Arbiter'));
  }

  async stop(): Promise<void> {
    this.slowRpc.pass();
    await this.market.service.stop();
    await this.slowRpc.stop();
    await this.market.stop();
  }

  /** Sends one HTTP request. Whatever is sent, the answer must be one that the API documents. */
  async call(who: Trader, scope: Scope, method: string, path: string, request: WalkRequest = {}): Promise<ApiAnswer> {
    const { body, raw, idempotencyKey = randomUUID(), key = who.keys[scope] } = request;
    const type = raw?.type ?? (body === undefined ? null : 'application/json');
    const content = raw?.text ?? (body === undefined ? null : JSON.stringify(body));
    const faultBefore = this.fault;
    const response = await fetch(`${this.market.service.url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { 'X-Api-Key': key }),
        ...(method === 'GET' || idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey }),
        ...(type === null ? {} : { 'Content-Type': type }),
      },
      ...(content === null ? {} : { body: typeof content === 'string' ? content : new Uint8Array(content) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await response.text();
    this.calls += 1;
    const answer = { status: response.status, headers: response.headers, text, body: parsed(text) };
    const name = `${answer.status}${answer.status === 200 ? '' : ` ${answer.body?.error?.code}`}`;
    this.count(name);
    this.note(`${who.name} ${method} ${path} ${content === null ? '' : String(content).slice(0, 200)} -> ${name}`);
    // The log arrives later than the answer.
    if (answer.status === 500) await new Promise((resolve) => setTimeout(resolve, 300));
    this.require(answer, faultBefore ?? this.fault);
    return answer;
  }

  get(who: Trader, path: string): Promise<ApiAnswer> {
    return this.call(who, 'read', 'GET', path);
  }

  post(who: Trader, scope: Scope, path: string, body?: unknown): Promise<ApiAnswer> {
    return this.call(who, scope, 'POST', path, body === undefined ? {} : { body });
  }

  /** Uploads a text into custody. @returns its hash and receipt, or null when it was refused. */
  async upload(who: Trader, text: string): Promise<object | null> {
    const bytes = Buffer.from(text);
    const artifactHash = bytesToHex(sha256(bytes));
    const raw = { text: bytes, type: 'text/plain' };
    const { status, body } = await this.call(who, 'worker', 'PUT', `/v1/artifacts/${artifactHash}`, { raw });
    return status === 200 ? { artifact_hash: artifactHash, custody_receipt: body.custody_receipt } : null;
  }

  /** Sends a call to the chain. @returns the hash, or null when the chain refused it. */
  async send({ to, data }: Call, from: string | null): Promise<string | null> {
    const { chain } = this.market;
    try {
      const hash = from === null ? await chain.send(to, data) : await chain.sendAs(from, { to, data });
      this.count('mined');
      this.note(`   mined ${data.slice(0, 10)} for ${from ?? 'anybody'}`);
      return hash;
    } catch (error) {
      this.count('refused by the chain');
      this.note(`   refused by the chain: ${data.slice(0, 10)} for ${from ?? 'anybody'}`);
      if (!String(error).includes('refused') && !String(error).includes('eth_sendTransaction')) throw error;
      return null;
    } finally {
      this.lagging = true;
    }
  }

  /** Waits for the index, unless something is broken. */
  async settle(): Promise<void> {
    if (this.fault !== null) return;
    await this.market.indexed();
    this.lagging = false;
  }

  /** True while nothing can make the chain differ from what the service has answered. */
  get isCertain(): boolean {
    return this.fault === null && !this.lagging && !this.tokenTrouble;
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  note(line: string): void {
    this.log.push(line);
  }

  /** Fails the walk, with the steps that led here. */
  fail(what: string): never {
    throw new Error(
      `WALK_SEED=${this.random.seed}, call ${this.calls}: ${what}\n${this.lastLines()}\n${this.serviceErrors()}`,
    );
  }

  /** What the service itself logged about its last errors. */
  serviceErrors(): string {
    const lines = this.market.service.process.output.split('\n').filter((line) => line.includes('"level":"error"'));
    return lines.slice(-3).join('\n');
  }

  lastLines(): string {
    return this.log.slice(-LAST_LINES).join('\n');
  }

  /** How often each thing happened. */
  summary(): string {
    const counts = [...this.counts].toSorted(([, a], [, b]) => b - a);
    return `${this.calls} calls, ${this.tasks.length} tasks; ${counts.map(([name, n]) => `${name}: ${n}`).join(', ')}`;
  }

  private require({ status, headers, text, body }: ApiAnswer, fault: string | null): void {
    if (status >= 500 && !(status === 503 && fault !== null)) this.fail(`status ${status} (fault: ${fault}): ${text}`);
    if (!headers.get('service-version')) this.fail(`no Service-Version: ${text}`);
    if (status === 200) return;
    const { code, reason, suggestion, details, ...more } = body?.error ?? {};
    const isShaped =
      Object.keys(body ?? {}).join() === 'error' &&
      typeof reason === 'string' &&
      reason.length > 0 &&
      (suggestion === undefined || (typeof suggestion === 'string' && suggestion.length > 0)) &&
      (details === undefined || (status === 400 && isDetails(details))) &&
      Object.keys(more).length === 0;
    if (!isShaped) this.fail(`an error of another shape: ${status} ${text}`);
    const known: Readonly<Record<string, { status: number }>> = ERROR_CODES;
    if (known[code]?.status !== status) this.fail(`code ${code} with status ${status}: ${text}`);
    if (/\bat .+\.(?:ts|js):\d+|node_modules|QueryFailedError|ECONN|127\.0\.0\.1/.test(text)) {
      this.fail(`an error that tells too much: ${text}`);
    }
  }
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
