import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, LessThanOrEqual, MoreThan, Not } from 'typeorm';
import { readAddressText } from '#libs/contracts';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { sweepEach } from '../../../platform/time/sweep-each.js';
import { lockAccount } from '../locked-account.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
import { accessEvent } from '../audit/access-event.js';
import { AuditLog } from '../audit/audit-log.js';
import { BrowserSessions } from '../sessions/browser-sessions.js';
import { AccountWalletEntity } from './account-wallet.entity.js';
import { lockWallet } from '../wallet-owner.sql.js';

/** A wallet that will be removed from its account. */
export interface LeavingWallet {
  /** EIP-55. */
  address: string;
  /** When the wallet is removed. */
  unlinkAt: Date;
}

/** Time between the request and the removal, in which the removal can be undone. */
const NOTICE_MS = 24 * 3_600_000;
/** Wallets that one query reads for removal. */
const BATCH = 100;

/**
 * Removes wallets from accounts, 24 hours after the request. Until then the wallet keeps all its rights, the account's
 * pages announce the removal, and the wallet itself or the signing wallet can undo it.
 */
@Injectable()
export class WalletRemovals {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: BrowserSessions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Requests a removal; a second request changes nothing. Resolves to the time of the removal.
   * @throws ApiError `not_found`, or `state_conflict` for the signing wallet and for the last wallet that would stay.
   */
  request(accountId: string, text: string, auditId: string | null): Promise<Date> {
    return this.transactions.run(async (manager) => {
      const address = await this.ownWallet(manager, accountId, text);
      await lockWallet(manager, address);
      const { before } = await removable(manager, accountId, address);
      if (before !== null) return before;
      const unlinkAt = new Date(this.clock.wallMs() + NOTICE_MS);
      await manager.update(AccountWalletEntity, { accountId, address }, { unlinkAt });
      const detail = { wallet: address, unlink_at: unlinkAt.toISOString() };
      await this.audit.record({ event: 'wallet_unlink_requested', requestId: auditId, accountId, detail });
      return unlinkAt;
    });
  }

  /** Passes when `request` would succeed, and throws its errors otherwise. */
  async assertRemovable(accountId: string, address: string): Promise<void> {
    await this.transactions.run((manager) => removable(manager, accountId, address));
  }

  /** Undoes a requested removal. A wallet without one is no error. @throws ApiError `not_found`. */
  undo(accountId: string, text: string, auditId: string | null): Promise<void> {
    return this.transactions.run(async (manager) => {
      const address = await this.ownWallet(manager, accountId, text);
      const going = { accountId, address, unlinkAt: MoreThan(this.clock.wall()) };
      const { affected } = await manager.update(AccountWalletEntity, going, { unlinkAt: null });
      if (!affected) return;
      const detail = { wallet: address };
      await this.audit.record({ event: 'wallet_unlink_undone', requestId: auditId, accountId, detail });
    });
  }

  /**
   * The account's wallets with a requested removal, the earliest first; `gone` holds the addresses whose time has
   * passed. Only reads, because it serves pages: the sweeper removes those wallets, or the next sign-in with them does.
   */
  async leaving(accountId: string): Promise<{ going: LeavingWallet[]; gone: string[] }> {
    const rows = await this.transactions.manager.find(AccountWalletEntity, {
      where: { accountId, unlinkAt: Not(IsNull()) },
      order: { unlinkAt: 'ASC', address: 'ASC' },
    });
    const now = this.clock.wall();
    const going = new Map<string, Date>();
    const gone = new Set<string>();
    for (const { address, unlinkAt } of rows) {
      if (isOver(unlinkAt, now)) gone.add(address);
      else if (unlinkAt !== null) going.set(address, unlinkAt);
    }
    return { going: [...going].map(([address, unlinkAt]) => ({ address, unlinkAt })), gone: [...gone] };
  }

  /** Removes the wallet from its account if a requested removal is due. @param address EIP-55. */
  async completeOf(address: string): Promise<void> {
    const due = { address, unlinkAt: LessThanOrEqual(this.clock.wall()) };
    for (const wallet of await this.transactions.manager.findBy(AccountWalletEntity, due)) await this.complete(wallet);
  }

  /**
   * Removes all wallets whose removal is due; returns how many were. One that cannot be removed holds up no other: its error is
   * thrown once all were tried.
   */
  async completeAll(): Promise<number> {
    let removed = 0;
    for (let found = BATCH; found === BATCH;) {
      const due = await this.transactions.manager.find(AccountWalletEntity, {
        where: { unlinkAt: LessThanOrEqual(this.clock.wall()) },
        order: { unlinkAt: 'ASC' },
        take: BATCH,
      });
      removed += await sweepEach(due, (wallet) => this.complete(wallet));
      found = due.length;
    }
    return removed;
  }

  /** False when the removal is no longer due. */
  private complete({ accountId, address }: Pick<AccountWalletEntity, 'accountId' | 'address'>): Promise<boolean> {
    return this.transactions.run(async (manager) => {
      // The locks order this with a sign-in at the same moment: an earlier session is ended, one that starts in between is
      // refused by WalletSessions, and a later sign-in finds no account and creates one.
      await lockWallet(manager, address);
      await lockAccount(manager, accountId);
      const due = { accountId, address, unlinkAt: LessThanOrEqual(this.clock.wall()) };
      const { affected } = await manager.delete(AccountWalletEntity, due);
      if (!affected) return false;
      // Also what a proof of the other kind has added meanwhile: it was told that the wallet is gone.
      await manager.delete(AccountWalletEntity, { accountId, address });
      await this.sessions.endWithWallet(accountId, address);
      const detail = { wallet: address, by: 'removal' };
      await this.audit.record({ event: 'wallet_unlinked', requestId: null, accountId, detail });
      const change = { accountId, id: address, at: this.clock.wall() };
      await recordEvents(manager, [accessEvent('wallet.unlinked', change)]);
      return true;
    });
  }

  /** Returns the stored (EIP-55) address of one of the account's proved wallets. @throws ApiError `not_found`. */
  addressOf(accountId: string, text: string): Promise<string> {
    return this.ownWallet(this.transactions.manager, accountId, text);
  }

  /** As `addressOf`, in the caller's transaction. */
  async ownWallet(manager: EntityManager, accountId: string, text: string): Promise<string> {
    const address = readAddressText(text);
    const own = address === null ? null : await manager.findOneBy(AccountWalletEntity, { accountId, address });
    if (own === null || isOver(own.unlinkAt, this.clock.wall())) {
      throw new ApiError('not_found', 'The account has no such wallet.');
    }
    return own.address;
  }
}

/**
 * Checks that a wallet can be removed. `before` is the time of a removal requested earlier; null = none. Locks the
 * account until the transaction ends.
 */
async function removable(manager: EntityManager, accountId: string, address: string): Promise<{ before: Date | null }> {
  const { walletAddress } = await lockAccount(manager, accountId);
  if (address === walletAddress) {
    throw new ApiError(
      'state_conflict',
      'This wallet signs the actions of the account.',
      'Let another wallet sign first.',
    );
  }
  const wallets = await manager.findBy(AccountWalletEntity, { accountId });
  const stays = wallets.some((wallet) => wallet.address !== address && wallet.unlinkAt === null);
  if (!stays && walletAddress === null) {
    throw new ApiError('state_conflict', 'The last wallet of an account cannot be taken away from it.');
  }
  return { before: wallets.find((wallet) => wallet.address === address)?.unlinkAt ?? null };
}

function isOver(unlinkAt: Date | null, now: Date): boolean {
  return unlinkAt !== null && unlinkAt <= now;
}
