import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../../platform/rate-limit/rate-limit.module.js';
import { AuthModule } from '../auth.module.js';
import { BrowserCookies } from '../sessions/browser-cookies.js';
import { BrowserSessions } from '../sessions/browser-sessions.js';
import { SessionLimit } from '../sessions/session-limit.js';
import { AccountWallets } from '../wallets/account-wallets.js';
import { WalletRemovals } from '../wallets/wallet-removals.js';
import { SignInLimit } from './sign-in-limit.js';
import { SignInSweeper } from './sign-in.sweeper.js';
import { WalletChallenges } from './wallet-challenges.js';
import { WalletConfirmations } from './wallet-confirmations.js';
import { WalletSessions } from './wallet-sessions.js';

/** Signing in with a wallet: the proof, the account's wallets, and the browsers in which people are signed in. */
@Module({
  imports: [AuthModule, RateLimitModule],
  providers: [
    AccountWallets,
    BrowserCookies,
    BrowserSessions,
    SessionLimit,
    SignInLimit,
    SignInSweeper,
    WalletChallenges,
    WalletConfirmations,
    WalletRemovals,
    WalletSessions,
  ],
  exports: [
    AccountWallets,
    BrowserCookies,
    BrowserSessions,
    SessionLimit,
    WalletChallenges,
    WalletConfirmations,
    WalletRemovals,
    WalletSessions,
  ],
})
export class SignInModule {}
