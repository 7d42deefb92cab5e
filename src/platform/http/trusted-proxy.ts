import type { Application } from 'express';

/** True when the peer at this address is a proxy that the operator named: what its headers say is then believed. */
export function isTrustedProxy(app: Application, address: string | undefined): boolean {
  const trusts: unknown = app.get('trust proxy fn');
  return typeof trusts === 'function' && trusts(address, 0) === true;
}
