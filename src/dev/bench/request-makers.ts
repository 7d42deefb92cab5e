import { createHash, createPrivateKey, createPublicKey, randomUUID, sign } from 'node:crypto';
import type { LoadRequests, ProvenRequests, RefreshChains, RepeatedRequests } from './load-order.js';

/** Makes the requests of one connection. */
export interface RequestMaker {
  /** True: `next` gets the body of each answer; false: `next` always gets an empty text. */
  readonly readsAnswers: boolean;
  /** The next whole request. @param body the body of the last answer; empty before the first. */
  next(body: string): Buffer;
  /** Called when a request has been sent, for work to do while its answer is awaited. */
  sent?(): void;
}

const HEADER_END = '\r\n\r\n';

/** One maker for each connection. Repeated requests share a single one. */
export function requestMakers(requests: LoadRequests, connections: number): RequestMaker[] {
  const each = <T>(make: (connection: number) => T): T[] => Array.from({ length: connections }, (_, n) => make(n));
  if (requests.kind === 'repeated') {
    const turn = new Turn(requests);
    return each(() => turn);
  }
  if (requests.kind === 'refresh') return each((n) => new RefreshChain(requests, requests.tokens[n]));
  const proofs = new Proofs(requests);
  return each(() => new ProvenCall(requests, proofs));
}

/** All connections share one sequence of requests and take the next of it in turn. */
class Turn implements RequestMaker {
  readonly readsAnswers = false;
  private readonly ready: readonly Buffer[];
  private readonly isFixed: boolean;
  private readonly unique = randomUUID();
  private count = 0;

  constructor(private readonly order: RepeatedRequests) {
    // Encoded once for all connections, before the measured time begins.
    this.ready = order.requests.map((request) => Buffer.from(request, 'latin1'));
    this.isFixed = !order.requests.some((request) => request.includes('{{n}}'));
  }

  next(): Buffer {
    const place = this.count % this.ready.length;
    this.count += 1;
    const fixed = this.ready[place];
    if (fixed === undefined) throw new Error('a load needs a request');
    if (this.isFixed) return fixed;
    return Buffer.from(
      (this.order.requests[place] ?? '').replaceAll('{{n}}', `${this.unique}-${this.count}`),
      'latin1',
    );
  }
}

/** Each refresh sends the refresh token of the answer before, as a client does. */
class RefreshChain implements RequestMaker {
  readonly readsAnswers = true;
  private readonly used = new Set<string>();

  constructor(
    private readonly order: RefreshChains,
    private readonly first: string | undefined,
  ) {}

  next(body: string): Buffer {
    const token = body === '' ? this.first : refreshTokenOf(body);
    if (token === undefined) throw new Error(`there is no refresh token to go on with: ${body.slice(0, 200)}`);
    if (this.used.has(token)) throw new Error('a refresh token came back, so it was not used up');
    this.used.add(token);
    const { host, path, clientId } = this.order;
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, client_id: clientId });
    const text = form.toString();
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded`;
    return Buffer.from(`${head}\r\nContent-Length: ${text.length}${HEADER_END}${text}`, 'latin1');
  }
}

function refreshTokenOf(body: string): string | undefined {
  const answer: unknown = JSON.parse(body);
  if (typeof answer !== 'object' || answer === null || !('refresh_token' in answer)) return undefined;
  return String(answer.refresh_token);
}

/** Signs the next proof while the last answer is awaited, so that signing lengthens no round trip. */
class ProvenCall implements RequestMaker {
  readonly readsAnswers = false;
  private ready: Buffer | null = null;

  constructor(
    private readonly order: ProvenRequests,
    private readonly proofs: Proofs,
  ) {}

  next(): Buffer {
    const request = this.ready ?? this.make();
    this.ready = null;
    return request;
  }

  sent(): void {
    this.ready ??= this.make();
  }

  private make(): Buffer {
    const { host, path, token } = this.order;
    const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: DPoP ${token}`;
    return Buffer.from(`${head}\r\nDPoP: ${this.proofs.make()}${HEADER_END}`, 'latin1');
  }
}

/** Makes DPoP proofs (RFC 9449, ES256) with one key for one request. */
class Proofs {
  private readonly key: ReturnType<typeof createPrivateKey>;
  private readonly head: string;
  private readonly ath: string;

  constructor(private readonly order: ProvenRequests) {
    this.key = createPrivateKey({ key: order.key, format: 'jwk' });
    const jwk = createPublicKey(this.key).export({ format: 'jwk' });
    this.head = encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk });
    this.ath = createHash('sha256').update(order.token).digest('base64url');
  }

  make(): string {
    const iat = Math.floor(Date.now() / 1000);
    const signed = `${this.head}.${encoded({ htm: 'GET', htu: this.order.url, ath: this.ath, iat, jti: randomUUID() })}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.key, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
