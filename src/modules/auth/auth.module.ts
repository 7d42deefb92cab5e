import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { AccessTokens } from './access-tokens/access-tokens.js';
import { DpopProofs } from './access-tokens/dpop-proofs.js';
import { GrantUsage } from './access-tokens/grant-usage.js';
import { VerifiedTokens } from './access-tokens/verified-tokens.js';
import { AccountsService } from './accounts/accounts.service.js';
import { ApiKeyUsage } from './api-keys/api-key-usage.js';
import { ApiKeyVerifier } from './api-keys/api-key-verifier.js';
import { EndedKeysSweeper } from './api-keys/ended-keys.sweeper.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { VerifiedKeys } from './api-keys/verified-keys.js';
import { AuditLog } from './audit/audit-log.js';
import { AuditSweeper } from './audit/audit.sweeper.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { AskingCredentials } from './asking-credentials.js';
import { CredentialChallenge } from './credential-challenge.js';
import { CredentialChanges } from './credential-changes.js';
import { RouteAudit } from './route-audit.js';
import { ScopeCheck } from './scope-check.js';
import { ScopeGuard } from './scope.guard.js';

/** Accounts, their credentials, and the two guards that ask who is calling and whether they may. */
@Module({
  imports: [DiscoveryModule, RateLimitModule],
  providers: [
    AccessTokens,
    AccountsService,
    ApiKeysService,
    ApiKeyUsage,
    ApiKeyVerifier,
    AskingCredentials,
    AuditLog,
    AuditSweeper,
    AuthenticationGuard,
    CredentialChallenge,
    CredentialChanges,
    DpopProofs,
    EndedKeysSweeper,
    GrantUsage,
    RouteAudit,
    ScopeCheck,
    ScopeGuard,
    VerifiedKeys,
    VerifiedTokens,
  ],
  exports: [
    AccessTokens,
    AccountsService,
    ApiKeysService,
    AskingCredentials,
    AuditLog,
    AuthenticationGuard,
    CredentialChallenge,
    CredentialChanges,
    DpopProofs,
    ScopeCheck,
    ScopeGuard,
  ],
})
export class AuthModule {}
