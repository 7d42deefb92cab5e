import createClient, { type Client } from 'openapi-fetch';
import type { Readable } from 'openapi-typescript-helpers';
import type { paths } from '../generated/interface.js';
import { errorBodyOf, factsOf, MarketError } from './market-error.js';
import { RetryingFetch, type SendingOptions } from './retrying-fetch.js';

export type Scope = 'read' | 'buyer' | 'worker' | 'agent-owner';

/** Where the market is, and who asks. */
export interface ConnectionOptions extends SendingOptions {
  /** Such as `https://market.example`. */
  baseUrl: string;
  /** API keys, one per scope; those of scopes that are not used may be absent. */
  keys?: Partial<Record<Scope, string>>;
  /** An access token (OAuth), or what gives the newest one; instead of keys. */
  accessToken?: string | (() => string | Promise<string>);
  /** What is waited for where a call does not say it; by default `final`. */
  until?: 'confirmed' | 'final';
  /** Date-version to be served with; absent: the one that is pinned to the credential. */
  serviceVersion?: string;
}

/** What every call can be given. */
export interface CallOptions {
  signal?: AbortSignal;
}

/** What every write can be given. */
export interface WriteOptions extends CallOptions {
  /** Absent: a new one. A call that is repeated with its key is one call. */
  idempotencyKey?: string;
}

/** Headers of a write. */
export interface WriteHeader {
  'Idempotency-Key': string;
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

export type Opener = (path: string, headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;

/** The connection to one market with the credentials of one account. */
export class Connection {
  private readonly baseUrl: string;
  readonly until: 'confirmed' | 'final';
  private readonly sending: RetryingFetch;

  constructor(private readonly options: ConnectionOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.until = options.until ?? 'final';
    this.sending = new RetryingFetch(options);
  }

  /** The operations of the interface, called with the credential of this scope until the signal is aborted. */
  as(scope: Scope, signal?: AbortSignal): Client<paths> {
    return createClient<paths>({
      baseUrl: this.baseUrl,
      signal,
      fetch: async (request) => {
        const headers = await this.credential(scope);
        for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
        return this.sending.send(request);
      },
    });
  }

  /** The answer to a write. Throws MarketError, which names the key of the write. */
  write<T>(
    scope: Scope,
    options: WriteOptions,
    ask: (api: Client<paths>, header: WriteHeader) => Promise<Answer<Readable<NoInfer<T>>>>,
  ): Promise<T> {
    const header = { 'Idempotency-Key': options.idempotencyKey ?? newKey() };
    return taken<T>(ask(this.as(scope, options.signal), header), header);
  }

  /**
   * What opens answers that go on, with the credential of now; their ends and faults are the caller's business. Throws
   * TypeError where no credential has this scope.
   */
  async opener(scope: Scope): Promise<Opener> {
    const { fetch: own } = this.options;
    const credential = await this.credential(scope);
    return (path, headers, signal) =>
      (own ?? fetch)(`${this.baseUrl}${path}`, { headers: { ...headers, ...credential }, redirect: 'error', signal });
  }

  /** Throws TypeError where no credential has this scope. */
  private async credential(scope: Scope): Promise<Record<string, string>> {
    const { keys, accessToken, serviceVersion } = this.options;
    const version: Record<string, string> = serviceVersion ? { 'Service-Version': serviceVersion } : {};
    if (accessToken !== undefined) {
      const token = typeof accessToken === 'string' ? accessToken : await accessToken();
      return { ...version, Authorization: `Bearer ${token}` };
    }
    const key = keys?.[scope];
    if (key === undefined) throw new TypeError(`This call needs an API key of the scope ${scope}`);
    return { ...version, 'X-Api-Key': key };
  }
}

/** The body of an answer. Throws MarketError when the service has refused. */
export async function taken<T>(asked: Promise<Answer<Readable<NoInfer<T>>>>, header?: WriteHeader): Promise<T> {
  const { data, error, response } = await asked;
  // `Readable` makes objects of open unions, and would leave out members of requests; there are none in answers.
  if (response.ok && data !== undefined) return data as T;
  throw new MarketError(factsOf(response), errorBodyOf(error, response.status), header?.['Idempotency-Key']);
}

/** 128 random bits. */
function newKey(): string {
  return crypto.getRandomValues(new BigUint64Array(2)).join('-');
}
