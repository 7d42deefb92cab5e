import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';

/** The `WWW-Authenticate` header, which tells a client where tokens come from (RFC 6750, RFC 9728). */
@Injectable()
export class CredentialChallenge {
  private readonly resource: string;

  constructor(environment: Environment) {
    this.resource = `resource_metadata="${environment.baseUrl}/.well-known/oauth-protected-resource"`;
  }

  /** For a caller without a usable token: no error code, it may never have heard of tokens. */
  unauthenticated(): Record<string, string> {
    return { 'WWW-Authenticate': `Bearer realm="tasktree", ${this.resource}` };
  }

  invalidToken(): Record<string, string> {
    return { 'WWW-Authenticate': `Bearer realm="tasktree", error="invalid_token", ${this.resource}` };
  }

  insufficientScope(scope: string): Record<string, string> {
    const error = `error="insufficient_scope", scope="${scope}"`;
    return { 'WWW-Authenticate': `Bearer realm="tasktree", ${error}, ${this.resource}` };
  }
}
