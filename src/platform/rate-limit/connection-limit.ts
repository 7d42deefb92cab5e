import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../http/api-error.js';
import { type AnsweringService, refuseConnection } from '../http/server/parser-errors.js';
import { clientNetwork } from './client-network.js';

/** How many connections an address may hold. */
export interface ConnectionLimit {
  /** Open at once, per client network. */
  readonly max: number;
  /** True for a reverse proxy of ours: it carries everybody. */
  readonly isProxy: (address: string) => boolean;
  /** The service whose headers a refusal has. */
  readonly service: AnsweringService;
  readonly onRefused: () => void;
}

/** The shortest wait, because only closing a connection helps: a client that has closed one may retry at once. */
const RETRY_AFTER = { 'Retry-After': '1', 'X-Limit-Remaining': '0' };

/**
 * Keeps one address from holding every connection: one over its limit is answered 429 and closed before anything of a
 * request is read. Slow requests end by the timeouts of the server; this bounds how many may be slow at once.
 */
export function limitConnections(server: Server, { max, isProxy, service, onRefused }: ConnectionLimit): void {
  const open = new Map<string, number>();
  // Node's own listener would read requests, and have them served, from a socket that is refused.
  const accept = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || !isProxy(remoteAddress)) {
      const network = clientNetwork(remoteAddress);
      const count = open.get(network) ?? 0;
      if (count >= max) {
        onRefused();
        const reason = 'Too many connections are open from this address.';
        const refusal = new ApiError(
          'rate_limited',
          reason,
          'Close some, or keep them open and reuse them.',
          RETRY_AFTER,
        );
        refuseConnection(socket, refusal, service);
        return;
      }
      open.set(network, count + 1);
      socket.once('close', () => release(open, network));
    }
    for (const listener of accept) listener.call(server, socket);
  });
}

function release(open: Map<string, number>, network: string): void {
  const count = (open.get(network) ?? 1) - 1;
  if (count === 0) open.delete(network);
  else open.set(network, count);
}
