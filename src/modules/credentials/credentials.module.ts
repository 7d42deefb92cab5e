import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccessTokens } from './access-tokens/access-tokens.js';
import { DpopProofs } from './access-tokens/dpop-proofs.js';
import { GrantUsage } from './access-tokens/grant-usage.js';
import { VerifiedTokens } from './access-tokens/verified-tokens.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { ApiKeyUsage } from './api-keys/api-key-usage.js';
import { ApiKeyVerifier } from './api-keys/api-key-verifier.js';
import { KeyLimits } from './api-keys/key-limits.js';
import { EndedKeysSweeper } from './api-keys/ended-keys.sweeper.js';
import { VerifiedKeys } from './api-keys/verified-keys.js';
import { CredentialChallenge } from './credential-challenge.js';
import { AuthenticationGuard } from './guards/authentication.guard.js';
import { RouteAudit } from './guards/route-audit.js';
import { ScopeCheck } from './guards/scope-check.js';
import { ScopeGuard } from './guards/scope.guard.js';
import { SpendPolicies } from './spending/spend-policies.js';
import { SpendPolicyReader } from './spending/spend-policy-reader.js';
import { SpendPoliciesSweeper } from './spending/spend-policies.sweeper.js';
import { CredentialWatch } from './lasting/credential-watch.js';
import { LateAdmission } from './lasting/late-admission.js';

/** API keys, access tokens, and the two guards that ask who is calling and whether they may. */
@Module({
  imports: [AccountsModule, DiscoveryModule, RateLimitModule],
  providers: [
    AccessTokens,
    ApiKeysService,
    ApiKeyUsage,
    ApiKeyVerifier,
    AuthenticationGuard,
    CredentialChallenge,
    CredentialWatch,
    DpopProofs,
    EndedKeysSweeper,
    GrantUsage,
    KeyLimits,
    LateAdmission,
    RouteAudit,
    ScopeCheck,
    ScopeGuard,
    SpendPolicies,
    SpendPoliciesSweeper,
    SpendPolicyReader,
    VerifiedKeys,
    VerifiedTokens,
  ],
  exports: [
    AccessTokens,
    ApiKeysService,
    AuthenticationGuard,
    CredentialChallenge,
    CredentialWatch,
    DpopProofs,
    KeyLimits,
    LateAdmission,
    ScopeCheck,
    ScopeGuard,
    SpendPolicies,
    SpendPolicyReader,
  ],
})
export class CredentialsModule {}
