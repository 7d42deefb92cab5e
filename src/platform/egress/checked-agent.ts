import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector } from 'undici';
import type { EgressDns } from './egress-dns.js';
import { hostOf, type PublicAddresses } from './public-address.js';

/** A host was not contacted, because it has an address that the service does not connect to for strangers. */
export class EgressRefusedError extends Error {
  override readonly name = 'EgressRefusedError';
}

/**
 * What a name means is refused. Who must not learn which names there are inside hears of it as of a name without address:
 * not even that waiting does not help.
 */
export class HiddenAddressError extends EgressRefusedError {}

/** Most bytes of an answer's headers. */
const MAX_HEADER_BYTES = 16 * 1024;

/** How the connections to strangers' hosts are made. */
export interface CheckedEgress {
  readonly dns: EgressDns;
  /** The only addresses that are connected to. */
  readonly addresses: PublicAddresses;
  /** Longest time in milliseconds of making a connection, and of a silence in an answer. The caller limits the whole. */
  readonly timeoutMs: number;
}

/**
 * Connects to hosts that strangers have chosen, and only at addresses that are allowed. It is checked three times, because
 * each check alone can be passed by: a name is checked in the resolution whose result the socket uses, so that it cannot
 * resolve otherwise a moment later; an IP address in the URL is never resolved, so it is checked by itself; and at last
 * the address at the other end of the socket. It uses no proxy of the environment. No connection is used twice, so that
 * the next request checks its address again.
 */
export function checkedAgent({ dns, addresses, timeoutMs }: CheckedEgress): Agent {
  const connect = buildConnector({
    // The socket connects to an address of this result, which is always a list.
    lookup: callbackify((host: string, _options: LookupOptions) => checked(host, dns, addresses)),
    autoSelectFamily: true,
    timeout: timeoutMs,
    ca: dns.authorities ?? undefined,
  });
  return new Agent({
    connect: (options, callback) => {
      const host = hostOf(options);
      if (isIP(host) !== 0 && !addresses.include(host)) {
        callback(new EgressRefusedError('The address is not public'), null);
        return;
      }
      connect(options, (...[error, socket]) => {
        if (error) return callback(error, null);
        if (addresses.include(socket.remoteAddress ?? '')) return callback(null, socket);
        socket.destroy();
        return callback(new HiddenAddressError('The address that was reached is not public'), null);
      });
    },
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

/**
 * Resolves a host and refuses it when any of its addresses is not allowed, because nobody publishes such an address by
 * mistake.
 */
async function checked(host: string, dns: EgressDns, addresses: PublicAddresses): Promise<LookupAddress[]> {
  const found = await dns.resolve(host);
  if (found.length === 0) throw new HiddenAddressError('The host has no address');
  if (found.every((address) => addresses.include(address))) {
    return found.map((address) => ({ address, family: isIP(address) }));
  }
  throw new HiddenAddressError('The host has an address that is not public');
}
