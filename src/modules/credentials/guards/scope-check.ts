import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import { CredentialChallenge } from '../credential-challenge.js';
import type { Scope } from '../scope.js';

type CheckedPrincipal = Pick<Principal, 'scopes' | 'provesKey' | 'clientId'>;

/**
 * Checks that a credential has a scope. No scope contains another (docs/decisions/interface.md#credentials-and-scopes).
 */
@Injectable()
export class ScopeCheck {
  constructor(private readonly challenge: CredentialChallenge) {}

  /** @throws ApiError `insufficient_scope`, with the challenge that connectors parse. */
  require({ scopes, provesKey, clientId }: CheckedPrincipal, required: Scope): void {
    if (scopes.includes(required)) return;
    const held = scopes.map((scope) => `"${scope}"`).join(', ') || 'none';
    throw new ApiError(
      'insufficient_scope',
      `This operation needs the scope "${required}"; the credential has ${held}.`,
      // An application has one token, and a key one scope: only a new consent helps the first, another key the second.
      clientId === undefined
        ? `Use a credential with the scope "${required}".`
        : `Connect again, and allow "${required}".`,
      this.challenge.insufficientScope(provesKey ? 'DPoP' : 'Bearer', required),
    );
  }
}
