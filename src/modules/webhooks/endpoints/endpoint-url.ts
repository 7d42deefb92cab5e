import { isIP } from 'node:net';
import type { Environment } from '../../../platform/config/environment.js';
import { LOCAL_CHAIN_ID } from '../../../platform/config/chain.settings.js';
import { hostOf, isNameOfThisMachine, PublicAddresses } from '../../../platform/egress/public-address.js';
import { ApiError } from '../../../platform/http/api-error.js';

/** Longest address, in characters. */
export const MAX_URL = 2048;

const LOOPBACK = ['127.0.0.0/8', '::1'];
/** Below it are the ports of other protocols (RFC 6335), whose servers must not be made to read what is sent. */
const FIRST_FREE_PORT = 1024;
const SUGGESTION = 'Name a public https address, on port 443 or one from 1024 on.';

/** Why an address is refused, as the interface says it. Nothing of the address is repeated. */
const FAULTS = {
  malformed: `url is an absolute address of at most ${MAX_URL} characters.`,
  protocol: 'url begins with https://.',
  user: 'url holds no user name and no password.',
  fragment: 'url holds no fragment.',
  port: 'The port of url is one of another protocol.',
  address: 'The address in url is not public.',
  host: 'The host in url is not public.',
} as const;
export type UrlFault = keyof typeof FAULTS;

/** The address of a receiver is refused; a page says it in its own words. */
export class UrlRefused extends ApiError {
  constructor(readonly fault: UrlFault) {
    super('invalid_body', FAULTS[fault], SUGGESTION);
  }
}

/**
 * Addresses of receivers that are connected to. Beside a local chain they may be on this machine; a deployed service connects to
 * public ones and those of `webhookPrivateNetworks`.
 */
export function receiverAddresses({ chainId, webhookPrivateNetworks }: Environment): PublicAddresses {
  return new PublicAddresses([...webhookPrivateNetworks, ...(chainId === LOCAL_CHAIN_ID ? LOOPBACK : [])]);
}

/**
 * The address of a receiver as it is stored. What its name resolves to is checked at each delivery, because it changes.
 * @throws UrlRefused (`invalid_body`).
 */
export function receiverUrl(text: string, environment: Environment): string {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new UrlRefused('malformed');
  const host = hostOf(url);
  const isLocal = environment.chainId === LOCAL_CHAIN_ID && isLoopback(host);
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) throw new UrlRefused('protocol');
  if (url.username !== '' || url.password !== '') throw new UrlRefused('user');
  if (url.hash !== '' || text.includes('#')) throw new UrlRefused('fragment');
  if (url.port !== '' && Number(url.port) < FIRST_FREE_PORT) throw new UrlRefused('port');
  if (isIP(host) !== 0 && !receiverAddresses(environment).include(host)) throw new UrlRefused('address');
  if (isNameOfThisMachine(host) && !isLocal) throw new UrlRefused('host');
  return url.href;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && new PublicAddresses(LOOPBACK).include(host) && isPrivate(host));
}

function isPrivate(host: string): boolean {
  return !new PublicAddresses([]).include(host);
}
