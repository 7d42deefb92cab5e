import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import { CredentialChallenge } from '../credential-challenge.js';
import type { Scope } from '../scope.js';

/**
 * Checks that a credential has a scope. No scope contains another (docs/decisions/interface.md#credentials-and-scopes).
 */
@Injectable()
export class ScopeCheck {
  constructor(private readonly challenge: CredentialChallenge) {}

  /** @throws ApiError `insufficient_scope`, with the challenge that connectors parse. */
  require({ scopes, provesKey }: Pick<Principal, 'scopes' | 'provesKey'>, required: Scope): void {
    if (scopes.includes(required)) return;
    const held = scopes.map((scope) => `"${scope}"`).join(', ') || 'none';
    throw new ApiError(
      'insufficient_scope',
      `This operation needs the scope "${required}"; the credential has ${held}.`,
      `Use a credential with the scope "${required}".`,
      this.challenge.insufficientScope(provesKey ? 'DPoP' : 'Bearer', required),
    );
  }
}
