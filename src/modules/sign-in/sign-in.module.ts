import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { SignInLimit } from './sign-in-limit.js';
import { SignInSweeper } from './sign-in.sweeper.js';
import { WalletChallenges } from './wallet-challenges.js';
import { WalletConfirmations } from './wallet-confirmations.js';
import { WalletSessions } from './wallet-sessions.js';

/** Signing in with a wallet, and confirming account changes by a wallet's signature. */
@Module({
  imports: [AccountsModule, RateLimitModule],
  providers: [SignInLimit, SignInSweeper, WalletChallenges, WalletConfirmations, WalletSessions],
  exports: [WalletChallenges, WalletConfirmations, WalletSessions],
})
export class SignInModule {}
