import { type Deployment, checksumOf, keccakText } from '#libs/prepared-action';
import type { ChainNode } from '../actions/chain-node.js';
import type { Eip1193Wallet } from '../actions/wallets.js';
import type { EventOf, KnownEventType, MarketEvent } from '../events/resumed-stream.js';
import type { ConnectionOptions, Scope } from '../http/connection.js';
import type { ErrorCode } from '../http/market-error.js';
import type { Fetch } from '../http/retrying-fetch.js';
import { ActionBook, type SettledStatus } from './actions/action-book.js';
import { FakeChain } from './state/fake-chain.js';
import { ERROR_CODES, type Operation, routeOf } from './document/interface-document.js';
import { type Listener, MarketState, type Party, type Schemas } from './state/market-state.js';
import type { Call } from './operations/call.js';
import { OPERATIONS } from './operations/operation-answers.js';
import { Refusal } from './document/refusal.js';
import { type Fault, faultsOf } from './document/request-faults.js';

export interface FakeMarketOptions {
  /** `at_once`, by default: what is sent is final. `by_hand`: it is `submitted`, and `settle` says what becomes of it. */
  settles?: 'at_once' | 'by_hand';
}

/** Somebody who uses the fake market. */
export interface FakeAccount {
  readonly id: string;
  readonly name: string;
  /** Goes to `new Marketplace(…)`. */
  readonly settings: ConnectionOptions &
    Required<Pick<ConnectionOptions, 'keys' | 'fetch'>> & {
      deployment: Deployment;
      node: ChainNode;
      now: () => number;
    };
  /** Signs whatever it is asked to, and sends to the fake market's chain; its signatures are none. */
  readonly wallet: Eip1193Wallet & { readonly address: string };
}

interface Planned {
  readonly operation: string | undefined;
  readonly refusal: Refusal;
}

const BASE_URL = 'https://fake.tasktree.test';
const SCOPES: readonly Scope[] = ['read', 'buyer', 'worker', 'agent-owner'];
const address = (what: string) => checksumOf(`0x${keccakText(`fake market: ${what}`).slice(-40)}`);
const DEPLOYMENT: Deployment = {
  chainId: 31_337,
  factory: address('factory'),
  implementation: address('implementation'),
  usdc: address('usdc'),
  usdcName: 'USDC',
  usdcVersion: '2',
  maxActionSeconds: 900,
  signingOrigin: BASE_URL,
};
const DEFAULT_LIMIT = 25;

/**
 * A market in memory, without network and chain, for the tests of programs that use the SDK: it refuses what the interface's
 * document does not allow, keeps what is made, and prepares actions that pass every check.
 */
export class FakeMarket {
  readonly deployment = DEPLOYMENT;
  private readonly state = new MarketState(BASE_URL, DEPLOYMENT);
  private readonly book = new ActionBook(this.state);
  private readonly chain: FakeChain;
  private readonly accounts = new Map<string, FakeAccount & Party>();
  private readonly keys = new Map<string, { party: Party; scope: Scope }>();
  private readonly planned: Planned[] = [];
  private readonly answered = new Map<string, { request: string; text: string }>();

  constructor({ settles = 'at_once' }: FakeMarketOptions = {}) {
    this.chain = new FakeChain(this.state, (action, hash) => {
      action.record.transaction_hash = hash;
      this.book.settle(action, settles === 'at_once' ? 'final' : 'submitted');
    });
  }

  /** What happens in the market without anybody's request. */
  readonly events = {
    /** Lets this account hear of an event, in its list and in its streams. */
    emit: <T extends KnownEventType>(
      type: T,
      { to, subject, data }: { to: FakeAccount; subject: Schemas['EventSubject']; data: EventOf<T>['data'] },
    ): MarketEvent => this.state.tell(type, subject, data, [to]),
  };

  /** The account of this name; the first call makes it, with keys of all scopes and a wallet. */
  account(name: string): FakeAccount {
    const known = this.accounts.get(name);
    if (known !== undefined) return known;
    const party: Party = { id: this.state.id('acct'), name, address: address(`wallet of ${name}`) };
    const keys = Object.fromEntries(SCOPES.map((scope) => [scope, `fake_${scope}_${party.id}`]));
    for (const scope of SCOPES) this.keys.set(keys[scope] ?? '', { party, scope });
    const node: ChainNode = this.chain;
    const fetch = this.fetch;
    const now = () => this.state.nowMs();
    const account = {
      ...party,
      settings: { baseUrl: BASE_URL, keys, deployment: DEPLOYMENT, fetch, node, now },
      wallet: { address: party.address, request: this.wallet(party.address) },
    };
    this.accounts.set(name, account);
    return account;
  }

  /**
   * The next request, or the next of this operation (`prepareQuote`; the document's `operationId`), is refused so. A status
   * that is sent again, such as 503, is sent again.
   */
  answerNext(status: number, code: ErrorCode, operation?: string): void {
    this.planned.push({ operation, refusal: new Refusal(code, undefined, [], status) });
  }

  /**
   * Brings an action there, with all that this does: `final` signs, sends and executes what was only prepared, as if a
   * person had on its page. Throws Error on an id that is none, and on an action that has ended.
   */
  settle(actionId: string, to: SettledStatus): void {
    const action = this.state.actions.find(({ record }) => record.action_id === actionId);
    if (action === undefined) throw new Error(`No action ${actionId}`);
    this.book.settle(action, to);
  }

  /** Lets time pass, of the market, its chain and the clients made with its settings. */
  advance(seconds: number): void {
    this.state.advance(seconds);
  }

  /** Goes to `new Marketplace({ fetch })`. Never reaches a network. */
  readonly fetch: Fetch = async (url, init) => {
    init.signal?.throwIfAborted();
    try {
      return await this.answer(new Request(url, { ...init, signal: null }), init.signal ?? undefined);
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      throw error;
    }
  };

  private async answer(request: Request, signal: AbortSignal | undefined): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const kept = /^\/artifacts\/(0x\w+)$/.exec(pathname)?.[1];
    if (kept !== undefined) return new Response(this.state.artifacts.get(kept)?.bytes.slice() ?? null);
    const route = routeOf(pathname);
    if (route === null) throw new Refusal('unknown_route');
    const operation = route.operations.find(({ method }) => method === request.method);
    if (operation === undefined) throw new Refusal('method_not_allowed');
    const at = this.planned.findIndex((one) => one.operation === undefined || one.operation === operation.id);
    const [planned] = at < 0 ? [] : this.planned.splice(at, 1);
    if (planned !== undefined) throw planned.refusal;
    const { party, scope } = this.caller(request, operation);
    refuse('invalid_parameter', pathFaults(route.params, operation));
    const query = queryOf(searchParams, operation);
    const key = request.headers.get('Idempotency-Key');
    if (operation.parameters.some(({ name }) => name === 'Idempotency-Key')) {
      if (key === null) throw new Refusal('idempotency_key_missing');
      if (key.length > 255) throw new Refusal('idempotency_key_invalid');
    }
    const bytes = new Uint8Array(await request.arrayBuffer());
    const body = bodyOf(bytes, request, operation);
    const mediaType = request.headers.get('Content-Type') ?? '';
    const common = { state: this.state, book: this.book, party, scope, params: route.params, query };
    const call: Call = { ...common, body, bytes, mediaType, example: operation.example };
    if (operation.id === 'streamEvents') return this.stream(call, request.headers.get('Last-Event-ID'), signal);
    const asked = `${request.method} ${pathname} ${new TextDecoder().decode(bytes)}`;
    const place = key === null ? null : `${party.id} ${key}`;
    const earlier = place === null ? undefined : this.answered.get(place);
    if (earlier !== undefined && earlier.request !== asked) throw new Refusal('idempotency_key_conflict');
    const text = earlier?.text ?? JSON.stringify(resultOf(call, operation));
    if (place !== null) this.answered.set(place, { request: asked, text });
    return new Response(text, { headers: { ...headers(), 'Poll-Interval': '1' } });
  }

  private caller(request: Request, operation: Operation): { party: Party; scope: Scope } {
    const key = request.headers.get('X-Api-Key') ?? request.headers.get('Authorization')?.replace(/^Bearer /, '');
    if (key === undefined) throw new Refusal('unauthenticated');
    const caller = this.keys.get(key);
    if (caller === undefined) throw new Refusal('invalid_api_key');
    const isAny = !SCOPES.some((scope) => scope === operation.scope);
    if (!isAny && caller.scope !== operation.scope) throw new Refusal('insufficient_scope');
    return caller;
  }

  /** Server-sent events, from behind the last one on; each open one ends with its signal. */
  private stream(
    { party, query, state, ...call }: Call,
    last: string | null,
    signal: AbortSignal | undefined,
  ): Response {
    const { types, task_id, after = last } = query;
    const isWanted = ({ type, subject }: MarketEvent): boolean =>
      (types === undefined || types.split(',').includes(type)) &&
      (task_id === undefined || subject.task_id === task_id);
    const past = after === null ? [] : OPERATIONS['listEvents']?.({ ...call, party, state, query: { after } });
    let listener: Listener;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const write = (text: string): void => controller.enqueue(new TextEncoder().encode(text));
        const tell = (event: MarketEvent): void => {
          if (isWanted(event)) write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        };
        write('retry: 0\n\n');
        (past as MarketEvent[]).forEach(tell);
        listener = { party, tell };
        state.listeners.add(listener);
        signal?.addEventListener('abort', () => {
          state.listeners.delete(listener);
          controller.error(signal.reason);
        });
      },
      cancel: () => void state.listeners.delete(listener),
    });
    return new Response(body, { headers: { ...headers(), 'Content-Type': 'text/event-stream' } });
  }

  private wallet(own: string): Eip1193Wallet['request'] {
    return async (question) => {
      if (question.method === 'eth_requestAccounts' || question.method === 'eth_accounts') return [own];
      // Nobody here knows a key: the hash of what is signed, in the form of a signature.
      if (question.method === 'eth_signTypedData_v4') {
        const hash = keccakText(JSON.stringify(question.params)).slice(2);
        return `0x${hash}${hash}1b`;
      }
      return this.chain.request(question);
    };
  }
}

function resultOf(call: Call, operation: Operation): unknown {
  const result = OPERATIONS[operation.id]?.(call);
  if (!Array.isArray(result)) return result;
  const { cursor = '0', limit = DEFAULT_LIMIT } = call.query;
  if (!/^\d{1,9}$/.test(cursor)) throw new Refusal('invalid_cursor');
  const end = Number(cursor) + Number(limit);
  return { data: result.slice(Number(cursor), end), next_page: end < result.length ? String(end) : null };
}

function queryOf(searchParams: URLSearchParams, { parameters }: Operation): Record<string, string> {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const query: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    const schema = known.find((parameter) => parameter.name === name)?.schema;
    if (schema === undefined || query[name] !== undefined) throw new Refusal('unknown_parameter');
    refuse('invalid_parameter', faultsOf(typedText(value, schema.type), schema, name));
    query[name] = value;
  }
  return query;
}

function pathFaults(params: Readonly<Record<string, string>>, { parameters }: Operation): Fault[] {
  return parameters.flatMap(({ name, in: place, schema }) =>
    place === 'path' ? faultsOf(params[name], schema, name) : [],
  );
}

function bodyOf(bytes: Uint8Array, request: Request, { body }: Operation): unknown {
  if (body === null || body.mediaType !== 'application/json') return undefined;
  const type = request.headers.get('Content-Type');
  if (bytes.length === 0 && !body.isRequired) return undefined;
  if (!/^application\/json\b/.test(type ?? '')) throw new Refusal('unsupported_media_type');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Refusal('invalid_body', 'The body is no JSON.');
  }
  refuse('invalid_body', faultsOf(value, body.schema, ''));
  return value;
}

function refuse(code: ErrorCode, faults: readonly Fault[]): void {
  if (faults.length > 0) throw new Refusal(code, faults[0]?.reason, faults);
}

function typedText(value: string, type: unknown): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  return type === 'boolean' && /^(?:true|false)$/.test(value) ? value === 'true' : value;
}

function refused({ code, reason, details, status }: Refusal): Response {
  const { status: usual = 500, meaning = code } = ERROR_CODES[code] ?? {};
  const error = { code, reason: reason ?? meaning, ...(details.length === 0 ? {} : { details }) };
  return new Response(JSON.stringify({ error }), {
    status: status ?? usual,
    headers: { ...headers(), 'Retry-After': '0' },
  });
}

function headers(): Record<string, string> {
  return { 'Content-Type': 'application/json', 'X-Request-Id': crypto.randomUUID() };
}
