import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteBatch } from '../../platform/database/expired-rows.sql.js';
import { ExpiredRowsSweeper } from '../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../platform/time/clock.js';
import { DELETE_EXPIRED_SESSIONS } from '../accounts/accounts.sql-views.js';
import { WalletRemovals } from '../accounts/wallets/wallet-removals.js';

/** Time for which expired rows are kept, so that a late request is refused and recorded with the right reason. */
const GRACE_MS = 3_600_000;

const CHALLENGES = deleteBatch('wallet_challenges', 'id');

/** Deletes challenges and browser sessions an hour after their expiry, and removes wallets whose removal is due. */
@Injectable()
export class SignInSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
    private readonly removals: WalletRemovals,
  ) {
    super(dataSource, 'sign-in', 'challenges, sessions and removed wallets');
  }

  override async sweep(): Promise<number> {
    const before = new Date(this.clock.wallMs() - GRACE_MS);
    const challenges = await this.deleteAll(CHALLENGES, before);
    const sessions = await this.deleteAll(DELETE_EXPIRED_SESSIONS, before);
    // Last, because a wallet that cannot be removed ends the round.
    return challenges + sessions + (await this.removals.completeAll());
  }
}
