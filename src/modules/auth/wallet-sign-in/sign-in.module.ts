import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../../platform/rate-limit/rate-limit.module.js';
import { AuthModule } from '../auth.module.js';
import { BrowserCookies } from '../sessions/browser-cookies.js';
import { BrowserSessions } from '../sessions/browser-sessions.js';
import { AccountWallets } from '../wallets/account-wallets.js';
import { SignInLimit } from './sign-in-limit.js';
import { SignInSweeper } from './sign-in.sweeper.js';
import { WalletChallenges } from './wallet-challenges.js';
import { WalletSessions } from './wallet-sessions.js';

/** Signing in with a wallet: the proof, the account's wallets, and the browsers in which people are signed in. */
@Module({
  imports: [AuthModule, RateLimitModule],
  providers: [
    AccountWallets,
    BrowserCookies,
    BrowserSessions,
    SignInLimit,
    SignInSweeper,
    WalletChallenges,
    WalletSessions,
  ],
  exports: [AccountWallets, BrowserCookies, BrowserSessions, WalletChallenges, WalletSessions],
})
export class SignInModule {}
