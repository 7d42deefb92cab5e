import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { AccountsService } from './accounts.service.js';
import { AuditLog } from './audit/audit-log.js';
import { AuditSweeper } from './audit/audit.sweeper.js';
import { CredentialChanges } from './credential-changes.js';
import { BrowserCookies } from './sessions/browser-cookies.js';
import { BrowserSessions } from './sessions/browser-sessions.js';
import { SessionLimit } from './sessions/session-limit.js';
import { AccountWallets } from './wallets/account-wallets.js';
import { WalletRemovals } from './wallets/wallet-removals.js';

/** Accounts, their wallets, browser sessions, and the audit record. */
@Module({
  imports: [RateLimitModule],
  providers: [
    AccountsService,
    AccountWallets,
    AuditLog,
    AuditSweeper,
    BrowserCookies,
    BrowserSessions,
    CredentialChanges,
    SessionLimit,
    WalletRemovals,
  ],
  exports: [
    AccountsService,
    AccountWallets,
    AuditLog,
    BrowserCookies,
    BrowserSessions,
    CredentialChanges,
    SessionLimit,
    WalletRemovals,
  ],
})
export class AccountsModule {}
