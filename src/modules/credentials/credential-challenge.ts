import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Environment } from '../../platform/config/environment.js';
import { DPOP_ALGORITHMS } from './dpop-proof.js';
import type { TokenScheme } from './presented-token.js';

/** Error codes of RFC 6750 §3.1 and RFC 9449 §7.1. */
type ChallengeError = 'invalid_token' | 'invalid_dpop_proof' | 'insufficient_scope';

/**
 * Path of the protected resource that a route is, such as `/mcp`, where it is not the interface as a whole: its metadata
 * are at that path below the well-known one (RFC 9728 §3.1).
 */
export const ProtectedResource = Reflector.createDecorator<string>();

/** What a challenge says of the operation that was called. */
export interface Challenged {
  /** Absent: it depends on what is asked for. */
  scope?: string | undefined;
  /** As of `ProtectedResource`; absent: the interface as a whole. */
  resource?: string | undefined;
}

type ChallengeHeaders = Record<'WWW-Authenticate', string>;

const REALM = 'realm="tasktree"';
const ALGORITHMS = `algs="${DPOP_ALGORITHMS.join(' ')}"`;

/**
 * The `WWW-Authenticate` header, which tells a client where tokens come from and which scope the operation needs (RFC
 * 6750, RFC 9449, RFC 9728). `Bearer` comes first, because connectors read only the first challenge.
 */
@Injectable()
export class CredentialChallenge {
  private readonly metadata: string;

  constructor(environment: Environment) {
    this.metadata = `${environment.baseUrl}/.well-known/oauth-protected-resource`;
  }

  /** For a caller without a token. It gets no error code, because it may not know that tokens exist. */
  unauthenticated(called: Challenged = {}): ChallengeHeaders {
    return both(this.bearer(null, called), dpop(null));
  }

  /** For a token that is not valid, or not valid under this scheme. */
  invalidToken(scheme: TokenScheme, called: Challenged = {}): ChallengeHeaders {
    return this.refused(scheme, 'invalid_token', called);
  }

  /** For a key-bound token whose proof is not valid for this request. */
  invalidProof(called: Challenged = {}): ChallengeHeaders {
    return this.refused('DPoP', 'invalid_dpop_proof', called);
  }

  insufficientScope(scheme: TokenScheme, scope: string): ChallengeHeaders {
    const members = [`error="insufficient_scope"`, `scope="${scope}"`, this.metadataOf(undefined)];
    const algorithms = scheme === 'DPoP' ? [ALGORITHMS] : [];
    return { 'WWW-Authenticate': `${scheme} ${[REALM, ...members, ...algorithms].join(', ')}` };
  }

  private refused(scheme: TokenScheme, error: ChallengeError, called: Challenged): ChallengeHeaders {
    return both(this.bearer(scheme === 'Bearer' ? error : null, called), dpop(scheme === 'DPoP' ? error : null));
  }

  private bearer(error: ChallengeError | null, { scope, resource }: Challenged): string {
    const members = [REALM, error && `error="${error}"`, scope && `scope="${scope}"`, this.metadataOf(resource)];
    return `Bearer ${members.filter(Boolean).join(', ')}`;
  }

  private metadataOf(resource: string | undefined): string {
    return `resource_metadata="${this.metadata}${resource ?? ''}"`;
  }
}

function dpop(error: ChallengeError | null): string {
  return `DPoP ${[REALM, error && `error="${error}"`, ALGORITHMS].filter(Boolean).join(', ')}`;
}

function both(bearer: string, proof: string): ChallengeHeaders {
  return { 'WWW-Authenticate': `${bearer}, ${proof}` };
}
