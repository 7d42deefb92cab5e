import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { DPOP_ALGORITHMS } from './dpop-proof.js';
import type { TokenScheme } from './presented-token.js';

/** Error codes of RFC 6750 §3.1 and RFC 9449 §7.1. */
type ChallengeError = 'invalid_token' | 'invalid_dpop_proof' | 'insufficient_scope';

type ChallengeHeaders = Record<'WWW-Authenticate', string>;

const REALM = 'realm="tasktree"';
const ALGORITHMS = `algs="${DPOP_ALGORITHMS.join(' ')}"`;

/**
 * The `WWW-Authenticate` header, which tells a client where tokens come from and which scope the operation needs (RFC
 * 6750, RFC 9449, RFC 9728). `Bearer` comes first, because connectors read only the first challenge.
 */
@Injectable()
export class CredentialChallenge {
  private readonly resource: string;

  constructor(environment: Environment) {
    this.resource = `resource_metadata="${environment.baseUrl}/.well-known/oauth-protected-resource"`;
  }

  /** For a caller without a token. It gets no error code, because it may not know that tokens exist. */
  unauthenticated(scope?: string): ChallengeHeaders {
    return both(this.bearer(null, scope), dpop(null));
  }

  /** For a token that is not valid, or not valid under this scheme. */
  invalidToken(scheme: TokenScheme, scope?: string): ChallengeHeaders {
    return this.refused(scheme, 'invalid_token', scope);
  }

  /** For a key-bound token whose proof is not valid for this request. */
  invalidProof(scope?: string): ChallengeHeaders {
    return this.refused('DPoP', 'invalid_dpop_proof', scope);
  }

  insufficientScope(scheme: TokenScheme, scope: string): ChallengeHeaders {
    const members = [`error="insufficient_scope"`, `scope="${scope}"`, this.resource];
    const algorithms = scheme === 'DPoP' ? [ALGORITHMS] : [];
    return { 'WWW-Authenticate': `${scheme} ${[REALM, ...members, ...algorithms].join(', ')}` };
  }

  private refused(scheme: TokenScheme, error: ChallengeError, scope: string | undefined): ChallengeHeaders {
    return both(this.bearer(scheme === 'Bearer' ? error : null, scope), dpop(scheme === 'DPoP' ? error : null));
  }

  private bearer(error: ChallengeError | null, scope: string | undefined): string {
    const members = [REALM, error && `error="${error}"`, scope && `scope="${scope}"`, this.resource];
    return `Bearer ${members.filter(Boolean).join(', ')}`;
  }
}

function dpop(error: ChallengeError | null): string {
  return `DPoP ${[REALM, error && `error="${error}"`, ALGORITHMS].filter(Boolean).join(', ')}`;
}

function both(bearer: string, proof: string): ChallengeHeaders {
  return { 'WWW-Authenticate': `${bearer}, ${proof}` };
}
