import type { JsonWebKey } from 'node:crypto';

/**
 * What each connection of a load sends, one request after another. It never runs out, however fast the answers come.
 */
export type LoadRequests = RepeatedRequests | RefreshChains | ProvenRequests;

/** Whole HTTP/1.1 requests, sent in turn; `{{n}}` becomes a text that no other request of any load has. */
export interface RepeatedRequests {
  kind: 'repeated';
  requests: string[];
}

/** Token refreshes. Each uses the refresh token of the answer before, because a refresh token can be used only once. */
export interface RefreshChains {
  kind: 'refresh';
  host: string;
  path: string;
  clientId: string;
  /** The first refresh token of each connection. */
  tokens: string[];
}

/**
 * The same request each time with a new DPoP proof, which the load process signs with the P-256 key that the token is
 * bound to.
 */
export interface ProvenRequests {
  kind: 'proven';
  host: string;
  path: string;
  /** The URL that the proofs are made for. */
  url: string;
  token: string;
  key: JsonWebKey;
}

/** What the load process reads from its standard input, as JSON. */
export interface LoadOrder {
  port: number;
  connections: number;
  seconds: number;
  requests: LoadRequests;
}

/** What the load process prints when it ends, as JSON. */
export interface LoadResult {
  /** Number of answers, including the last one of each connection. */
  requests: number;
  /** Seconds from the first request to the last answer. */
  seconds: number;
  /** Percentiles of the response times, in milliseconds. */
  p50: number;
  p99: number;
  /** Number of answers by status code. */
  statuses: Record<string, number>;
  bytes: number;
}
