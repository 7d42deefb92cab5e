import type { JsonWebKey } from 'node:crypto';

/** What the connections of a load send, one request after the other; it never runs out, however fast the answers come. */
export type LoadRequests = RepeatedRequests | RefreshChains | ProvenRequests;

/** Whole HTTP/1.1 requests, sent in turn; `{{n}}` becomes a text that no other request of any load has. */
export interface RepeatedRequests {
  kind: 'repeated';
  requests: string[];
}

/** Refreshes, each with the refresh token of the last answer: a token is good once. */
export interface RefreshChains {
  kind: 'refresh';
  host: string;
  path: string;
  clientId: string;
  /** One for each connection, to begin with. */
  tokens: string[];
}

/** The same request with a new DPoP proof each, signed here with a P-256 key that the token is bound to. */
export interface ProvenRequests {
  kind: 'proven';
  host: string;
  path: string;
  /** The URL that a proof names. */
  url: string;
  token: string;
  key: JsonWebKey;
}

/** What one run of the load process is told on its standard input, as JSON. */
export interface LoadOrder {
  port: number;
  connections: number;
  seconds: number;
  requests: LoadRequests;
}

/** What it prints at its end, as JSON. */
export interface LoadResult {
  /** Answers that came, the last of each connection included. */
  requests: number;
  /** From the first request to the last answer. */
  seconds: number;
  /** Sorted-sample latencies in milliseconds. */
  p50: number;
  p99: number;
  /** Answers by status code. */
  statuses: Record<string, number>;
  bytes: number;
}
