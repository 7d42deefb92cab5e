import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The authenticated caller, whatever credential proved it. */
export interface Principal {
  /** Account id; the `principal` of prepared actions. */
  accountId: string;
  /** EIP-55 wallet of the account, when one is linked. */
  walletAddress: string | null;
  /** Id of the key, or of the grant that a token was issued under; for logs. */
  credentialId: string;
  /** Scopes that the credential grants; an API key grants exactly one. */
  scopes: readonly string[];
  /** Service version pinned to the credential. */
  pinnedVersion: string;
  /** The application that acts for the account by an access token; absent for an API key. */
  clientId?: string;
  /** Most base units that one funding prepared by the application may move; absent: no cap. */
  fundingCap?: bigint;
  /** What limits the payments that it may prepare; absent: nothing does. */
  spendPolicyId?: string;
  /** True for an access token that works only with a proof of its key (RFC 9449). */
  provesKey?: boolean;
  /** When the credential ends by itself (milliseconds since the epoch, wall clock), and how an earlier end is announced. */
  credentialEnd?: {
    readonly atMs: number;
    /** Id that is announced when this token ends, and not the whole grant; absent for an API key. */
    readonly changeId?: string;
  };
}

/** Facts that the platform keeps with a request, for its guards, interceptor and handler. */
export interface RequestContext {
  requestId: string;
  principal?: Principal;
  /** Version that serves this request, and whether the caller named it. */
  version: string;
  versionNamed: boolean;
  /** SHA-256 request digest of the body (docs/decisions/interface.md#request-digest), 0x-hex. */
  requestDigest?: `0x${string}`;
  /** The JSON object that was sent, as it was parsed; absent: there was no body. */
  requestBody?: object;
  /** The grant of the client address for this request, with what it has left; absent: it was not charged yet. */
  addressGrant?: { allowed: boolean; remaining: number; endsAtMs: number };
  /** True: the client address is not charged, because somebody else was, or it was already. */
  addressIsSpared?: boolean;
  /** True: counted as a read whatever its method, because each operation that it leads to is counted by itself. */
  countsAsRead?: boolean;
  /** Charges a body of this many bytes to whoever pays for the request; throws when that is beyond the limit. */
  payForBody?: (bytes: number) => Promise<void>;
  /** For the access log. */
  routeTemplate?: string;
  limitOutcome?: string;
  idempotencyOutcome?: string;
  errorCode?: string;
}

export type ContextRequest = Request & { context: RequestContext };

/** The authenticated caller; only on routes with a required scope. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<ContextRequest>().context;
  if (!principal) throw new Error('CurrentPrincipal is used on a route without authentication');
  return principal;
});

/** The digest of the request body that a prepared action carries. */
export const RequestDigest = createParamDecorator((_: unknown, context: ExecutionContext): `0x${string}` => {
  const { requestDigest } = context.switchToHttp().getRequest<ContextRequest>().context;
  if (!requestDigest) throw new Error('RequestDigest is used on a route without a body digest');
  return requestDigest;
});
